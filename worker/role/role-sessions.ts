// The sessions of a role: opened when they are first asked for, prepared ahead, brought back after a worker that died.
import { isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import type {
  Input,
  PrepareRestRequest,
  PrepareRestResponse,
  RestoreStorageRequest,
  RoleConfig,
  SessionRecord,
  StoragePart,
} from "../../proto/gen/troupe.ts";
import type { Chrome } from "../chrome/launch.ts";
import { withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Wall } from "../policy/role-policy.ts";
import type { Context } from "../session/context.ts";
import { lostByHibernation, untoldByRest } from "../session/lost-by-hibernation.ts";
import { RestoreOrder } from "../session/restore-order.ts";
import { Session, type SessionOptions } from "../session/session.ts";
import { SharedWorkers } from "../session/shared-workers.ts";
import { isFresher, type Login, noteExpiry, readLogin } from "../storage/role-login.ts";
import { type StoredParts, storedParts } from "../storage/storage-parts.ts";
import type { PageScripts } from "../tab/bridge-bundle.ts";
import { PageOwners } from "./page-owners.ts";
import { type Tells, WarmSession } from "./warm-session.ts";
import { WarmUp } from "./warm-up.ts";

/** What sessions have stored last is told before they end, if that takes no longer. */
const LAST_TOLD_MS_MAX = 1_000;

/** What a role's sessions tell of themselves. */
export interface SessionEvents {
  session(record: SessionRecord): void;
  /** `key`: a session's; empty for what sessions share. */
  storage(key: string, parts: StoragePart[]): void;
  /** A session has told all that it has stored. */
  told(key: string): void;
  /** A session waits for whoever comes next. */
  prepared(): void;
}

/** What they are made from. */
export interface RoleSessionsParts {
  config: RoleConfig;
  chrome: Chrome;
  scripts: PageScripts;
  failures: FailureLog;
  wall: Wall;
  login: Login | undefined;
  /** What they were in a worker that died. */
  records: readonly SessionRecord[];
  events: SessionEvents;
}

/** A role's sessions. Ended by {@link RoleSessions.over}, when its browser ends. */
export class RoleSessions {
  readonly owners: PageOwners;
  readonly sharedWorkers: SharedWorkers;
  readonly #parts: RoleSessionsParts;
  readonly #byKey = new Map<string, Promise<Session>>();
  readonly #open = new Set<Session>();
  readonly #toRestore: Map<string, SessionRecord>;
  /** What sessions had stored when their worker died, or they were put to rest, until they are opened. */
  readonly #stored = new Map<string, StoragePart[]>();
  /** Those that were at rest, until they are opened. */
  readonly #rested = new Set<string>();
  readonly #restorings = new RestoreOrder();
  #login: Login | undefined;
  #shared: Promise<Context> | undefined;
  #preparation: WarmUp<Session> | undefined;
  #isOver = false;

  constructor(parts: RoleSessionsParts) {
    const { chrome, failures, records, login } = parts;
    this.#parts = parts;
    this.#login = login;
    this.#toRestore = new Map(records.map((record) => [record.key, record]));
    this.sharedWorkers = new SharedWorkers(chrome, failures);
    this.owners = new PageOwners({ chrome, failures, sessions: this.#open, areShared: this.#areShared });
  }

  /** Those that are open, that which is nobody's yet and the owner of what is shared included. */
  get open(): Session[] {
    return [...this.#open];
  }

  /** Whether they begin with a login. */
  get haveLogin(): boolean {
    return this.#login !== undefined;
  }

  /** From now on one is prepared for whoever comes next, where the role is configured so. */
  prepareAhead(): void {
    if (this.#parts.config.prepare && !this.#areShared) this.#preparation = this.#prepared();
  }

  /** A call is under way until the signal aborts. */
  callBegan(signal: AbortSignal): void {
    this.#preparation?.callBegan(signal);
  }

  /** Whether there is a session of that key, or what one of it can be opened with. */
  has(key: string): boolean {
    return this.#byKey.has(key) || this.#toRestore.has(key);
  }

  /** The session of that key, opened when it is first asked for. */
  async of(key: string): Promise<Session> {
    const known = this.#byKey.get(key);
    if (known) return await known;
    const opening = this.#openSession(key);
    this.#byKey.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      if (this.#byKey.get(key) === opening) this.#byKey.delete(key);
      throw error;
    }
  }

  /**
   * What a session had, before it is opened. `key`: empty for what sessions share. One that was at rest, and is open here,
   * did not hear of its end: all that it has now is in the parts.
   */
  async restore({ key, parts, session, rested }: RestoreStorageRequest): Promise<void> {
    if (this.#byKey.has(key)) {
      if (!session) return;
      await this.end(key);
    }
    if (parts.length > 0) this.#stored.set(key, parts);
    if (session) this.#toRestore.set(key, session);
    if (rested) this.#rested.add(key);
  }

  /**
   * Tells all that a session has, so that it can be ended and brought back later. `sparing`: not if it would lose something.
   * Its page may go on meanwhile: what it stores then is told as long as it lasts.
   */
  async prepareRest({ key, sparing }: PrepareRestRequest): Promise<Input<PrepareRestResponse>> {
    const session = await this.#byKey.get(key);
    if (!session) return {};
    const losses = await lostByHibernation(session);
    if (sparing && losses.length > 0) return { losses };
    session.lines.flush();
    losses.push(...(await untoldByRest(session, () => flush(session))));
    if (sparing && losses.length > 0) return { losses };
    this.#parts.events.session(session.record());
    this.#parts.events.told(key);
    return { isTold: true, losses };
  }

  /** Ends a session; one that there is not has ended. */
  async end(key: string): Promise<void> {
    const opening = this.#byKey.get(key);
    // At once: a session that begins under this key meanwhile is another one.
    this.#byKey.delete(key);
    this.#forget(key);
    const session = await opening;
    if (session) await this.#close(session);
  }

  /** Reads the login's file again: sessions that begin later have what it holds now. One that cannot be read changes nothing. */
  async renewLogin(): Promise<Login | undefined> {
    const login = await readLogin(this.#parts.config, this.#parts.failures);
    if (!login) return undefined;
    const isOther = isFresher(login, this.#login);
    this.#login = login;
    if (isOther) {
      this.#preparation?.renew();
      this.#parts.failures.loginWorks();
      noteExpiry(login, this.#parts.failures);
    }
    return login;
  }

  /** Tells what they have stored last, and what they were told. */
  async tellLast(): Promise<void> {
    await this.#tellAll(this.open);
  }

  /** The browser ends: with that all tabs are closed. Nothing more is told, for what they are now is what they come back as. */
  over(error?: TroupeError): void {
    this.#isOver = true;
    this.#preparation?.close();
    for (const { tabs } of this.#open) for (const tab of tabs) tab.closed(error);
  }

  async #tellAll(sessions: readonly Session[]): Promise<void> {
    for (const { lines } of sessions) lines.flush();
    const told = Promise.all(sessions.map(flush));
    try {
      await withinTime(() => told, LAST_TOLD_MS_MAX);
    } catch (error) {
      this.#parts.failures.cleanup("tell-storage", error as Error);
    }
  }

  get #areShared(): boolean {
    return this.#parts.config.isolation === "role";
  }

  async #openSession(key: string): Promise<Session> {
    const record = this.#toRestore.get(key);
    const stored = this.#storedOf(key);
    const rested = this.#rested.has(key);
    // One that has been before goes on from what it had.
    const prepared = record || stored ? undefined : this.#preparation?.take(key);
    if (prepared) return prepared;
    const shared = this.#areShared ? await this.#sharedContext() : undefined;
    const session = await this.#opened({ ...this.#tells, key, shared, stored, record, rested });
    this.#forget(key);
    return session;
  }

  /** What it is to be opened with is of no use any more. */
  #forget(key: string): void {
    this.#toRestore.delete(key);
    this.#stored.delete(key);
    this.#rested.delete(key);
  }

  #prepared(): WarmUp<Session> {
    const { events, failures } = this.#parts;
    return new WarmUp({
      begin: () =>
        new WarmSession({
          open: (tells) => this.#opened({ ...tells, ...NOBODYS }),
          end: (session) => this.#close(session),
          tells: this.#tells,
        }),
      ready: () => events.prepared(),
      // A login that is missing has been said to be.
      failed: (error) => isGone(error) || isTroupeError(error) || failures.cleanup("prepare-session", error),
    });
  }

  /** The one context of a role whose sessions share it. */
  #sharedContext(): Promise<Context> {
    this.#shared ??= this.#openSharedContext().catch((error: unknown) => {
      // The next session tries again.
      this.#shared = undefined;
      throw error;
    });
    return this.#shared;
  }

  async #openSharedContext(): Promise<Context> {
    const stored = this.#storedOf("");
    const owner = await this.#opened({ ...this.#tells, ...NOBODYS, changed: () => undefined, stored });
    try {
      await owner.openTab();
      this.#forget("");
      return owner.context;
    } catch (error) {
      await this.#close(owner);
      throw error;
    }
  }

  async #opened(own: Tells & Pick<SessionOptions, keyof typeof NOBODYS>): Promise<Session> {
    const session = await Session.open({ ...this.#common, ...own });
    this.#open.add(session);
    return session;
  }

  async #close(session: Session): Promise<void> {
    this.#open.delete(session);
    await session.close();
  }

  get #tells(): Tells {
    const { events } = this.#parts;
    return {
      changed: (record) => this.#isOver || events.session(record),
      storageChanged: (key, parts) => this.#isOver || events.storage(key, parts),
    };
  }

  /** What is the same for all. */
  get #common(): Omit<SessionOptions, keyof Tells | keyof typeof NOBODYS> {
    const { config, chrome, scripts, failures, wall } = this.#parts;
    return {
      startUrl: config.startUrl,
      freezeAfterMs: config.freezeAfterMs,
      browser: chrome.session,
      bridge: scripts.bridge,
      storageScript: scripts.storage,
      failures,
      wall,
      login: this.#login,
      loginNow: () => this.renewLogin(),
      restorings: this.#restorings,
      createTarget: (session) => this.owners.createTarget(session),
      sharedWorkers: (contextId) => this.sharedWorkers.in(contextId),
    };
  }

  /** Parts that cannot be read are said to be lost; the session goes on from the role's login. */
  #storedOf(key: string): StoredParts | undefined {
    const parts = this.#stored.get(key);
    if (!parts) return undefined;
    try {
      return storedParts(parts);
    } catch (error) {
      const { name } = error as Error;
      this.#parts.failures.incident("storage-not-restored", `A session's storage: ${name}`);
      return undefined;
    }
  }
}

/** A session that has no client. */
const NOBODYS = { key: "", shared: undefined, stored: undefined, record: undefined, rested: false };

/** Pages that stand still go on for that, if they hold what only they can tell. */
async function flush({ context: { kept }, rest }: Session): Promise<void> {
  const using = new AbortController();
  if (kept.waitsForStillPages) await rest.use(using.signal);
  try {
    await kept.flush();
  } finally {
    using.abort();
  }
}
