// The one way to wait for a promise no longer than its caller can.

/** The bounds of a wait. A tool's call is one, by its signal. */
export interface Bounds {
  /** Ends the wait with its reason, or with the error of `aborted`. */
  signal?: AbortSignal | undefined;
  aborted?: () => Error;
  /** Called at once if the wait ends before the promise settles. */
  gaveUp?: () => void;
}

export interface TimeBounds extends Bounds {
  timeMs: number;
  /** The clock that measures the time, if it is not Node's own. */
  clock?: { after(ms: number, callback: () => void): { cancel(): void } };
}

/**
 * Settles as the promise does. Rejects before if the signal aborts, or with the error of `late` after the time.
 * Without `late`, it resolves with undefined then. The work itself goes on, unobserved.
 */
export function within<T>(bounds: TimeBounds & { late: () => Error }, promise: Promise<T>): Promise<T>;
export function within<T>(bounds: TimeBounds, promise: Promise<T>): Promise<T | undefined>;
export function within<T>(bounds: Bounds, promise: Promise<T>): Promise<T>;
export async function within<T>(
  {
    signal,
    aborted,
    gaveUp,
    timeMs,
    late,
    clock = timers,
  }: Bounds & Partial<TimeBounds> & { late?: () => Error },
  promise: Promise<T>,
): Promise<T | undefined> {
  // The promise may reject after the wait has ended, so a rejection must count as handled.
  promise.catch(() => undefined);
  const { promise: ended, resolve, reject } = Promise.withResolvers<undefined>();
  const end = (error: unknown) => {
    if (error === undefined) resolve(undefined);
    else reject(error);
    gaveUp?.();
  };
  const onAbort = () => end(aborted?.() ?? signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const alarm = timeMs === undefined ? undefined : clock.after(timeMs, () => end(late?.()));
  try {
    return await Promise.race([ended, promise]);
  } finally {
    alarm?.cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}

const timers: NonNullable<TimeBounds["clock"]> = {
  after(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, ms));
    return { cancel: () => clearTimeout(timer) };
  },
};
