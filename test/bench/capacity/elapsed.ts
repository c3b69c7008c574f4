// The span of a measurement: figures of a second's idle need seconds to pass.
import { setInterval } from "node:timers/promises";

/** Resolves after the time, in which the machine is watched. */
export async function elapsed(timeMs: number): Promise<void> {
  for await (const _ of setInterval(timeMs)) return;
}
