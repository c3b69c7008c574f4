// The error for a session that a person has taken over.
import { EFFECT, type Effect, looksAnywhere, lookThenGoOn } from "../steps/effect.ts";
import { again, say } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

/** `endsInMs`: the session goes back by itself after this time. */
export interface PersonAtWorkData {
  role: string;
  effect: Effect;
  retryAfterMs: number;
  endsInMs: number;
}

export const personAtWork: ErrorEntry<PersonAtWorkData> = {
  title: "A Person Is at Work",
  example: { role: "customer", effect: "none", retryAfterMs: 5_000, endsInMs: 600_000 },
  category: "CAPACITY",
  code: "UNAVAILABLE",
  recoverable: true,
  expected: "This is often normal while somebody finishes a login or another step by hand.",
  message: ({ role, endsInMs }) =>
    `A person is at work in this session in role ${role}, for at most ${minutes(endsInMs)} more.`,
  facts: ({ role, effect, endsInMs }) => [
    ["Role", role],
    ["The call", EFFECT[effect]],
    ["It ends by itself in", minutes(endsInMs)],
  ],
  why: ({ effect }) =>
    effect === "none"
      ? "A person has taken this session over; nothing was done."
      : "A person has taken this session over, and the call had not ended in time.",
  causes: () => [
    "A person was asked for help, such as at a second factor",
    "An operator has looked in and stepped in",
  ],
  steps: (data, call) => {
    const { effect, retryAfterMs } = data;
    const isWhole = effect === "none" || looksAnywhere(call);
    return [
      ...(isWhole ? [again(call, {}, `after ${retryAfterMs} ms`)] : lookThenGoOn({ effect }, call)),
      say(
        "While the person goes on, the call fails like this again: work elsewhere, or tell who waits for it",
      ),
    ];
  },
  retry: ({ retryAfterMs, effect }) => ({ afterMs: retryAfterMs, sameCall: effect === "none" }),
};

function minutes(ms: number): string {
  return ms >= 120_000 ? `${Math.ceil(ms / 60_000)} minutes` : `${Math.ceil(ms / 1000)} seconds`;
}
