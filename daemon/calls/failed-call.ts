// Turns a failed call into the error for its client and the details for the records.
import { randomUUID } from "node:crypto";
import { Metadata, type ServiceError, type StatusObject } from "@grpc/grpc-js";
import { argumentsOf } from "../../proto/calls/arguments.ts";
import {
  detailOf,
  type ErrorData,
  type ErrorDetail,
  type FailedCall,
  fail,
  isTroupeError,
  type TroupeError,
} from "../../proto/errors/catalogue.ts";
import { fromStatus, toStatus } from "../../proto/errors/status.ts";
import { within } from "../../proto/machine/within.ts";
import { profileNamed } from "../../proto/tools/read-tools.ts";
import { PROFILE, ROLE, SESSION, STATUS_DETAILS } from "../../proto/wire/metadata.ts";
import { decode } from "../../proto/wire/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Meant, type RestartError, reportsRestart } from "./after-restart.ts";
import { mayBeDying, meaningOf } from "./foreign-status.ts";
import { type InFlightCall, REQUEST_BYTES_MAX } from "./in-flight-call.ts";

/** The status for the client, and the details for the records. */
export interface Failure {
  status: StatusObject;
  detail: ErrorDetail;
}

/** The time in which a worker that breaks off a call may turn out to be dying. */
const DYING_MS = 2000;

export interface FailureParts {
  clock: Clock;
  log: Log;
  /** The browser that the call's role is attached to; empty for one of its own. */
  endpoint: string;
  /**
   * For a ref that the worker does not know, returns an error with the session's roles that do. Returns undefined for
   * any other error.
   */
  placed(detail: ErrorDetail): Promise<TroupeError | undefined>;
  /** Completes an error that reports a restart. */
  restarted(error: RestartError, meant: Meant): Promise<TroupeError>;
}

/** Makes the failure from the value that a call was rejected with. */
export async function failureOf(cause: unknown, under: InFlightCall, parts: FailureParts): Promise<Failure> {
  const detail = isServiceError(cause) ? fromStatus(cause) : undefined;
  const restart = detail && asRestart(detail);
  const placed = detail && !restart ? await parts.placed(detail) : undefined;
  if (detail && !restart && !placed) return { detail, status: passedOn(cause as ServiceError) };
  const error = placed ?? restart ?? (await errorOf(cause, under, parts));
  const call = failedCall(under);
  const whole = reportsRestart(error)
    ? await parts.restarted(error, { tab: call.tab, ref: call.arguments.ref })
    : error;
  const complete = detailOf(whole, call, parts.clock.now());
  return { detail: complete, status: toStatus(complete) };
}

/** Returns the worker's own error if it reports the end of its browser. The daemon knows more about that end. */
function asRestart({ type, details }: ErrorDetail): RestartError | undefined {
  if (type !== "BROWSER_CRASHED" && type !== "CHROME_NOT_CONNECTED") return undefined;
  const error = fail(type, details as unknown as ErrorData[typeof type]);
  return reportsRestart(error) ? error : undefined;
}

/** Returns the error for the value that a call was rejected with. */
async function errorOf(cause: unknown, under: InFlightCall, parts: FailureParts): Promise<TroupeError> {
  const { clock, log } = parts;
  if (isTroupeError(cause)) return cause;
  if (!isServiceError(cause)) return unforeseen(cause, under, log);
  const wellFormed = decoded(under) !== undefined;
  const dying = wellFormed && mayBeDying(cause) && !under.call.gone.aborted;
  const error = meaningOf(cause, {
    tool: under.tool,
    role: under.role ?? "",
    endpoint: parts.endpoint,
    wellFormed,
    cancelled: under.call.gone.aborted,
    tookMs: clock.steady() - under.startedMs,
    workerEnd: dying && under.worker ? await within({ timeMs: DYING_MS }, under.worker.ended) : undefined,
  });
  return error ?? unforeseen(cause, under, log);
}

/** An unforeseen case: the client gets a report's number, the log gets the report. */
function unforeseen(cause: unknown, under: InFlightCall, log: Log): TroupeError {
  const reportId = randomUUID().slice(0, 8);
  log.error(
    { err: cause, reportId, tool: under.tool.name, requestId: under.requestId },
    "a call failed in a way that nobody foresaw",
  );
  return fail("INTERNAL", { reportId }, cause);
}

/** Passes on the status and details of a worker's or another daemon's own error, and drops all else that it sent. */
export function passedOn({ code, details, metadata }: ServiceError): StatusObject {
  const trailers = new Metadata();
  for (const value of metadata.get(STATUS_DETAILS)) trailers.set(STATUS_DETAILS, value);
  return { code, details, metadata: trailers };
}

/** The call in the form that plans use. */
export function failedCall(under: InFlightCall): FailedCall {
  const { metadata, arguments: asWritten } = under.call;
  const request = asWritten ? undefined : decoded(under);
  const args = asWritten ?? (request ? argumentsOf(under.tool, request) : {});
  return {
    tool: under.tool.name,
    arguments: args,
    profile: under.caller?.profile ?? profileNamed(textOf(metadata, PROFILE)) ?? "core",
    role: under.role ?? textOf(metadata, ROLE),
    ownRole: textOf(metadata, ROLE) !== "",
    session: under.caller?.session ?? textOf(metadata, SESSION),
    ownSession: under.caller?.name,
    tab: typeof args.tab === "string" ? args.tab : "",
  };
}

function decoded({ tool, call: { request } }: InFlightCall): Record<string, unknown> | undefined {
  if (request.length > REQUEST_BYTES_MAX) return undefined;
  try {
    return decode(tool.request, request);
  } catch {
    // Undefined is the answer: the bytes are no such message.
    return undefined;
  }
}

function textOf(metadata: Metadata, name: string): string {
  return String(metadata.get(name)[0] ?? "").slice(0, 128);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "metadata" in error && "code" in error && "details" in error;
}
