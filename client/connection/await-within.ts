// Ends a wait when its caller gives up or when the deadline comes.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { cancelled } from "./transport-failure.ts";

export interface Patience {
  signal?: AbortSignal | undefined;
  /** The deadline by the monotonic clock (`performance.now()`). */
  deadlineAtMs: number;
  /** Makes the error for the deadline. */
  tooLate(): TroupeError;
}

/** Resolves like `promise`. Rejects with CANCELLED when the signal aborts, or with `tooLate()` at the deadline. */
export function awaitWithin<T>(promise: Promise<T>, { signal, deadlineAtMs, tooLate }: Patience): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const abort = () => reject(cancelled());
  const deadline = setTimeout(() => reject(tooLate()), Math.max(0, deadlineAtMs - performance.now()));
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return Promise.race([givenUp, promise]).finally(() => {
    clearTimeout(deadline);
    signal?.removeEventListener("abort", abort);
  });
}
