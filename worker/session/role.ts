// A role: its Chrome, its login, its sessions, its failures.
import { fail, isTroupeError } from "../../proto/errors.ts";
import type { RoleConfig, SessionRecord, StartResponse, StoragePart } from "../../proto/gen/troupe.ts";
import type { Chrome } from "../chrome/launch.ts";
import type { RolePolicy } from "../policy/role-policy.ts";
import { NOT_LISTED } from "../policy/wall.ts";
import { bundlePageScripts, type PageScripts } from "../tab/bridge-bundle.ts";
import { withinTime } from "../tab/frame-time.ts";
import { isGone } from "../tab/gone.ts";
import type { AuthCheck } from "./auth-check.ts";
import { watchPulse } from "./browser-pulse.ts";
import type { Context } from "./context.ts";
import { FailureLog, type Recorded } from "./failure-log.ts";
import { largestTab } from "./largest-tab.ts";
import { isFresher, type Login, readLogin } from "./login.ts";
import { PageOwners } from "./page-owners.ts";
import { Preparation } from "./preparation.ts";
import { Restorings } from "./restorings.ts";
import { launch, policyOf } from "./role-browser.ts";
import { Session, type SessionOptions } from "./session.ts";
import { Spare, type Tells } from "./spare.ts";
import { type StoredParts, storedParts } from "./storage-parts.ts";

/** What sessions have stored last is told before the role ends, if that takes no longer. */
const LAST_TOLD_MS_MAX = 1_000;

/** What a role tells of itself while it runs. */
export interface RoleEvents {
  session(record: SessionRecord): void;
  /** `key`: a session's; empty for what sessions share. */
  storage(key: string, parts: StoragePart[]): void;
  failure(recorded: Recorded): void;
  /** A session waits for whoever comes next. */
  prepared(): void;
  /** `hung`: it is still there. */
  browserGone(reason: string, hung: boolean): void;
}

/** A running role. */
export class Role {
  readonly config: RoleConfig;
  readonly failures: FailureLog;
  /** What it may reach. */
  readonly policy: RolePolicy;
  readonly #chrome: Chrome;
  readonly #scripts: PageScripts;
  #login: Login | undefined;
  readonly #events: RoleEvents;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #open = new Set<Session>();
  readonly #toRestore: Map<string, SessionRecord>;
  /** What sessions had stored when their worker died, until they are opened. */
  readonly #stored = new Map<string, StoragePart[]>();
  #shared: Promise<Context> | undefined;
  /** Has a session ready for whoever comes next. */
  #preparation: Preparation<Session> | undefined;
  readonly #owners: PageOwners;
  readonly #restorings = new Restorings();
  #closing = false;
  #isHung = false;
  #pulse: Disposable | undefined;

  /**
   * Starts the role. Throws AUTHENTICATION_FAILED where the login is required and cannot be loaded, and
   * WORKER_UNAVAILABLE, with what to mend, where the browser cannot be started.
   */
  static async start(
    config: RoleConfig,
    sessions: readonly SessionRecord[],
    events: RoleEvents,
  ): Promise<Role> {
    const failures = new FailureLog((recorded) => events.failure(recorded));
    const login = await readLogin(config, failures);
    // The decision point: without its login, a role that requires it is no role.
    if (failures.authError && config.authRequired) {
      const { error, authPath } = failures.authError;
      throw fail("AUTHENTICATION_FAILED", { role: config.name, authPath, reason: error });
    }
    const policy = await policyOf(config);
    try {
      // Chrome's start takes longest; the rest goes on beside it.
      const [chrome, scripts] = await Promise.all([launch(config, policy.proxyAddress), bundlePageScripts()]);
      const role = new Role({ config, failures, policy, chrome, scripts, login, sessions, events });
      await role.#watch();
      role.#prepareSessions();
      return role;
    } catch (error) {
      policy.close();
      throw error;
    }
  }

  private constructor(parts: {
    config: RoleConfig;
    failures: FailureLog;
    policy: RolePolicy;
    chrome: Chrome;
    scripts: PageScripts;
    login: Login | undefined;
    sessions: readonly SessionRecord[];
    events: RoleEvents;
  }) {
    this.config = parts.config;
    this.failures = parts.failures;
    this.policy = parts.policy;
    this.#chrome = parts.chrome;
    this.#scripts = parts.scripts;
    this.#login = parts.login;
    this.#events = parts.events;
    this.#toRestore = new Map(parts.sessions.map((record) => [record.key, record]));
    const { chrome, failures } = parts;
    const areShared = parts.config.isolation === "role";
    this.#owners = new PageOwners({ chrome, failures, sessions: this.#open, areShared });
  }

  /** Whether the browser lives: what breaks off when it dies, breaks off because of that. */
  get isAlive(): boolean {
    return this.#chrome.browser.connected && !this.#isHung;
  }

  /** How an expired login is noticed; undefined for a role without a login, or that is not told. */
  get authCheck(): AuthCheck | undefined {
    const { authFile, authCheck } = this.config;
    return authFile && authCheck ? authCheck : undefined;
  }

  /** The login's file as the configuration writes it. */
  get authPath(): string {
    return this.config.authFileShown || this.config.authFile;
  }

  /** What the daemon wants to know of a role that has started. */
  describe(): StartResponse {
    const { pid, version, source, sandbox, profileDir } = this.#chrome;
    const { loginState: login } = this;
    return { browserPid: pid, browserVersion: version, browserSource: source, sandbox, login, profileDir };
  }

  get loginState(): string {
    if (!this.config.authFile) return "no login";
    return this.#login ? "logged in" : "unauthenticated";
  }

  /** The login's file has changed: sessions that begin later have what it holds now. A file that cannot be read changes nothing. */
  async reloadLogin(): Promise<void> {
    await this.#readLoginAgain();
  }

  /** Closes the tab whose page holds the most memory; tells its address. */
  async closeLargestTab(reason: string): Promise<string> {
    const found = await largestTab([...this.#open]);
    if (!found) return "";
    const { session, tab } = found;
    const { url } = tab;
    this.failures.incident("too-much-memory", `The tab ${tab.id} (${url}) was closed: ${reason}`, tab);
    await session.discard(tab);
    return url;
  }

  /** A call is under way until the signal aborts. */
  callBegan(signal: AbortSignal): void {
    this.#preparation?.callBegan(signal);
  }

  /** The session of that key, opened when it is first asked for. */
  async session(key: string): Promise<Session> {
    const known = this.#sessions.get(key);
    if (known) return await known;
    const opening = this.#openSession(key);
    this.#sessions.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      this.#sessions.delete(key);
      throw error;
    }
  }

  /** What a session had stored in a worker that died, before it is opened. `key`: empty for what sessions share. */
  restoreStorage(key: string, parts: StoragePart[]): void {
    if (!this.#sessions.has(key)) this.#stored.set(key, parts);
  }

  /** Ends a session; one that there is not has ended. */
  async endSession(key: string): Promise<void> {
    const session = await this.#sessions.get(key);
    this.#sessions.delete(key);
    this.#toRestore.delete(key);
    this.#stored.delete(key);
    if (!session) return;
    this.#open.delete(session);
    await session.close();
  }

  /** Ends the role with its Chrome. */
  async close(): Promise<void> {
    await this.#tellLast();
    this.#closing = true;
    this.#pulse?.[Symbol.dispose]();
    this.#preparation?.close();
    for (const session of this.#open) for (const tab of session.tabs) tab.closed();
    await this.#chrome.close();
    this.policy.close();
  }

  async #openSession(key: string): Promise<Session> {
    const record = this.#toRestore.get(key);
    this.#toRestore.delete(key);
    const stored = this.#takeStored(key);
    // One that has been before goes on from what it had.
    const prepared = record || stored ? undefined : this.#preparation?.take(key);
    if (prepared) return prepared;
    const session = await Session.open({
      ...this.#sessionParts(),
      ...this.#tells,
      key,
      shared: this.config.isolation === "role" ? await this.#sharedContext() : undefined,
      stored,
      record,
    });
    this.#open.add(session);
    return session;
  }

  #prepareSessions(): void {
    if (!this.config.prepare || this.config.isolation === "role") return;
    this.#preparation = new Preparation({
      begin: () =>
        new Spare({
          open: (tells) => this.#openNobodys(tells),
          end: async (session) => {
            this.#open.delete(session);
            await session.close();
          },
          tells: this.#tells,
        }),
      ready: () => this.#events.prepared(),
      // A login that is missing has been said to be.
      failed: (error) =>
        isGone(error) || isTroupeError(error) || this.failures.cleanup("prepare-session", error),
    });
  }

  async #openNobodys(tells: Tells): Promise<Session> {
    const session = await Session.open({
      ...this.#sessionParts(),
      ...tells,
      key: "",
      shared: undefined,
      stored: undefined,
      record: undefined,
    });
    this.#open.add(session);
    return session;
  }

  /** What is told when the role is being closed is not so: tabs that close with it are what it is restored with. */
  get #tells(): Tells {
    return {
      changed: (record) => {
        if (!this.#closing) this.#events.session(record);
      },
      storageChanged: (key, parts) => {
        if (!this.#closing) this.#events.storage(key, parts);
      },
    };
  }

  /** What is the same for all sessions. */
  #sessionParts(): Omit<SessionOptions, keyof Tells | "key" | "shared" | "stored" | "record"> {
    return {
      startUrl: this.config.startUrl,
      freezeAfterMs: this.config.freezeAfterMs,
      browser: this.#chrome.session,
      bridge: this.#scripts.bridge,
      storageScript: this.#scripts.storage,
      failures: this.failures,
      wall: this.policy,
      login: this.#login,
      loginNow: () => this.#readLoginAgain(),
      restorings: this.#restorings,
      createTarget: (session) => this.#owners.createTarget(session),
    };
  }

  /** Sessions that begin later have the newer login too. */
  async #readLoginAgain(): Promise<Login | undefined> {
    const login = await readLogin(this.config, this.failures);
    if (!login) return undefined;
    const isOther = isFresher(login, this.#login);
    this.#login = login;
    if (isOther) this.#preparation?.renew();
    return login;
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
    const owner = await Session.open({
      ...this.#sessionParts(),
      ...this.#tells,
      changed: () => undefined,
      key: "",
      shared: undefined,
      stored: this.#takeStored(""),
      record: undefined,
    });
    this.#open.add(owner);
    try {
      await owner.openTab();
      return owner.context;
    } catch (error) {
      this.#open.delete(owner);
      await owner.close();
      throw error;
    }
  }

  /** Parts that cannot be read are said to be lost; the session goes on from the role's login. */
  #takeStored(key: string): StoredParts | undefined {
    const parts = this.#stored.get(key);
    this.#stored.delete(key);
    if (!parts) return undefined;
    try {
      return storedParts(parts);
    } catch (error) {
      this.failures.incident("storage-not-restored", `A session's storage: ${(error as Error).name}`);
      return undefined;
    }
  }

  async #tellLast(): Promise<void> {
    const told = Promise.all([...this.#open].map(({ context }) => context.kept.flush()));
    try {
      await withinTime(() => told, LAST_TOLD_MS_MAX);
    } catch (error) {
      this.failures.cleanup("tell-storage", error as Error);
    }
  }

  /** Every page that Chrome opens waits until its session has set it up: nothing of it is missed. */
  async #watch(): Promise<void> {
    const { session, browser } = this.#chrome;
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) =>
      this.#owners.attached(sessionId, targetInfo),
    );
    session.on("Target.targetDestroyed", ({ targetId }) => this.#destroyed(targetId));
    browser.once("disconnected", () => this.#browserGone("the browser's process ended"));
    this.#pulse = watchPulse(session, this.#chrome.pid, (reason) => {
      this.#isHung = true;
      // With it go its pages' processes; it would not end when told to.
      this.#chrome.browser.process()?.kill("SIGKILL");
      this.#browserGone(reason);
    });
    // Before there is a page that could ask for anything.
    await this.policy.guardDocuments(session, (document) => this.#documentRefused(document));
    await session.send("Target.setDiscoverTargets", { discover: true, filter: [{ type: "page" }] });
    await session.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: "page" }],
    });
  }

  #documentRefused({ frameId, url }: { frameId: string; url: string }): void {
    for (const { tabs } of this.#open)
      for (const tab of tabs) {
        if (tab.targetId === frameId) tab.refused({ url, reason: NOT_LISTED });
        else if (tab.frames.numberOf(frameId) !== undefined) this.failures.requestBlocked(tab, url);
      }
  }

  #destroyed(targetId: string): void {
    for (const session of this.#open) session.lost(targetId);
  }

  #browserGone(reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.failures.incident(this.#isHung ? "browser-hung" : "browser-crashed", reason);
    const error = fail("BROWSER_CRASHED", { role: this.config.name, reason, effect: "unknown" });
    for (const session of this.#open) for (const tab of session.tabs) tab.closed(error);
    this.#events.browserGone(reason, this.#isHung);
  }
}
