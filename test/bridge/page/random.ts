// Makes random numbers that a seed can reproduce.

export type Random = () => number;

/** Makes numbers below 1 that follow from the seed. */
export function generator(seed: number): Random {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Repeats the same numbers. */
export function fixed(numbers: number[]): Random {
  let at = 0;
  return () => numbers[at++ % numbers.length] as number;
}

/** Picks an entry of the list. */
export const pick = <T>(list: readonly T[], random: Random): T =>
  list[Math.floor(random() * list.length)] as T;
