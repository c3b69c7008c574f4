// A role owns its Chrome, its login, its sessions and its failures.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type {
  CloseLargestTabRequest,
  RoleConfig,
  SessionRecord,
  StartResponse,
} from "../../proto/gen/troupe.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import type { ApprovalEvents } from "../approvals/approvals.ts";
import type { Chrome } from "../chrome/chrome.ts";
import { LOST } from "../chrome/not-connected.ts";
import { FailureLog, type Recorded } from "../failures/failure-log.ts";
import { FileFolder } from "../files/file-folder.ts";
import type { BlockedDocument, RolePolicy } from "../policy/role-policy.ts";
import type { RoleSecrets } from "../secrets/role-secrets.ts";
import type { PageWatch } from "../session/session.ts";
import { tabToClose } from "../session/tab-to-close.ts";
import type { AuthCheck } from "../session-login/auth-check.ts";
import { noteExpiry, readLogin } from "../storage/role-login.ts";
import { pageScripts } from "../tab/bridge-bundle.ts";
import { Interception } from "../tab/interception.ts";
import { watchPulse } from "./browser-pulse.ts";
import { closeLeft, isInOwnContext } from "./personal-tabs.ts";
import { ReadOnlyGuard } from "./read-only-guard.ts";
import { RequestOwners } from "./request-owners.ts";
import { RoleApprovals } from "./role-approvals.ts";
import { openBrowser, policyOf, setUp } from "./role-browser.ts";
import { followDownloads } from "./role-downloads.ts";
import { RoleSessions, type RoleSessionsParts, type SessionEvents } from "./role-sessions.ts";

const SHARED_WORKER = "shared_worker";

/** The events that a role reports while it runs. */
export interface RoleEvents extends SessionEvents {
  failure(recorded: Recorded): void;
  /** `login`: the login's present state. */
  loginChanged(login: string): void;
  approvals: ApprovalEvents;
  /** A browser that the worker is to be attached to seems to ask a person first. */
  asking(): void;
  /** `isHung`: the browser still exists. `isAttached`: the worker has not started it. */
  browserGone(end: { reason: string; isHung: boolean; isAttached: boolean }): void;
}

/** A running role. */
export class Role {
  readonly config: RoleConfig;
  readonly failures: FailureLog;
  readonly secrets: RoleSecrets;
  /** The rules on where the role may go. */
  readonly policy: RolePolicy;
  /** The actions that wait for a person. */
  readonly approvals: RoleApprovals;
  readonly sessions: RoleSessions;
  readonly #chrome: Chrome;
  readonly #fileFolder: FileFolder;
  readonly #events: RoleEvents;
  #closing = false;
  #isHung = false;
  #pulse: Disposable | undefined;
  readonly #readOnly: ReadOnlyGuard;

  /**
   * Starts the role. Throws AUTHENTICATION_FAILED if the login is required and cannot be loaded. Throws
   * WORKER_UNAVAILABLE, with a remedy, if the browser cannot be started.
   */
  static async start(
    config: RoleConfig,
    records: readonly SessionRecord[],
    events: RoleEvents,
    secrets: RoleSecrets,
  ): Promise<Role> {
    const failures = new FailureLog((recorded) => events.failure(recorded));
    const login = await readLogin(config, failures);
    // A role that requires its login must not start without it.
    if (failures.authError && config.authRequired) {
      const { error, authPath } = failures.authError;
      throw fail("AUTHENTICATION_FAILED", { role: config.name, authPath, reason: error });
    }
    if (login) noteExpiry(login, failures);
    const policy = await policyOf(config);
    try {
      // Chrome's start takes longest, so the rest happens beside it.
      const opening = openBrowser(config, policy.proxyAddress, () => events.asking());
      const [chrome, scripts] = await Promise.all([opening, pageScripts()]);
      if (chrome.sandbox.startsWith("off"))
        failures.incident("no-sandbox", `The browser's sandbox is ${chrome.sandbox}`);
      const fileFolder = await FileFolder.open(chrome.user);
      const made = { config, failures, policy, chrome, scripts, fileFolder, login, records, events, secrets };
      const role = new Role(made);
      await setUp(config, chrome, async () => {
        await role.#watch();
        await closeLeft(chrome, records);
      });
      role.sessions.prepareAhead();
      return role;
    } catch (error) {
      policy.close();
      throw error;
    }
  }

  private constructor(
    parts: Omit<RoleSessionsParts, "wall" | "pageWatch" | "ended" | "proxy" | "events"> & {
      policy: RolePolicy;
      events: RoleEvents;
    },
  ) {
    const { config, failures, policy, chrome, fileFolder, events, secrets } = parts;
    this.config = config;
    this.secrets = secrets;
    this.failures = failures;
    this.policy = policy;
    this.#chrome = chrome;
    this.#fileFolder = fileFolder;
    this.#events = events;
    this.approvals = new RoleApprovals(config, events.approvals);
    this.#readOnly = new ReadOnlyGuard(config.readOnly, (tab, { url, isMain, reason }) => {
      if (isMain) tab.blocked({ url, reason });
      else failures.requestBlocked(tab, url);
    });
    this.sessions = new RoleSessions({
      ...parts,
      wall: policy,
      pageWatch: this.#pageWatch,
      ended: (session) => this.approvals.sessionOver(session),
      proxy: policy.proxyAddress,
    });
    failures.onLogin = () => events.loginChanged(this.loginState);
  }

  /** Returns the error of a call whose browser is gone. */
  endOfBrowser(reason: string, cause?: unknown): TroupeError {
    const { name: role } = this.config;
    const { endpoint } = this.#chrome;
    return endpoint === undefined
      ? fail("BROWSER_CRASHED", { role, reason, effect: "unknown" }, cause)
      : fail("CHROME_NOT_CONNECTED", { role, endpoint, reason: LOST, effect: "unknown" }, cause);
  }

  /** Is true while the browser lives. A call that fails after its death fails because of that. */
  get isAlive(): boolean {
    return this.#chrome.isConnected && !this.#isHung;
  }

  /** Says how to notice an expired login. Undefined for a role without a login, or without `authCheck`. */
  get authCheck(): AuthCheck | undefined {
    const { authFile, authCheck } = this.config;
    return authFile && authCheck ? authCheck : undefined;
  }

  /** Returns the login file as the configuration writes it. */
  get authPath(): string {
    return this.config.authFileShown || this.config.authFile;
  }

  /** Describes a started role for the daemon. */
  describe(): StartResponse {
    const { pid, version, source, builtMs, sandbox, profileDir, endpoint = "" } = this.#chrome;
    return {
      browserPid: pid,
      browserVersion: version,
      browserSource: source,
      browserEndpoint: endpoint,
      browserBuilt: builtMs === undefined ? null : { seconds: Math.floor(builtMs / 1000), nanos: 0 },
      sandbox,
      login: this.loginState,
      profileDir,
    };
  }

  get loginState(): string {
    if (!this.config.authFile) return "no login";
    if (!this.sessions.haveLogin) return "unauthenticated";
    return this.failures.isLoginExpired ? "expired" : "logged in";
  }

  /**
   * Closes the tab that frees much memory at the least cost, and resolves to its address. Its session's next call on
   * the tab reports that.
   */
  async closeLargestTab({ reason, sparing }: CloseLargestTabRequest): Promise<string> {
    const found = await tabToClose(this.sessions.open, sparing);
    if (!found) return "";
    const { session, tab } = found;
    const { url } = tab;
    this.failures.incident(
      "too-much-memory",
      `The tab ${tab.id} (${redactedAddress(url)}) was closed: ${reason}`,
      tab,
    );
    await session.closePage(tab, "TAB_CLOSED");
    return url;
  }

  /** Ends the role with its Chrome. */
  async close(): Promise<void> {
    await this.sessions.reportLast();
    this.#closing = true;
    await this.sessions.leave();
    this.#pulse?.[Symbol.dispose]();
    this.sessions.over();
    await this.#chrome.close();
    await this.#fileFolder.close();
    this.policy.close();
  }

  /**
   * Watches the browser. Every page that Chrome opens waits until its session has set it up, so that no event is
   * missed.
   */
  async #watch(): Promise<void> {
    const { session } = this.#chrome;
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) =>
      this.sessions.owners.attached(sessionId, targetInfo),
    );
    session.on("Target.targetCreated", ({ targetInfo }) => {
      if (targetInfo.type !== SHARED_WORKER) return;
      if (isInOwnContext(targetInfo, this.#chrome, this.sessions.open))
        this.sessions.sharedWorkers.appeared(targetInfo);
    });
    const downloads = followDownloads(session, () => this.sessions.open, this.approvals.ofDownloads);
    session.on("Target.targetDestroyed", ({ targetId }) => {
      downloads.closes(targetId);
      this.#destroyed(targetId);
    });
    this.#chrome.onGone((reason) => this.#browserGone(reason));
    const isUsed = () => this.sessions.open.some(({ turns }) => turns.areTaken);
    this.#pulse = watchPulse(session, this.#chrome.pid, isUsed, (reason) => {
      this.#isHung = true;
      this.#chrome.giveUp();
      this.#browserGone(reason);
    });
    // The guard starts before any page exists that could send a request.
    const interception = new Interception(session);
    const owners = new RequestOwners(session, () => this.sessions.open);
    await this.approvals.begin(interception, this.#chrome, owners);
    await this.#readOnly.begin(interception, owners);
    await this.policy.guardDocuments(interception, this.#chrome, (document) =>
      this.#documentBlocked(document),
    );
    await session.send("Target.setDiscoverTargets", {
      discover: true,
      filter: [{ type: "page" }, { type: SHARED_WORKER }],
    });
    await session.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: "page" }],
    });
  }

  get #pageWatch(): PageWatch {
    return {
      waiting: (session) => this.approvals.of(session),
      follow: (client) => {
        this.approvals.follow(client);
        return this.#readOnly.follow(client);
      },
    };
  }

  #documentBlocked({ frameId, url, reason }: BlockedDocument): void {
    for (const { tabs } of this.sessions.open)
      for (const tab of tabs.open) {
        if (tab.targetId === frameId) tab.blocked({ url, reason });
        else if (tab.frames.numberOf(frameId) !== undefined) this.failures.requestBlocked(tab, url);
      }
  }

  #destroyed(targetId: string): void {
    for (const session of this.sessions.open) session.lost(targetId);
  }

  #browserGone(reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    const isAttached = this.#chrome.endpoint !== undefined;
    if (isAttached) this.failures.incident("browser-disconnected", reason);
    else this.failures.incident(this.#isHung ? "browser-hung" : "browser-crashed", reason);
    this.sessions.over(this.endOfBrowser(reason));
    this.#events.browserGone({ reason, isHung: this.#isHung, isAttached });
  }
}
