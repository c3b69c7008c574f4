// Completes an error that reports a restart: adds the losses and the present place of the call's element.
import { type ErrorData, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { InFlightCall } from "./in-flight-call.ts";

export interface Meant {
  tab: string;
  ref: unknown;
}

/** Errors that report a worker's end to a session. */
const REPORTS: ReadonlySet<string> = new Set(["WORKER_RESTARTED", "BROWSER_CRASHED", "CHROME_NOT_CONNECTED"]);

/** The longest time that the error waits for a page to come back. */
const FIND_MS_MAX = 15_000;
/** The longest time that the error waits for a role in backoff. */
const BACKING_OFF_MS_MAX = 1_000;
/** The time left for the error itself to reach the client. */
const ANSWER_MS = 250;

/** The types that {@link afterRestart} adds to. */
export type RestartError =
  | TroupeError<"WORKER_RESTARTED">
  | TroupeError<"BROWSER_CRASHED">
  | TroupeError<"CHROME_NOT_CONNECTED">;

export function reportsRestart(error: TroupeError): error is RestartError {
  return REPORTS.has(error.type) && !wasNotConnected(error);
}

/** The browser was gone before the call, so the call has ended nothing. */
function wasNotConnected({ type, data }: TroupeError): boolean {
  return type === "CHROME_NOT_CONNECTED" && "effect" in data && data.effect === "none";
}

/** Waits for the worker's end, then returns the error with all that is known. */
export async function afterRestart(
  error: RestartError,
  under: InFlightCall,
  role: SupervisedRole | undefined,
  meant: Meant,
  log: Log,
): Promise<TroupeError> {
  const { session, worker } = under;
  if (!role || !session) return error;
  await worker?.ended;
  const { lost, other } = role.losses.report(session.key);
  const again = await found(under, role, { session, ...meant }, log);
  const data = {
    ...error.data,
    ...(lost.length > 0 && { lost }),
    ...(other.length > 0 && { lostOther: other }),
    ...again,
  };
  return fail(error.type, data as ErrorData[typeof error.type], error);
}

/** Returns an empty object if the call meant no element, or if the page does not come back in time. */
async function found(
  under: InFlightCall,
  role: SupervisedRole,
  { session, tab, ref }: Meant & { session: Session },
  log: Log,
) {
  const leftMs = () => Math.min(FIND_MS_MAX, under.leftMs() - ANSWER_MS);
  if (typeof ref !== "string" || leftMs() <= 0) return {};
  try {
    const overWith = AbortSignal.any([under.abort.signal, session.over.signal]);
    const worker = await role.ready({ callMs: leftMs(), queueMs: BACKING_OFF_MS_MAX }, overWith);
    await role.sessions.restored(worker, session);
    overWith.throwIfAborted();
    const { element, candidates } = await worker.link.ask(
      "FindAgain",
      { key: session.key, tab, ref },
      leftMs(),
    );
    return element ? { element: { role: element.role, name: element.name }, candidates } : {};
  } catch (error) {
    log.debug({ err: error, role: role.name }, "an element was not found again after a restart");
    return {};
  }
}
