// Repeatable random choices: the same seed gives the same choices.

export interface Random {
  /** Returns a number n with 0 ≤ n < 1. */
  next(): number;
  /** Returns a whole number n with 0 ≤ n < below. */
  below(below: number): number;
  one<T>(of: readonly T[]): T;
  chance(share: number): boolean;
  bytes(length: number): Buffer;
}

/** Mulberry32: small, and good enough for choices. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    one: (of) => {
      const chosen = of[below(of.length)];
      if (chosen === undefined) throw new Error("nothing to choose from");
      return chosen;
    },
    chance: (share) => next() < share,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
