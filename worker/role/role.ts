// A role owns its Chrome, its login, its sessions and its failures.
import { fail } from "../../proto/errors/catalogue.ts";
import type {
  CloseLargestTabRequest,
  RoleConfig,
  SessionRecord,
  StartResponse,
} from "../../proto/gen/troupe.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import type { Chrome } from "../chrome/launch.ts";
import { FailureLog, type Recorded } from "../failures/failure-log.ts";
import type { RolePolicy } from "../policy/role-policy.ts";
import { NOT_LISTED } from "../policy/wall.ts";
import { tabToClose } from "../session/tab-to-close.ts";
import type { AuthCheck } from "../session-login/auth-check.ts";
import { noteExpiry, readLogin } from "../storage/role-login.ts";
import { pageScripts } from "../tab/bridge-bundle.ts";
import { watchPulse } from "./browser-pulse.ts";
import { launch, policyOf } from "./role-browser.ts";
import { RoleSessions, type RoleSessionsParts, type SessionEvents } from "./role-sessions.ts";

const SHARED_WORKER = "shared_worker";

/** The events that a role reports while it runs. */
export interface RoleEvents extends SessionEvents {
  failure(recorded: Recorded): void;
  /** `login`: the login's present state. */
  loginChanged(login: string): void;
  /** `hung`: the browser still exists. */
  browserGone(reason: string, hung: boolean): void;
}

/** A running role. */
export class Role {
  readonly config: RoleConfig;
  readonly failures: FailureLog;
  /** The rules on where the role may go. */
  readonly policy: RolePolicy;
  readonly sessions: RoleSessions;
  readonly #chrome: Chrome;
  readonly #events: RoleEvents;
  #closing = false;
  #isHung = false;
  #pulse: Disposable | undefined;

  /**
   * Starts the role. Throws AUTHENTICATION_FAILED if the login is required and cannot be loaded. Throws
   * WORKER_UNAVAILABLE, with a remedy, if the browser cannot be started.
   */
  static async start(
    config: RoleConfig,
    records: readonly SessionRecord[],
    events: RoleEvents,
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
      const [chrome, scripts] = await Promise.all([launch(config, policy.proxyAddress), pageScripts()]);
      if (chrome.sandbox.startsWith("off"))
        failures.incident("no-sandbox", `The browser's sandbox is ${chrome.sandbox}`);
      const role = new Role({ config, failures, policy, chrome, scripts, login, records, events });
      await role.#watch();
      role.sessions.prepareAhead();
      return role;
    } catch (error) {
      policy.close();
      throw error;
    }
  }

  private constructor(
    parts: Omit<RoleSessionsParts, "wall" | "events"> & { policy: RolePolicy; events: RoleEvents },
  ) {
    const { config, failures, policy, chrome, events } = parts;
    this.config = config;
    this.failures = failures;
    this.policy = policy;
    this.#chrome = chrome;
    this.#events = events;
    this.sessions = new RoleSessions({ ...parts, wall: policy });
    failures.onLogin = () => events.loginChanged(this.loginState);
  }

  /** Is true while the browser lives. A call that fails after its death fails because of that. */
  get isAlive(): boolean {
    return this.#chrome.browser.connected && !this.#isHung;
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
    const { pid, version, source, sandbox, profileDir } = this.#chrome;
    const { loginState: login } = this;
    return { browserPid: pid, browserVersion: version, browserSource: source, sandbox, login, profileDir };
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
    this.#pulse?.[Symbol.dispose]();
    this.sessions.over();
    await this.#chrome.close();
    this.policy.close();
  }

  /**
   * Watches the browser. Every page that Chrome opens waits until its session has set it up, so that no event is
   * missed.
   */
  async #watch(): Promise<void> {
    const { session, browser } = this.#chrome;
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) =>
      this.sessions.owners.attached(sessionId, targetInfo),
    );
    session.on("Target.targetCreated", ({ targetInfo }) => {
      if (targetInfo.type === SHARED_WORKER) this.sessions.sharedWorkers.appeared(targetInfo);
    });
    session.on("Target.targetDestroyed", ({ targetId }) => this.#destroyed(targetId));
    browser.once("disconnected", () => this.#browserGone("the browser's process ended"));
    this.#pulse = watchPulse(session, this.#chrome.pid, (reason) => {
      this.#isHung = true;
      // A hung browser would not end on request. Its pages' processes die with it.
      this.#chrome.browser.process()?.kill("SIGKILL");
      this.#browserGone(reason);
    });
    // The guard starts before any page exists that could send a request.
    await this.policy.guardDocuments(session, (document) => this.#documentBlocked(document));
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

  #documentBlocked({ frameId, url }: { frameId: string; url: string }): void {
    for (const { tabs } of this.sessions.open)
      for (const tab of tabs.open) {
        if (tab.targetId === frameId) tab.blocked({ url, reason: NOT_LISTED });
        else if (tab.frames.numberOf(frameId) !== undefined) this.failures.requestBlocked(tab, url);
      }
  }

  #destroyed(targetId: string): void {
    for (const session of this.sessions.open) session.lost(targetId);
  }

  #browserGone(reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.failures.incident(this.#isHung ? "browser-hung" : "browser-crashed", reason);
    const error = fail("BROWSER_CRASHED", { role: this.config.name, reason, effect: "unknown" });
    this.sessions.over(error);
    this.#events.browserGone(reason, this.#isHung);
  }
}
