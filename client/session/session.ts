// A client's session. It calls tools by name with JSON arguments, keeps the current role, and recovers from a lost
// daemon.
import { randomUUID } from "node:crypto";
import { plainArguments } from "../../proto/calls/plain-arguments.ts";
import { SeenPages } from "../../proto/calls/seen-pages.ts";
import { splitSession } from "../../proto/calls/session-argument.ts";
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
import { once } from "../../proto/machine/once.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { within } from "../../proto/machine/within.ts";
import { OpenFaults } from "../../proto/plans/open-faults.ts";
import { type Profile, rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import { currentParent, inSpan } from "../../proto/tracing/spans.ts";
import { TRANSFER_MS_MAX } from "../../proto/wire/file-bounds.ts";
import * as headers from "../../proto/wire/metadata.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import type { Json, JsonObject } from "../../proto/wire/struct.ts";
import { CallError, callError } from "../connection/call-error.ts";
import type { Connection } from "../connection/connection.ts";
import { cancelled } from "../connection/transport-failure.ts";
import { type Transfer, withFiles } from "../files/with-files.ts";
import { exchange, type Failure, failureOf } from "./exchange.ts";
import { fileTransfer } from "./file-transfer.ts";
import { RefusalReports } from "./refusal-reports.ts";
import { SessionHold } from "./session-hold.ts";
import type { Hold, SessionOptions } from "./session-options.ts";

export type { Hold, SessionOptions } from "./session-options.ts";

/** The facts of a call beside its request. */
interface Sending {
  role?: string;
  requestId: string;
  /** The life of the session in which the caller made the call. */
  life: string;
  signal?: AbortSignal;
  /** The deadline for everything: a daemon's start, selecting a role, a second try. It uses the monotonic clock. */
  deadlineAtMs: number;
}

/** It is above the daemon's own limit of a call (30 s) and below that of an MCP client (60 s). */
const DEADLINE_MS = 55_000;
const DEADLINE_MS_MIN = 100;
const RETRY_AFTER_MS = 1000;
const watchTool = once(() => rpcs().find(({ rpc }) => rpc === "Watch") as Tool);
const FORGOTTEN: ReadonlySet<ErrorType> = new Set(["SESSION_LOST", "SESSION_EXPIRED"]);

export class Session {
  readonly id: string;
  readonly profile: Profile;
  readonly #options: SessionOptions;
  readonly #deadlineMs: number;
  /** It changes when the daemon says that the session is lost. Calls made before that are not for the new session. */
  #life = randomUUID();
  /** The role that select_role chose last in this client. */
  #role: string | undefined;
  /** The role in the last reply to a call without a role. */
  #roleSeen = "";
  /** True if the daemon's session has this role. */
  #roleTold = false;
  #used = false;
  /** Undefined for a reader that continues. */
  readonly #seen: SeenPages | undefined;
  /** The faults of calls that fail on their way. For all other calls the daemon knows what was tried. */
  readonly #faults = new OpenFaults();
  readonly #hold: Hold | undefined;
  readonly #reports: RefusalReports;
  /** Settles when the next call may leave. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.profile = options.profile;
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#role = options.role;
    this.#seen = options.newReader ? new SeenPages() : undefined;
    this.#reports = new RefusalReports(options.link);
    const { link, own, hold } = options;
    this.#hold = hold ?? (own ? new SessionHold(link, () => this.headers()) : undefined);
  }

  /** True if the daemon has this session. */
  get isUsed(): boolean {
    return this.#used;
  }

  /**
   * Calls a tool with JSON arguments, `role` among them. `named` is a name, as a model gives it, or a tool of any
   * profile. `requestId` is the call's id in logs; default: a new one. Throws {@link CallError}.
   */
  call(named: string | Tool, given: JsonObject, signal?: AbortSignal, requestId?: string): Promise<Reply> {
    const name = typeof named === "string" ? named : named.name;
    return inSpan(`call ${name}`, { kind: "client" }, () => this.#call(named, given, signal, requestId));
  }

  async #call(
    named: string | Tool,
    given: JsonObject,
    signal: AbortSignal | undefined,
    requestId: string | undefined,
  ): Promise<Reply> {
    const args = plainArguments(given);
    const sending = this.#sending(signal, requestId);
    const failed = this.#failedCall(typeof named === "string" ? named : named.name, args);
    try {
      const call = this.#understood(named, args, failed, sending);
      const { tool } = call;
      if (tool.name === "select_role") return await this.#inTurn(sending, () => this.#select(call, sending));
      await this.#inTurn(sending, () => this.#beInRole(call, sending));
      const place = this.#seen?.look(call, this.#role ?? "");
      const reply = await this.#carryOut(call, sending);
      if (call.role === undefined) this.#roleSeen = reply.page?.role || this.#roleSeen;
      if (this.#faults.any) this.#faults.succeeded(failed, performance.now());
      this.#seen?.saw(place);
      return reply;
    } catch (error) {
      this.#seen?.clear();
      throw this.#told(error, failed, sending);
    }
  }

  /** Leaves the daemon's errors as they are. An error raised here gets a plan that was not tried yet. */
  #told(caught: unknown, failed: FailedCall, { requestId }: Sending): CallError {
    const error = callError(caught, failed, requestId);
    if (error === caught) return error;
    const detail = this.#faults.failed(error.detail, failed, performance.now());
    return detail === error.detail ? error : new CallError(detail, caught, this.profile);
  }

  /**
   * Yields what a tab shows, then each change, for as long as one connection lasts. `start`: a daemon is started if
   * none runs. Throws {@link CallError}.
   */
  async *watch(args: JsonObject, start: boolean, signal: AbortSignal): AsyncGenerator<SnapshotUpdate, void> {
    const sending = this.#sending(signal);
    const failed = this.#failedCall(watchTool().name, args);
    try {
      const call = this.#understood(watchTool(), args, failed, sending);
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

  /** Holds the session in the daemon from now on, if it belongs to this process. */
  hold(connection: Connection): void {
    this.#hold?.keep(connection);
  }

  /** Ends this process's own session in the daemon. Refusals under way are still reported. */
  async close(signal: AbortSignal, isUsed = this.#used): Promise<void> {
    await this.#reports.settled(signal);
    this.#hold?.release();
    if (this.#options.own && isUsed) await this.end(signal);
  }

  /** Ends the session in the daemon if a connection is open. */
  async end(signal: AbortSignal): Promise<void> {
    const connection = this.#options.link.current;
    if (!connection) return;
    this.#used = false;
    await connection.call(
      "Control",
      "CloseSession",
      { session: this.id },
      { headers: this.headers(), signal },
    );
  }

  /** Turns a failure beside the calls into an error with a plan. */
  errorOf(caught: unknown): CallError {
    return callError(caught, this.#failedCall("", {}), randomUUID());
  }

  /** The metadata of every call of this session. */
  headers(requestId: string = randomUUID()): Record<string, string> {
    const { maxTokens, name, program, record } = this.#options;
    const parent = currentParent();
    return {
      [headers.SESSION]: this.id,
      ...(name !== undefined && { [headers.NAMED_SESSION]: name }),
      ...(program?.name !== undefined && { [headers.PROGRAM]: program.name }),
      [headers.PROFILE]: this.profile,
      ...(maxTokens !== undefined && { [headers.MAX_TOKENS]: String(maxTokens) }),
      ...(record && { [headers.RECORD]: "1" }),
      [headers.VERSION_HEADER]: VERSION,
      [headers.REQUEST_ID]: requestId,
      ...(parent !== undefined && { [headers.TRACEPARENT]: parent }),
    };
  }

  /**
   * Returns the call as it is sent. A call that is refused here reaches no daemon, so a report is sent beside the
   * answer.
   */
  #understood(named: string | Tool, args: JsonObject, failed: FailedCall, sending: Sending): ToolCall {
    try {
      const tool = typeof named === "string" ? toolNamed(named, this.profile, args) : named;
      failed.tool = tool.name;
      // A session's caller has split the name, unless the name is wrong.
      return toolCall(tool, splitSession(args, this.id).args, this.#options.maxTokens);
    } catch (caught) {
      const error = this.#told(caught, failed, sending);
      const { name: tool, profile } =
        typeof named === "string" ? { name: named, profile: this.profile } : named;
      const sent = this.#sent(sending, ROLE_NAME.test(failed.role) ? failed.role : undefined);
      const report = { tool, arguments: JSON.stringify(args) };
      this.#reports.send(report, { ...sent, [headers.PROFILE]: profile }, (connection) =>
        this.#known(connection, sending),
      );
      throw error;
    }
  }

  /** Calls leave in the order in which they came. A call after a change of role waits for that change. */
  #inTurn<T>(sending: Sending, step: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const done = this.#awaited(before, sending).then(step);
    // A step's failure goes to its own caller. The calls behind it still take their turn, also if one before them gave
    // up.
    this.#turn = Promise.allSettled([before, done]);
    return done;
  }

  async #select({ tool, request }: ToolCall, sending: Sending): Promise<Reply> {
    const reply = await this.#send(tool, request, sending);
    this.#role = String(reply.response.role || request.role);
    this.#roleTold = true;
    return reply;
  }

  /** Makes this session's role the current one in the daemon, also after the daemon has lost the session. */
  async #beInRole({ tool, role }: ToolCall, sending: Sending): Promise<void> {
    if (role !== undefined || this.#role === undefined || this.#roleTold) return;
    const selecting = toolCall(toolNamed("select_role", this.profile), { role: this.#role });
    try {
      await this.#select(selecting, { ...sending, requestId: randomUUID() });
    } catch (error) {
      const [type, data] = error instanceof CallError ? [error.type, error.details] : dataOf(error);
      if (type === undefined || !(type in catalogue)) throw error;
      // Tools that the daemon answers itself show which roles there are, so they help here.
      if (type === "UNKNOWN_ROLE" && tool.answeredByDaemon) return;
      // The error is raised anew, so that its plan ends with the intended call, which has not acted yet.
      throw new TroupeError(type, { ...data, ...("effect" in data && { effect: "none" }) } as never, error);
    }
  }

  /** Sends the call, with the files that its arguments name. */
  async #carryOut({ tool, request, role }: ToolCall, sent: Sending): Promise<Reply> {
    const { files: access } = this.#options;
    const sending = { ...sent, role };
    const send = (whole: Record<string, Json>) => this.#send(tool, whole, sending);
    if (!access) return await send(request);
    return await withFiles(tool, request, { access, transfer: this.#transfer(sending), send });
  }

  /** Carries files of this session, in its current role or another one. */
  transfer(signal: AbortSignal, role?: string): Transfer {
    const sending = this.#sending(signal);
    return this.#transfer({ ...sending, role: role ?? this.#role });
  }

  #transfer(sending: Sending): Transfer {
    return fileTransfer({
      connection: () => this.#awaited(this.#options.link.connection(), sending),
      options: { headers: this.#sent(sending, sending.role), signal: sending.signal },
      judged: (caught, connection) =>
        isTroupeError(caught) ? caught : this.#judged(caught, connection, sending, TRANSFER_MS_MAX).error,
    });
  }

  async #send(tool: Tool, request: Record<string, Json>, sending: Sending): Promise<Reply> {
    const { role, signal, deadlineAtMs } = sending;
    const { link } = this.#options;
    // A tool that only reads is called once more over a new connection.
    for (let triesLeft = tool.readOnly ? 1 : 0; ; triesLeft--) {
      const connection = await this.#awaited(link.connection(), sending);
      const sent = this.#sent(sending, role);
      const deadlineMs = Math.max(DEADLINE_MS_MIN, deadlineAtMs - performance.now());
      try {
        const reply = await exchange(connection, tool, request, { headers: sent, signal, deadlineMs });
        this.#known(connection, sending);
        return reply;
      } catch (caught) {
        const { error, lost, late } = this.#judged(caught, connection, sending, deadlineMs);
        if (!lost || late || triesLeft === 0 || performance.now() >= deadlineAtMs) throw error;
        // The daemon may count the first answer as delivered.
        if (tool.snapshot) request.full = true;
      }
    }
  }

  #sending(signal: AbortSignal | undefined, requestId: string = randomUUID()): Sending {
    const deadlineAtMs = performance.now() + this.#deadlineMs;
    return { requestId, life: this.#life, signal, deadlineAtMs };
  }

  #sent({ requestId, life }: Sending, role: string | undefined): Record<string, string> {
    const resumes = this.#used || life !== this.#life;
    return {
      ...this.headers(requestId),
      ...(role !== undefined && { [headers.ROLE]: role }),
      ...(resumes && { [headers.RESUME]: life }),
    };
  }

  /** Notes that the daemon behind this connection knows the session. */
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
  ): Failure {
    const { link } = this.#options;
    const judgement = failureOf(caught, { requestId, signal, deadlineMs, address: link.shown });
    if (FORGOTTEN.has(judgement.error.type) && life === this.#life) this.#forgotten();
    if (judgement.lost) link.drop(connection);
    return judgement;
  }

  /**
   * Resolves like `promise`. Rejects with CANCELLED if the caller gives up, and with DAEMON_UNREACHABLE at the
   * deadline.
   */
  #awaited<T>(promise: Promise<T>, { signal, deadlineAtMs }: Sending): Promise<T> {
    const timeMs = deadlineAtMs - performance.now();
    return within({ signal, aborted: cancelled, timeMs, late: () => this.#tooLate() }, promise);
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
      ownSession: this.#options.name,
      tab: typeof tab === "string" ? tab : "",
    };
  }
}

function dataOf(error: unknown): [ErrorType, object] | [undefined, object] {
  return isTroupeError(error) ? [error.type, error.data] : [undefined, {}];
}
