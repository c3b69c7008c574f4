// Lets time pass under load. The load's duration is part of what is measured; no result is awaited by it.
import { setInterval } from "node:timers/promises";

/** Resolves after this time, or at the signal. */
export async function lapse(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return;
  try {
    for await (const _ of setInterval(ms, undefined, { signal })) return;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
