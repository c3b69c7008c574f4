// A program's client of a daemon: its sessions, the control plane, and what happens in the daemon.
import type {
  Call,
  ControlMethods,
  DrainResponse,
  FailureLog,
  GetStatusResponse,
  Input,
  Role,
  Session as SessionState,
  WatchEventsResponse,
} from "../../proto/gen/troupe.ts";
import { SNAPSHOT_TOKENS } from "../../proto/tools/catalogue.ts";
import { callError } from "../connection/call-error.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import { lastingStream } from "../connection/lasting-stream.ts";
import { Session } from "../session/session.ts";
import { newSessionId } from "../session/session-id.ts";
import { type ControlRpc, callControl, watchControl } from "./control.ts";
import { checkSettings, type SessionSettings } from "./session-settings.ts";
import type { CallOptions } from "./tool-methods.ts";
import { type TroupeSession, typedSession } from "./typed-session.ts";

/** Closed with all that it opened. Every call fails with a TroupeError. */
export class TroupeClient implements AsyncDisposable {
  /** The session that `connect` was asked for. */
  readonly session: TroupeSession;
  readonly #link: DaemonLink;
  readonly #settings: SessionSettings;
  readonly #sessions = new Set<TroupeSession>();
  readonly #closing = new AbortController();

  constructor(link: DaemonLink, settings: SessionSettings) {
    this.#link = link;
    this.#settings = settings;
    this.session = this.newSession(settings);
  }

  /**
   * A session beside the first: tabs, pages and refs of its own. What is not said is as `connect` was told. Throws a
   * TroupeError: INVALID_ARGUMENT.
   */
  newSession(settings: SessionSettings = {}): TroupeSession {
    try {
      checkSettings(settings);
    } catch (caught) {
      throw callError(caught, { ...CALL, session: settings.session ?? "" }, "newSession");
    }
    const {
      role,
      profile = "core",
      maxTokens,
      session: id,
    } = { ...this.#settings, session: undefined, ...settings };
    const session = new Session({
      link: this.#link,
      id: id ?? newSessionId("sdk"),
      own: id === undefined,
      newReader: true,
      role,
      profile,
      maxTokens: maxTokens ?? SNAPSHOT_TOKENS[profile],
    });
    const typed = typedSession(session, this.#closing.signal, () => this.#sessions.delete(typed));
    this.#sessions.add(typed);
    return typed;
  }

  /** The daemon's version, addresses and state. */
  status(options?: CallOptions): Promise<GetStatusResponse> {
    return this.#ask("GetStatus", {}, options);
  }

  /** All roles with their workers, in the order of the configuration. */
  async roles(options?: CallOptions): Promise<Role[]> {
    return (await this.#ask("ListRoles", {}, options)).roles;
  }

  /** Ends a role's worker and starts a new one; sessions are restored. */
  async restart(role: string, options?: CallOptions): Promise<Role | null> {
    return (await this.#ask("RestartRole", { name: role }, options)).role;
  }

  /** The sessions, oldest first. */
  async sessions(filter: { role?: string } = {}, options?: CallOptions): Promise<SessionState[]> {
    return (await this.#ask("ListSessions", filter, options)).sessions;
  }

  /** The newest calls, newest last: tool, outcome, duration; never their arguments. */
  async calls(
    filter: { session?: string; role?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<Call[]> {
    return (await this.#ask("ListCalls", filter, options)).calls;
  }

  /** What went wrong in a role. */
  async failures(role: string, options?: CallOptions): Promise<FailureLog | null> {
    return (await this.#ask("GetFailures", { role }, options)).failures;
  }

  /** Forgets what went wrong in a role. */
  async clearFailures(role: string, options?: CallOptions): Promise<void> {
    await this.#ask("ClearFailures", { role }, options);
  }

  /** Lets the daemon finish its calls and end. */
  drain(options?: CallOptions): Promise<DrainResponse> {
    return this.#ask("Drain", {}, options);
  }

  /** What happens, until this client is closed, also over the daemon's restarts: states of roles, failed calls, sessions, episodes. */
  async *events(
    { signal: inFilter, ...filter }: { role?: string } & CallOptions = {},
    // Given in either place it counts: in a filter it would otherwise be ignored in silence.
    { signal = inFilter }: CallOptions = {},
  ): AsyncGenerator<WatchEventsResponse, void> {
    const events = lastingStream(
      (over, again) => watchControl(this.#link, this.session.id, filter, !again, over),
      { signal, closed: this.#closing.signal },
    );
    for await (const event of events) if (!event.heartbeat) yield event;
  }

  /** Ends what is under way, the sessions that this client made up, and the connection. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all([...this.#sessions].map((session) => session.close()));
    this.#link.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #ask<M extends ControlRpc>(
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
    { signal }: CallOptions = {},
  ): Promise<ControlMethods[M]["response"]> {
    const closed = this.#closing.signal;
    const over = signal ? AbortSignal.any([signal, closed]) : closed;
    return callControl(this.#link, this.session.id, rpc, request, over);
  }
}

/** What fails is no call of a tool, and is told in words. */
const CALL = { tool: "newSession", arguments: {}, profile: "debug", role: "", tab: "" } as const;
