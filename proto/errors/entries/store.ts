// Errors of the store of sessions.
import { EFFECT, type Effect, lookThenGoOn } from "../steps/effect.ts";
import { again, say } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

export interface StoreErrorData {
  /** `reason`: in words. `effect`: of the call. `peer`: another daemon cannot be reached, and the database can. */
  STORE_UNAVAILABLE: { reason: string; retryAfterMs: number; effect: Effect; peer?: boolean };
}

const PATIENCE_S = 60;

export const store: { [T in keyof StoreErrorData]: ErrorEntry<StoreErrorData[T]> } = {
  STORE_UNAVAILABLE: {
    title: "Session Store Unavailable",
    example: { reason: "it did not answer within 5 s", retryAfterMs: 2000, effect: "none" },
    category: "CONNECTION",
    code: "UNAVAILABLE",
    recoverable: true,
    expected: "This is often normal while the database fails over.",
    message: ({ reason, peer }) =>
      peer
        ? `The session is not at hand: ${reason}.`
        : `The store of sessions does not take changes: ${reason}.`,
    facts: ({ effect }) => [["The call", EFFECT[effect]]],
    why: ({ effect, peer }) =>
      peer
        ? "Another daemon of the team has the session, and this one cannot pass the call on."
        : effect === "none"
          ? "What the call changes could not be kept, so it was not begun."
          : "What the call changed is not kept yet. It would be lost if the daemon ended now.",
    causes: ({ peer }) =>
      peer
        ? [
            "The other daemon stands still or is being restarted",
            "The settings of `peers` do not fit each other",
          ]
        : ["The database is slow, full, read-only, or cannot be reached"],
    steps: ({ retryAfterMs, effect, peer }, call) => [
      ...(effect === "none" ? [again(call, {}, `after ${retryAfterMs} ms`)] : lookThenGoOn({ effect }, call)),
      say(
        peer
          ? `If it fails again after ${PATIENCE_S} s, ask the operator to look at the other daemons and at \`peers\` in the configuration; troupe status has the reason`
          : `If it fails again after ${PATIENCE_S} s, ask the operator to look at the database that \`store\` names in the configuration (troupe doctor)`,
      ),
    ],
    retry: ({ retryAfterMs, effect }) => ({ afterMs: retryAfterMs, sameCall: effect === "none" }),
    patienceMs: 1_000 * PATIENCE_S,
  },
};
