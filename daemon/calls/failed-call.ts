// A call that failed, as its client is told and as we count it.
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
import { profileNamed } from "../../proto/tools/catalogue.ts";
import { PROFILE, ROLE, SESSION, STATUS_DETAILS } from "../../proto/wire/metadata.ts";
import { decode } from "../../proto/wire/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import { type Meant, type RestartError, reportsRestart } from "./after-restart.ts";
import { mayBeDying, meaningOf } from "./foreign-status.ts";
import { type InFlightCall, REQUEST_BYTES_MAX } from "./in-flight-call.ts";

/** The status for the client, and the details for us. */
export interface Failure {
  status: StatusObject;
  detail: ErrorDetail;
}

/** A worker that breaks a call off has this long to be seen dying. */
const DYING_MS = 2000;

/** What failures are made with. */
export interface FailureParts {
  clock: Clock;
  log: Log;
  /** The worker's error of a ref that it does not know, with the session's roles that do; undefined of any other. */
  placed(detail: ErrorDetail): Promise<TroupeError | undefined>;
  /** An error that reports a restart, with all that is known of that. */
  restarted(error: RestartError, meant: Meant): Promise<TroupeError>;
}

/** What to tell of whatever a call was rejected with. */
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
  const told = detailOf(whole, call, parts.clock.now());
  return { detail: told, status: toStatus(told) };
}

/** The worker's own error, where it reports the end of its browser: more is known of that here. */
function asRestart({ type, details }: ErrorDetail): RestartError | undefined {
  return type === "BROWSER_CRASHED" ? fail(type, details as unknown as ErrorData[typeof type]) : undefined;
}

/** The error that stands for what a call was rejected with. */
async function errorOf(
  cause: unknown,
  under: InFlightCall,
  { clock, log }: FailureParts,
): Promise<TroupeError> {
  if (isTroupeError(cause)) return cause;
  if (!isServiceError(cause)) return unforeseen(cause, under, log);
  const wellFormed = decoded(under) !== undefined;
  const dying = wellFormed && mayBeDying(cause) && !under.call.gone.aborted;
  const error = meaningOf(cause, {
    tool: under.tool,
    role: under.role ?? "",
    wellFormed,
    cancelled: under.call.gone.aborted,
    tookMs: clock.steady() - under.startedMs,
    workerEnd: dying && under.worker ? await endSoon(under.worker) : undefined,
  });
  return error ?? unforeseen(cause, under, log);
}

/** The end of a worker that is about to end; undefined where it lives on. */
function endSoon(worker: Worker): Promise<WorkerEnd | undefined> {
  const { promise, resolve } = Promise.withResolvers<WorkerEnd | undefined>();
  const deadline = setTimeout(() => resolve(undefined), DYING_MS);
  void worker.ended.then(resolve);
  return promise.finally(() => clearTimeout(deadline));
}

/** A case that nobody foresaw: the client gets the number of a report, the log gets the report. */
function unforeseen(cause: unknown, under: InFlightCall, log: Log): TroupeError {
  const reportId = randomUUID().slice(0, 8);
  log.error(
    { err: cause, reportId, tool: under.tool.name, requestId: under.requestId },
    "a call failed in a way that nobody foresaw",
  );
  return fail("INTERNAL", { reportId }, cause);
}

/** The worker's own error: its status with its details, nothing else that it may have sent. */
function passedOn({ code, details, metadata }: ServiceError): StatusObject {
  const trailers = new Metadata();
  for (const value of metadata.get(STATUS_DETAILS)) trailers.set(STATUS_DETAILS, value);
  return { code, details, metadata: trailers };
}

/** The call as plans speak of it. */
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
    tab: typeof args.tab === "string" ? args.tab : "",
  };
}

function decoded({ tool, call: { request } }: InFlightCall): Record<string, unknown> | undefined {
  if (request.length > REQUEST_BYTES_MAX) return undefined;
  try {
    return decode(tool.request, request);
  } catch {
    // The bytes are no such message: that is the answer.
    return undefined;
  }
}

function textOf(metadata: Metadata, name: string): string {
  return String(metadata.get(name)[0] ?? "").slice(0, 128);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "metadata" in error && "code" in error && "details" in error;
}
