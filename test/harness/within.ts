// Waiting for what nobody tells: looked for again and again, for a bounded while.
import { setInterval } from "node:timers/promises";

const LOOK_EVERY_MS = 50;

/** Whether `holds` came true in time. Not coming true is a finding, not a failure. */
export async function within(ms: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + ms;
  for await (const _ of setInterval(LOOK_EVERY_MS)) {
    if (await holds()) return true;
    if (performance.now() > endMs) break;
  }
  return false;
}
