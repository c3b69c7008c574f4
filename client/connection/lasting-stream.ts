// A stream that outlives its connections: opened again, with back-off, after what interrupts without ending.
import { CallError } from "./call-error.ts";

export interface LastingOptions {
  /** The caller's: aborted, the stream throws CANCELLED. */
  signal?: AbortSignal | undefined;
  /** Aborted, the stream ends in order: what it stood on was closed. */
  closed: AbortSignal;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;
/** What cannot be opened again for so long is given up with its last error. */
const FAILING_MS_MAX = 5 * 60_000;

/**
 * What `open` streams, which throws CallErrors: CANCELLED where its signal is aborted. `again`: not the first time, so
 * no daemon is to be started for it.
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
    await backOff(backoffMs, over);
    backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX);
  }
}

/** Whether a stream that ended so can go on: what it showed is still there, or is being brought back. */
export function isInterruption({ type, retry }: Pick<CallError, "type" | "retry">): boolean {
  switch (type) {
    case "DAEMON_UNREACHABLE":
    case "DAEMON_DRAINING":
    case "WORKER_RESTARTED":
    case "BROWSER_CRASHED":
    case "PAGE_CRASHED":
    // The daemon ends each stream after a day, for its client to begin another.
    case "TIMEOUT":
      return true;
    default:
      return retry?.sameCall === true;
  }
}

/** Resolves after a while, or when all is over. */
function backOff(ms: number, over: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = () => resolve();
  over.addEventListener("abort", end, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    over.removeEventListener("abort", end);
  });
}
