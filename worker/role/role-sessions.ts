// Holds the sessions of a role: opened at first use, prepared ahead, or restored after a worker died.
import { isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import type {
  ExportRecordingRequest,
  Input,
  PrepareRestRequest,
  PrepareRestResponse,
  RestoreStorageRequest,
  RoleConfig,
  SessionRecord,
  StoragePart,
} from "../../proto/gen/troupe.ts";
import type { Chrome } from "../chrome/chrome.ts";
import { withinTime } from "../core/frame-time.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { FileFolder } from "../files/file-folder.ts";
import type { Wall } from "../policy/role-policy.ts";
import { type Recorded, storedRecord } from "../recording/recording.ts";
import type { RoleSecrets } from "../secrets/role-secrets.ts";
import type { Context } from "../session/context.ts";
import { lostByHibernation, reportStored } from "../session/lost-by-hibernation.ts";
import { RestoreOrder } from "../session/restore-order.ts";
import { type PageWatch, Session, type SessionOptions } from "../session/session.ts";
import { SharedWorkers } from "../session/shared-workers.ts";
import { isFresher, type Login, noteExpiry, readLogin } from "../storage/role-login.ts";
import { type StoredParts, storedParts } from "../storage/storage-parts.ts";
import type { PageScripts } from "../tab/bridge-bundle.ts";
import { PageOwners } from "./page-owners.ts";
import { closeLeft, leaveTabs } from "./personal-tabs.ts";
import { type SessionReports, WarmSession } from "./warm-session.ts";
import { WarmUp } from "./warm-up.ts";

/** Before sessions end, their last storage is reported, if that takes no longer than this. */
const LAST_REPORT_MS_MAX = 1_000;

/** The events that a role's sessions report. */
export interface SessionEvents {
  session(record: SessionRecord): void;
  /** `key`: a session's key, or empty for what sessions share. */
  storage(key: string, parts: StoragePart[]): void;
  /** Resolves when the daemon keeps all that was reported of the session. */
  kept(key: string): Promise<void>;
  /** The session has reported everything that it has stored. */
  reported(key: string): void;
  /** A warm session is ready for the next client. */
  prepared(): void;
}

/** The parts that sessions are made from. */
export interface RoleSessionsParts {
  config: RoleConfig;
  chrome: Chrome;
  scripts: PageScripts;
  /** Holds the sessions' files. */
  fileFolder: FileFolder;
  failures: FailureLog;
  secrets: RoleSecrets;
  wall: Wall;
  pageWatch: PageWatch;
  /** Called with the key of each session that ends. */
  ended(session: string): void;
  /** The address of the role's proxy. */
  proxy: string;
  login: Login | undefined;
  /** The sessions' state in a worker that died. */
  records: readonly SessionRecord[];
  events: SessionEvents;
}

/** A role's sessions. {@link RoleSessions.over} ends them when the role's browser ends. */
export class RoleSessions {
  readonly owners: PageOwners;
  readonly sharedWorkers: SharedWorkers;
  readonly #parts: RoleSessionsParts;
  readonly #byKey = new Map<string, Promise<Session>>();
  readonly #open = new Set<Session>();
  readonly #toRestore: Map<string, SessionRecord>;
  /** The storage of sessions whose worker died or that were hibernated, until they are opened. */
  readonly #stored = new Map<string, StoragePart[]>();
  /** The hibernated sessions, until they are opened. */
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
    this.owners = new PageOwners({
      chrome,
      failures,
      sessions: this.#open,
      areShared: this.#areShared,
    });
  }

  /** Returns all open sessions, including the warm one and the owner of the shared context. */
  get open(): Session[] {
    return [...this.#open];
  }

  /** Is true if sessions begin with a login. */
  get haveLogin(): boolean {
    return this.#login !== undefined;
  }

  /** Keeps a warm session ready from now on, if the role is configured so. */
  prepareAhead(): void {
    const { config, chrome } = this.#parts;
    // A person would see an empty window, so none is prepared in an attached browser.
    if (config.prepare && !this.#areShared && chrome.endpoint === undefined)
      this.#preparation = this.#prepared();
  }

  /** Notes a call that is under way until the signal aborts. */
  callBegan(signal: AbortSignal): void {
    this.#preparation?.callBegan(signal);
  }

  /** Returns true if a session has that key, or if one can be restored under it. */
  has(key: string): boolean {
    return this.#byKey.has(key) || this.#toRestore.has(key);
  }

  /** Returns the session of that key, and opens it at first use. */
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
   * Stores what a session had, before it is opened. `key`: empty for what sessions share. A hibernated session that is
   * still open here missed its own end. The parts hold its whole state, so it is ended first.
   */
  async restore({ key, parts, session, rested }: RestoreStorageRequest): Promise<void> {
    if (this.#byKey.has(key)) {
      if (!session) return;
      await this.end(key);
    }
    if (session) await closeLeft(this.#parts.chrome, [session]);
    if (parts.length > 0) this.#stored.set(key, parts);
    if (session) this.#toRestore.set(key, session);
    if (rested) this.#rested.add(key);
  }

  /**
   * Reports everything that a session has, so that it can be ended and restored later. `sparing`: stop if the session
   * would lose something. Its page may go on meanwhile: it reports what it stores as long as it lasts.
   */
  async prepareRest({ key, sparing }: PrepareRestRequest): Promise<Input<PrepareRestResponse>> {
    const session = await this.#byKey.get(key);
    if (!session) return {};
    const losses = await lostByHibernation(session);
    if (sparing && losses.length > 0) return { losses };
    session.lines.flush();
    session.recording.flush();
    losses.push(...(await reportStored(session, () => flush(session))));
    if (sparing && losses.length > 0) return { losses };
    this.#parts.events.session(session.record());
    this.#parts.events.reported(key);
    return { isTold: true, losses };
  }

  /** Returns the steps of an open session. For any other one, they are in the parts that it has stored. */
  async recorded({ key, parts }: ExportRecordingRequest): Promise<Recorded> {
    const session = await this.#byKey.get(key);
    return session ? await session.recording.read() : storedRecord(storedParts(parts).steps);
  }

  /** Ends a session. If there is none of that key, does nothing. */
  async end(key: string): Promise<void> {
    const opening = this.#byKey.get(key);
    // The key is freed at once, because a session that begins under it meanwhile is another one.
    this.#byKey.delete(key);
    this.#forget(key);
    const session = await opening;
    if (session) await this.#close(session);
  }

  /** Reads the login file again: later sessions begin with its present content. An unreadable file changes nothing. */
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

  /** Reports the sessions' last storage and delivered lines. */
  async reportLast(): Promise<void> {
    await this.#reportAll(this.open);
  }

  /** Closes the tabs in a person's own context. All other contexts go with the connection. */
  async leave(): Promise<void> {
    if (this.#areShared) await leaveTabs(this.#parts.chrome, this.open);
  }

  /**
   * Closes all tabs as the browser ends. Nothing more is reported, because the sessions are restored from their present
   * state.
   */
  over(error?: TroupeError): void {
    this.#isOver = true;
    this.#preparation?.close();
    for (const { tabs } of this.#open) for (const tab of tabs.open) tab.closed(error);
  }

  async #reportAll(sessions: readonly Session[]): Promise<void> {
    for (const { lines, recording } of sessions) {
      lines.flush();
      recording.flush();
    }
    const reported = Promise.all(sessions.map(flush));
    try {
      await withinTime(() => reported, LAST_REPORT_MS_MAX);
    } catch (error) {
      this.#parts.failures.cleanup("tell-storage", error as Error);
    }
  }

  get #areShared(): boolean {
    return this.#parts.config.isolation === "role";
  }

  async #openSession(key: string): Promise<Session> {
    const record = this.#allowed(this.#toRestore.get(key));
    const stored = this.#storedOf(key);
    const rested = this.#rested.has(key);
    // A session with an earlier state goes on from that, not from a warm session.
    const prepared = record || stored ? undefined : this.#preparation?.take(key);
    if (prepared) return prepared;
    const shared = this.#areShared ? await this.#sharedContext() : undefined;
    const session = await this.#opened({ ...this.#reports, key, shared, stored, record, rested });
    this.#forget(key);
    return session;
  }

  /** Drops breakpoints if the role does not allow them any more: no call could let a page go on that they pause. */
  #allowed(record: SessionRecord | undefined): SessionRecord | undefined {
    return record && !this.#parts.config.debugger ? { ...record, debugger: null } : record;
  }

  /** Drops the stored state of a session that is open or has ended. */
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
          open: (reports) => this.#opened({ ...reports, ...NOBODYS }),
          end: (session) => this.#close(session),
          reports: this.#reports,
        }),
      ready: () => events.prepared(),
      // A missing login has already been reported.
      failed: (error) => isTroupeError(error) || failures.cleanup("prepare-session", error),
    });
  }

  /** Returns the one context of a role whose sessions share it. */
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
    const owner = await this.#opened({ ...this.#reports, ...NOBODYS, changed: () => undefined, stored });
    try {
      // The login's storage needs a tab. The person's own context has its logins.
      if (this.#parts.chrome.personalContext === undefined) await owner.opener.open();
      this.#forget("");
      return owner.context;
    } catch (error) {
      await this.#close(owner);
      throw error;
    }
  }

  async #opened(own: SessionReports & Pick<SessionOptions, keyof typeof NOBODYS>): Promise<Session> {
    const session = await Session.open({ ...this.#common, ...own });
    this.#open.add(session);
    return session;
  }

  async #close(session: Session): Promise<void> {
    this.#open.delete(session);
    this.#parts.ended(session.key);
    await session.close();
  }

  get #reports(): SessionReports {
    const { events } = this.#parts;
    return {
      changed: (record) => this.#isOver || events.session(record),
      storageChanged: (key, parts) => this.#isOver || events.storage(key, parts),
      kept: async (key) => {
        if (!this.#isOver) await events.kept(key);
      },
    };
  }

  /** Returns the options that all sessions have in common. */
  get #common(): Omit<SessionOptions, keyof SessionReports | keyof typeof NOBODYS> {
    const { config, chrome, scripts, fileFolder, failures, secrets, wall, pageWatch } = this.#parts;
    return {
      startUrl: config.startUrl,
      freezeAfterMs: config.freezeAfterMs,
      browser: chrome.session,
      proxy: chrome.endpoint === undefined ? undefined : this.#parts.proxy,
      personalContext: this.#areShared ? chrome.personalContext : undefined,
      bridge: scripts.bridge,
      storageScript: scripts.storage,
      fileFolder,
      failures,
      secrets,
      wall,
      pageWatch,
      login: this.#login,
      loginNow: () => this.renewLogin(),
      restorings: this.#restorings,
      createTarget: (session) => this.owners.createTarget(session),
      sharedWorkers: (contextId) => this.sharedWorkers.in(contextId),
    };
  }

  /**
   * Returns the stored parts. Parts that cannot be read are reported as lost, and the session goes on from the role's
   * login.
   */
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

/** The options of a session without a client. */
const NOBODYS = { key: "", shared: undefined, stored: undefined, record: undefined, rested: false };

/** Flushes a session's storage. Frozen pages are resumed for that, if they hold data that only they can report. */
async function flush({ context: { kept }, rest }: Session): Promise<void> {
  const using = new AbortController();
  if (kept.waitsForStillPages) await rest.use(using.signal);
  try {
    await kept.flush();
  } finally {
    using.abort();
  }
}
