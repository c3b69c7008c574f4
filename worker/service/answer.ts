// Handles a call's life at the gRPC edge: from bytes and metadata to a reply or a typed error. The call's deadline or
// its client can end it early.
import type { Deadline, Metadata } from "@grpc/grpc-js";
import { argumentsOf, checkRequest } from "../../proto/calls/arguments.ts";
import { detailOf, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { toStatus } from "../../proto/errors/status.ts";
import type { EvidenceTaken, Input } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { profileNamed, type Tool } from "../../proto/tools/read-tools.ts";
import { inSpan, markFailed, parentIn } from "../../proto/tracing/spans.ts";
import {
  EVIDENCE,
  MAX_TOKENS,
  MAY_LACK,
  NAMED_SESSION,
  PROFILE,
  REQUEST_ID,
  ROLE,
  ROLE_GIVEN,
  SESSION,
  SESSION_KEY,
  tokensIn,
} from "../../proto/wire/metadata.ts";
import { decode } from "../../proto/wire/schema.ts";
import { outOfTime } from "../actions/hang.ts";
import { CALL_MS_DEFAULT, type Call, CallOver } from "../core/call.ts";
import { isGone } from "../core/gone.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { type CallContext, type CallEnvironment, inSession } from "./call-context.ts";
import type { Logger } from "./log.ts";

/** Node's timers fire at once if their delay is longer than this. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/**
 * The time reserved for sending the answer. The worker's own timeout error must arrive before the client's deadline,
 * also on a busy machine.
 */
const ANSWER_MS = { least: 250, most: 1_000, share: 0.1 };
/** The role's state and the log, which every call needs. */
export interface ServiceContext extends CallEnvironment {
  /** Is false once the role's browser has died. */
  browserLives(): boolean;
  log: Logger;
  /** Keeps the secrets of all sessions out of errors before a call has its session. */
  redactor: Redactor;
  /** Receives the evidence of recorded calls. */
  evidence(taken: Input<EvidenceTaken>): void;
}

/** The members that unary and streaming calls share. */
interface GrpcCall {
  request: Buffer;
  metadata: Metadata;
  getDeadline(): Deadline;
  on(event: "cancelled", listener: () => void): unknown;
  off(event: "cancelled", listener: () => void): unknown;
}
/** Executes a call from its bytes to its end. Rejects with the gRPC status to send. */
export function answer<T>(
  tool: Tool,
  grpcCall: GrpcCall,
  service: ServiceContext,
  carry: (request: object, context: CallContext) => Promise<T>,
): Promise<T> {
  const work = () => answered(tool, grpcCall, service, carry);
  if (tool.watches) return work();
  return inSpan(`${tool.name} in its role`, { kind: "server", parent: parentIn(grpcCall.metadata) }, work);
}

async function answered<T>(
  tool: Tool,
  grpcCall: GrpcCall,
  service: ServiceContext,
  carry: (request: object, context: CallContext) => Promise<T>,
): Promise<T> {
  const call = callOf(tool, grpcCall);
  const controller = new AbortController();
  call.signal = controller.signal;
  const onCancel = () =>
    controller.abort(fail("CANCELLED", { reason: "the client cancelled it or went away" }));
  grpcCall.on("cancelled", onCancel);
  const timeMs = Math.min(TIMER_MS_MAX, Math.max(0, call.deadline - performance.now()));
  const timer = setTimeout(() => controller.abort(outOfTime(call, timeMs)), timeMs);
  let { redactor } = service;
  try {
    const request = decodeRequest(tool, grpcCall.request);
    call.arguments = argumentsOf(tool, request);
    call.tab = typeof request.tab === "string" ? request.tab : "";
    checkRequest(tool, request);
    return await within(
      call,
      inSession(call, service).then((context) => {
        redactor = context.session.redactor;
        return carry(request, context);
      }),
    );
  } catch (error) {
    const met = typed(error, call, service);
    markFailed(met.type);
    throw toStatus(redactor.all(detailOf(met, call, Date.now())));
  } finally {
    clearTimeout(timer);
    controller.abort(new CallOver("the call has been answered"));
    grpcCall.off("cancelled", onCancel);
  }
}

function callOf(tool: Tool, grpcCall: GrpcCall): Call {
  const header = (name: string) => String(grpcCall.metadata.get(name)[0] ?? "");
  // `getDeadline` is read as the call comes in, so the wall clock is hardly ever set in between.
  const given = Number(grpcCall.getDeadline());
  const timeMs = Number.isFinite(given) ? Math.round(given - Date.now()) : CALL_MS_DEFAULT;
  const session = header(SESSION);
  return {
    tool: tool.name,
    arguments: {},
    profile: profileNamed(header(PROFILE)) ?? "core",
    mayLack: header(MAY_LACK) !== "",
    maxTokens: tokensIn(header(MAX_TOKENS)),
    role: header(ROLE),
    ownRole: header(ROLE_GIVEN) !== "",
    session,
    ownSession: header(NAMED_SESSION) || undefined,
    sessionKey: header(SESSION_KEY) || session,
    tab: "",
    requestId: header(REQUEST_ID),
    evidence: header(EVIDENCE) || undefined,
    signal: new AbortController().signal,
    deadline: performance.now() + timeMs - answerMs(timeMs),
    waitsFor: "its turn",
  };
}

function answerMs(timeMs: number): number {
  return Math.min(ANSWER_MS.most, Math.max(ANSWER_MS.least, Math.round(timeMs * ANSWER_MS.share)));
}

/** Throws INVALID_ARGUMENT if the bytes are no such message. */
export function decodeRequest<T = Record<string, unknown>>(tool: Tool, bytes: Buffer): T {
  try {
    return decode<T>(tool.request, bytes);
  } catch (error) {
    throw fail(
      "INVALID_ARGUMENT",
      { argument: "request", problem: `the request is no ${tool.request.name} message` },
      error,
    );
  }
}

/** The errors that a call seems to fail with when its browser dies during the call. */
const SYMPTOMS: ReadonlySet<string> = new Set(["FRAME_DETACHED", "UNKNOWN_TAB", "NAVIGATION_FAILED"]);

/** Turns an unexpected error into INTERNAL. Its stack goes to the log, under the report's id. */
function typed(error: unknown, call: Call, { role, browserLives, log }: ServiceContext) {
  const isSymptom = isTroupeError(error) ? SYMPTOMS.has(error.type) : true;
  if (isSymptom && !browserLives()) {
    return role().endOfBrowser("the browser's process ended", error);
  }
  if (isTroupeError(error)) return error;
  if (isGone(error))
    return fail("FRAME_DETACHED", { frame: "main", reason: "the page was replaced meanwhile" }, error);
  const reportId = call.requestId || crypto.randomUUID();
  log.error({ reportId, tool: call.tool, requestId: call.requestId, err: error }, "unexpected error");
  return fail("INTERNAL", { reportId }, error);
}
