// Phase `rolling`: every daemon is asked to end and started again, one after another, as an upgrade does.
import { Events, leave, type Stage } from "./changes.ts";
import { lapse } from "./lapse.ts";
import type { Event } from "./verdicts.ts";

/** Resolves with what was done to the daemons. */
export async function rolling(stage: Stage): Promise<Event[]> {
  const { deployment, seconds } = stage;
  const events = new Events();
  await lapse(seconds * 1000);
  for (const pod of deployment.running) {
    await leave(stage, pod, events);
    await deployment.startAgain(pod);
    await deployment.ready(pod, true);
    await lapse((seconds * 1000) / 3);
  }
  return events.end();
}
