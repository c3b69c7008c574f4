// A program's client of a daemon: its sessions, the control plane and the daemon's events.
import type {
  Call,
  ControlMethods,
  DrainResponse,
  FailureLog,
  GetStatusResponse,
  Input,
  ReloadConfigResponse,
  Role,
  Session as SessionState,
  WatchEventsResponse,
} from "../../proto/gen/troupe.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { SNAPSHOT_TOKENS } from "../../proto/tools/read-tools.ts";
import { callError } from "../connection/call-error.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import { lastingStream } from "../connection/lasting-stream.ts";
import { ownAccess } from "../files/shared-folders.ts";
import { NamedSessions } from "../session/named-sessions.ts";
import { newSessionId } from "../session/session-id.ts";
import { type ControlRpc, callControl, watchControl } from "./control.ts";
import { checkSettings, type SessionSettings } from "./session-settings.ts";
import type { CallOptions } from "./tool-methods.ts";
import { type TroupeSession, typedSession } from "./typed-session.ts";

/** Closing it closes all that it opened. Every call fails with a TroupeError. */
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
   * Makes a further session with its own tabs, pages and refs. Settings that are missing are those of `connect`. Throws
   * a TroupeError: INVALID_ARGUMENT.
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
      record,
      session: id,
    } = { ...this.#settings, session: undefined, ...settings };
    const session = new NamedSessions({
      link: this.#link,
      id: id ?? newSessionId("sdk"),
      own: id === undefined,
      newReader: true,
      program: PROGRAM,
      files: ownAccess(undefined, process.cwd(), { isForModel: false }),
      role,
      profile,
      maxTokens: maxTokens ?? SNAPSHOT_TOKENS[profile],
      record,
    });
    const typed = typedSession(session, this.#closing.signal, () => this.#sessions.delete(typed));
    this.#sessions.add(typed);
    return typed;
  }

  /** Returns the daemon's version, addresses and state. */
  status(options?: CallOptions): Promise<GetStatusResponse> {
    return this.#ask("GetStatus", {}, options);
  }

  /** Returns all roles with their workers, in the configuration's order. */
  async roles(options?: CallOptions): Promise<Role[]> {
    return (await this.#ask("ListRoles", {}, options)).roles;
  }

  /** Ends a role's worker and starts a new one. Sessions are restored. */
  async restart(role: string, options?: CallOptions): Promise<Role | null> {
    return (await this.#ask("RestartRole", { name: role }, options)).role;
  }

  /** Returns the sessions, oldest first. */
  async sessions(filter: { role?: string } = {}, options?: CallOptions): Promise<SessionState[]> {
    return (await this.#ask("ListSessions", filter, options)).sessions;
  }

  /** Returns the newest calls, newest last: tool, outcome and duration, never arguments. */
  async calls(
    filter: { session?: string; role?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<Call[]> {
    return (await this.#ask("ListCalls", filter, options)).calls;
  }

  /** Returns a role's failures. */
  async failures(role: string, options?: CallOptions): Promise<FailureLog | null> {
    return (await this.#ask("GetFailures", { role }, options)).failures;
  }

  /** Clears a role's failures. */
  async clearFailures(role: string, options?: CallOptions): Promise<void> {
    await this.#ask("ClearFailures", { role }, options);
  }

  /** Makes the daemon read its configuration again. A wrong one changes nothing: its problems are in the reply. */
  reload(options?: CallOptions): Promise<ReloadConfigResponse> {
    return this.#ask("ReloadConfig", {}, options);
  }

  /** Lets the daemon finish its calls and end. */
  drain(options?: CallOptions): Promise<DrainResponse> {
    return this.#ask("Drain", {}, options);
  }

  /**
   * Streams the daemon's events until this client is closed, also over the daemon's restarts. Events are states of
   * roles, failed calls, sessions and episodes.
   */
  async *events(
    { signal: inFilter, ...filter }: { role?: string } & CallOptions = {},
    // A signal counts in either argument. In the filter it would otherwise be ignored in silence.
    { signal = inFilter }: CallOptions = {},
  ): AsyncGenerator<WatchEventsResponse, void> {
    const events = lastingStream(
      (over, again) => watchControl(this.#link, this.session.id, filter, !again, over),
      { signal, closed: this.#closing.signal },
    );
    for await (const event of events) if (!event.heartbeat) yield event;
  }

  /** Ends calls under way, the sessions whose ids this client made up, and the connection. */
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

const PROGRAM = { name: `troupe-sdk/${VERSION}` };
/** This failure is not a tool's call, so its plan is in words. */
const CALL = { tool: "newSession", arguments: {}, profile: "debug", role: "", tab: "" } as const;
