// A stream that outlives its connections. It is opened again, with back-off, after an interruption.
import { within } from "../../proto/machine/within.ts";
import { CallError } from "./call-error.ts";

export interface LastingOptions {
  /** The caller's signal. If it aborts, the stream throws CANCELLED. */
  signal?: AbortSignal | undefined;
  /** If it aborts, the stream ends in order, because its session or client was closed. */
  closed: AbortSignal;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
/** A stream that cannot be opened again for so long throws its last error. */
const FAILING_MS_MAX = 5 * 60_000;

/**
 * Yields the parts of the streams that `open` returns. `open` throws CallErrors, CANCELLED if its signal aborts.
 * `again`: it is not the first time, so `open` must not start a daemon.
 */
export async function* lastingStream<T>(
  open: (signal: AbortSignal, again: boolean) => AsyncIterable<T>,
  { signal, closed }: LastingOptions,
): AsyncGenerator<T, void> {
  const over = signal ? AbortSignal.any([signal, closed]) : closed;
  let backoffMs = BACKOFF_MS_MIN;
  let failingSinceMs: number | undefined;
  for (let again = false; !closed.aborted; again = true) {
    try {
      for await (const part of open(over, again)) {
        backoffMs = BACKOFF_MS_MIN;
        failingSinceMs = undefined;
        yield part;
      }
      return;
    } catch (caught) {
      if (closed.aborted) return;
      const goesOn = caught instanceof CallError && isInterruption(caught);
      failingSinceMs ??= performance.now();
      if (!goesOn || performance.now() - failingSinceMs > FAILING_MS_MAX) throw caught;
      backoffMs = Math.max(backoffMs, Math.min(caught.retry?.afterMs ?? 0, BACKOFF_MS_MAX));
    }
    // The end of the stream only cuts the wait short. The loop sees it.
    await within({ timeMs: backoffMs, signal: over }, new Promise(() => undefined)).catch(() => undefined);
    backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX);
  }
}

/** Returns true if the stream can go on: its subject still exists, or is being restored. */
export function isInterruption({ type, retry }: Pick<CallError, "type" | "retry">): boolean {
  switch (type) {
    case "DAEMON_UNREACHABLE":
    case "DAEMON_DRAINING":
    case "WORKER_RESTARTED":
    case "BROWSER_CRASHED":
    case "CHROME_NOT_CONNECTED":
    case "PAGE_CRASHED":
    // The daemon ends each stream after a day, and its client then opens another.
    case "TIMEOUT":
      return true;
    default:
      return retry?.sameCall === true;
  }
}
