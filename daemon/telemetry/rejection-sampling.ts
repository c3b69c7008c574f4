// Decides which rate-limited calls are recorded. A caller that goes on must not push other calls out of the history.
import { Rates } from "../admission/rate.ts";
import type { Clock } from "../core/clock.ts";
import type { EndedCall } from "./ended-call.ts";

/** The recorded rejections of a session. The second one shows that the client ignored the first. */
const OF_SESSION = { count: 2, perMs: 60_000 };
/** The recorded rejections of a client, which may name any number of sessions. */
const OF_CLIENT = { count: 60, perMs: 60_000 };

/** Makes the function that returns true for each call that is recorded. */
export function rejectionSampling(
  clock: Clock,
): (call: Pick<EndedCall, "isOverRate" | "client" | "session">) => boolean {
  const recorded = new Rates(clock);
  return ({ isOverRate, client, session }) =>
    !isOverRate ||
    (recorded.waitMs({ name: `${client} ${session}`, rate: OF_SESSION }) === undefined &&
      recorded.waitMs({ name: client, rate: OF_CLIENT }) === undefined);
}
