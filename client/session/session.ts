// A client's session: calls of tools by name with JSON arguments, its current role, and what follows a lost daemon.
import { randomUUID } from "node:crypto";
import { plainArguments } from "../../proto/calls/plain-arguments.ts";
import { ROLE_NAME, type ToolCall, toolCall, toolNamed } from "../../proto/calls/tool-call.ts";
import {
  catalogue,
  type ErrorType,
  type FailedCall,
  fail,
  isTroupeError,
  TroupeError,
} from "../../proto/errors/catalogue.ts";
import type { SnapshotUpdate } from "../../proto/gen/troupe.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { OpenFaults } from "../../proto/plans/open-faults.ts";
import { type Profile, rpcs, type Tool } from "../../proto/tools/catalogue.ts";
import * as headers from "../../proto/wire/metadata.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import type { Json, JsonObject } from "../../proto/wire/struct.ts";
import { awaitWithin } from "../connection/await-within.ts";
import { CallError, callError } from "../connection/call-error.ts";
import type { Connection } from "../connection/connection.ts";
import type { DaemonLink } from "../connection/daemon-link.ts";
import { exchange, failureOf } from "./exchange.ts";
import { RefusalReports } from "./refusal-reports.ts";
import { SessionHold } from "./session-hold.ts";

export interface SessionOptions {
  link: DaemonLink;
  id: string;
  profile: Profile;
  /** The current role to begin with; without it, the daemon's first. */
  role?: string;
  /** The budget of replies, for calls that name none. */
  maxTokens?: number;
  /** The reader knows nothing of what the session was told before: its first look at each tab is at the whole. */
  newReader?: boolean;
  /** The session is this process's own: the daemon is to end it soon after this process. */
  own?: boolean;
  /** For each call; default 55 s. */
  deadlineMs?: number;
}

/** What is known of a call beside its request. */
interface Sending {
  role?: string;
  requestId: string;
  /** The life of the session in which its caller asked for it. */
  life: string;
  signal?: AbortSignal;
  /** For everything: a daemon's start, the selecting of a role, a second try. By the steady clock. */
  deadlineAtMs: number;
}

/** Above the daemon's own limit of a call (30 s), below that of an MCP client (60 s). */
const DEADLINE_MS = 55_000;
const DEADLINE_MS_MIN = 100;
const RETRY_AFTER_MS = 1000;
const WATCH = rpcs.find(({ rpc }) => rpc === "Watch") as Tool;
const SNAPSHOT = "browser_snapshot";
/** Their replies show the page, too. */
const PAGE_TOOLS: ReadonlySet<string> = new Set(["browser_navigate", "browser_navigate_back"]);
const FORGOTTEN: ReadonlySet<ErrorType> = new Set(["SESSION_LOST", "SESSION_EXPIRED"]);

export class Session {
  readonly id: string;
  readonly profile: Profile;
  readonly #options: SessionOptions;
  readonly #deadlineMs: number;
  /** Another one after the daemon has said that the session is lost: what was asked for before that is not for the new one. */
  #life = randomUUID();
  /** What select_role last said here. */
  #role: string | undefined;
  /** The role that the last reply to a call without one was in. */
  #roleSeen = "";
  /** Whether the daemon's session knows it. */
  #roleTold = false;
  #used = false;
  /** Roles and tabs whose page this reader was shown: a first snapshot of others shows the whole. */
  readonly #shown = new Set<string>();
  /** Of calls that fail on their way: the daemon knows of the others what was tried. */
  readonly #faults = new OpenFaults();
  readonly #hold: SessionHold | undefined;
  readonly #reports: RefusalReports;
  /** Settles when the next call may leave. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.profile = options.profile;
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#role = options.role;
    this.#reports = new RefusalReports(options.link);
    if (options.own) this.#hold = new SessionHold(options.link, () => this.headers());
  }

  /**
   * Calls a tool with JSON arguments, `role` among them: by its name, as a model does, or one that is at hand, whatever
   * the profile. Throws {@link CallError}.
   */
  async call(named: string | Tool, given: JsonObject, signal?: AbortSignal): Promise<Reply> {
    const args = plainArguments(given);
    const sending = this.#sending(signal);
    const failed = this.#failedCall(typeof named === "string" ? named : named.name, args);
    try {
      const call = this.#understood(named, args, failed, sending);
      const { tool } = call;
      if (tool.name === "select_role") return await this.#inTurn(sending, () => this.#select(call, sending));
      await this.#inTurn(sending, () => this.#beInRole(call, sending));
      const shown = this.#placeShown(call);
      if (shown !== undefined && tool.name === SNAPSHOT && !this.#shown.has(shown))
        call.request.full ??= true;
      const reply = await this.#send(tool, call.request, { ...sending, role: call.role });
      if (call.role === undefined) this.#roleSeen = reply.page?.role || this.#roleSeen;
      if (this.#faults.any) this.#faults.succeeded(failed, performance.now());
      if (shown !== undefined) this.#shown.add(shown);
      return reply;
    } catch (error) {
      // Its plan sends the reader to the page; and a reply that is lost may count as told in the daemon.
      this.#shown.clear();
      throw this.#told(error, failed, sending);
    }
  }

  /** An error of the daemon's as it is; one that was raised here with a plan that was not tried yet. */
  #told(caught: unknown, failed: FailedCall, { requestId }: Sending): CallError {
    const error = callError(caught, failed, requestId);
    if (error === caught) return error;
    const detail = this.#faults.failed(error.detail, failed, performance.now());
    return detail === error.detail ? error : new CallError(detail, caught, this.profile);
  }

  /**
   * What a tab shows, then each change of it, for as long as one connection lasts. `start`: whether a daemon is started
   * where none runs. Throws {@link CallError}.
   */
  async *watch(args: JsonObject, start: boolean, signal: AbortSignal): AsyncGenerator<SnapshotUpdate, void> {
    const sending = this.#sending(signal);
    const failed = this.#failedCall(WATCH.name, args);
    try {
      const call = this.#understood(WATCH, args, failed, sending);
      await this.#inTurn(sending, () => this.#beInRole(call, sending));
      const connection = await this.#awaited(this.#options.link.connection({ start }), sending);
      try {
        const options = { headers: this.#sent(sending, call.role), signal };
        for await (const update of connection.stream("Browser", "Watch", call.request, options)) {
          this.#known(connection, sending);
          yield update;
        }
      } catch (caught) {
        throw this.#judged(caught, connection, sending, this.#deadlineMs).error;
      }
    } catch (error) {
      throw callError(error, failed, sending.requestId);
    }
  }

  /**
   * Ends a session of this process's own in the daemon, where it is known and a connection is open. What was refused last
   * is still reported.
   */
  async close(signal: AbortSignal): Promise<void> {
    await this.#reports.settled(signal);
    this.#hold?.release();
    const connection = this.#options.link.current;
    if (!this.#options.own || !this.#used || !connection) return;
    this.#used = false;
    await connection.call(
      "Control",
      "CloseSession",
      { session: this.id },
      { headers: this.headers(), signal },
    );
  }

  /** What went wrong beside the calls, as an error that tells what to do. */
  errorOf(caught: unknown): CallError {
    return callError(caught, this.#failedCall("", {}), randomUUID());
  }

  /** The metadata that every call of this session has. */
  headers(requestId: string = randomUUID()): Record<string, string> {
    const { maxTokens } = this.#options;
    return {
      [headers.SESSION]: this.id,
      [headers.PROFILE]: this.profile,
      ...(maxTokens !== undefined && { [headers.MAX_TOKENS]: String(maxTokens) }),
      [headers.VERSION_HEADER]: VERSION,
      [headers.REQUEST_ID]: requestId,
    };
  }

  /** The call as it is sent. What is refused here would reach no daemon: it is told of it, beside the answer. */
  #understood(named: string | Tool, args: JsonObject, failed: FailedCall, sending: Sending): ToolCall {
    try {
      const tool = typeof named === "string" ? toolNamed(named, this.profile, args) : named;
      failed.tool = tool.name;
      return toolCall(tool, args, this.#options.maxTokens);
    } catch (caught) {
      const error = this.#told(caught, failed, sending);
      const headers = this.#sent(sending, ROLE_NAME.test(failed.role) ? failed.role : undefined);
      const name = typeof named === "string" ? named : named.name;
      this.#reports.send({ error, name, args, headers }, (connection) => this.#known(connection, sending));
      throw error;
    }
  }

  /** Calls leave in the order in which they came; what comes after a change of role waits for it. */
  #inTurn<T>(sending: Sending, step: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const done = this.#awaited(before, sending).then(step);
    // Whose step fails hears of it; those behind take their turn all the same, also when one before them gave up.
    this.#turn = Promise.allSettled([before, done]);
    return done;
  }

  async #select({ tool, request }: ToolCall, sending: Sending): Promise<Reply> {
    const reply = await this.#send(tool, request, sending);
    this.#role = String(reply.response.role || request.role);
    this.#roleTold = true;
    return reply;
  }

  /** Sees to it that the current role in the daemon is the one meant here, also after it has lost the session. */
  async #beInRole({ tool, role }: ToolCall, sending: Sending): Promise<void> {
    if (role !== undefined || this.#role === undefined || this.#roleTold) return;
    const selecting = toolCall(toolNamed("select_role", this.profile), { role: this.#role });
    try {
      await this.#select(selecting, { ...sending, requestId: randomUUID() });
    } catch (error) {
      const [type, data] = error instanceof CallError ? [error.type, error.details] : dataOf(error);
      if (type === undefined || !(type in catalogue)) throw error;
      // Those that the daemon answers itself tell which roles there are: they help here.
      if (type === "UNKNOWN_ROLE" && tool.answeredByDaemon) return;
      // Raised anew, so that its plan ends with the call that was meant, of which nothing was done yet.
      throw new TroupeError(type, { ...data, ...("effect" in data && { effect: "none" }) } as never, error);
    }
  }

  /** The role and tab of which the reply shows this reader the page; undefined for other calls, and for who reads on. */
  #placeShown({ tool, request, role }: ToolCall): string | undefined {
    const shows = tool.name === SNAPSHOT ? request.ref === undefined : PAGE_TOOLS.has(tool.name);
    return this.#options.newReader && shows
      ? JSON.stringify([role ?? this.#role ?? "", request.tab ?? ""])
      : undefined;
  }

  async #send(tool: Tool, request: Record<string, Json>, sending: Sending): Promise<Reply> {
    const { role, signal, deadlineAtMs } = sending;
    const { link } = this.#options;
    // What only reads is asked once more over a new connection.
    for (let triesLeft = tool.readOnly ? 1 : 0; ; triesLeft--) {
      const connection = await this.#awaited(link.connection(), sending);
      const sent = this.#sent(sending, role);
      const deadlineMs = Math.max(DEADLINE_MS_MIN, deadlineAtMs - performance.now());
      try {
        const reply = await exchange(connection, tool, request, { headers: sent, signal, deadlineMs });
        this.#known(connection, sending);
        return reply;
      } catch (caught) {
        const { error, lost } = this.#judged(caught, connection, sending, deadlineMs);
        if (!lost || triesLeft === 0 || performance.now() >= deadlineAtMs) throw error;
        // The daemon may count the first answer as told.
        if (tool.name === SNAPSHOT) request.full = true;
      }
    }
  }

  #sending(signal: AbortSignal | undefined): Sending {
    const deadlineAtMs = performance.now() + this.#deadlineMs;
    return { requestId: randomUUID(), life: this.#life, signal, deadlineAtMs };
  }

  #sent({ requestId, life }: Sending, role: string | undefined): Record<string, string> {
    const resumes = this.#used || life !== this.#life;
    return {
      ...this.headers(requestId),
      ...(role !== undefined && { [headers.ROLE]: role }),
      ...(resumes && { [headers.RESUME]: life }),
    };
  }

  /** The daemon behind this connection knows the session. */
  #known(connection: Connection, { life }: Sending): void {
    if (life !== this.#life) return;
    this.#used = true;
    this.#hold?.keep(connection);
  }

  #judged(
    caught: unknown,
    connection: Connection,
    { life, requestId, signal }: Sending,
    deadlineMs: number,
  ): ReturnType<typeof failureOf> {
    const { link } = this.#options;
    const judgement = failureOf(caught, { requestId, signal, deadlineMs, address: link.shown });
    if (FORGOTTEN.has(judgement.error.type) && life === this.#life) this.#forgotten();
    if (judgement.lost) link.drop(connection);
    return judgement;
  }

  /** The same; CANCELLED or DAEMON_UNREACHABLE as soon as the call is given up, by its caller or for its deadline. */
  #awaited<T>(promise: Promise<T>, { signal, deadlineAtMs }: Sending): Promise<T> {
    return awaitWithin(promise, { signal, deadlineAtMs, tooLate: () => this.#tooLate() });
  }

  #tooLate(): TroupeError {
    const reason = `it could not be asked within ${Math.round(this.#deadlineMs / 1000)} s`;
    const address = this.#options.link.shown;
    return fail("DAEMON_UNREACHABLE", { address, reason, retryAfterMs: RETRY_AFTER_MS, effect: "none" });
  }

  #forgotten(): void {
    this.#life = randomUUID();
    this.#used = false;
    this.#roleTold = false;
    this.#hold?.release();
  }

  #failedCall(tool: string, args: JsonObject): FailedCall {
    const { role, tab } = args;
    const ownRole = typeof role === "string" && role !== "";
    return {
      tool,
      arguments: args,
      profile: this.profile,
      role: ownRole ? role : (this.#role ?? this.#roleSeen),
      ownRole,
      session: this.id,
      tab: typeof tab === "string" ? tab : "",
    };
  }
}

function dataOf(error: unknown): [ErrorType, object] | [undefined, object] {
  return isTroupeError(error) ? [error.type, error.data] : [undefined, {}];
}
