// Waits no longer than a caller does: until it gives up, or until its deadline.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { cancelled } from "./transport-failure.ts";

export interface Patience {
  signal?: AbortSignal | undefined;
  /** By the steady clock (`performance.now()`). */
  deadlineAtMs: number;
  /** The error at the deadline. */
  tooLate(): TroupeError;
}

/** What `promise` resolves to; CANCELLED, or what `tooLate` says, as soon as nobody waits for it any longer. */
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
