// Runs in a page. `begin` makes the document the one that changes begin with, and each `step` changes it by the seed.

import { aim, CHANGES, resetPage } from "./changes.ts";
import { generator, pick, type Random } from "./random.ts";

let random: Random = generator(1);

function begin(seed: number): void {
  random = generator(seed);
  resetPage(random);
}

function step(): void {
  const [, change] = pick(CHANGES, random);
  change(aim(random), random);
}

Object.assign(globalThis, { begin, step });
