// Runs in a page. `begin` makes the document the one that changes begin with. After that, each `step` changes it by the seed.

import { aim, CHANGES, resetPage } from "./changes.ts";
import { generator, pick } from "./random.ts";

function begin(seed: number): void {
  const random = generator(seed);
  resetPage(random);
  const step = () => {
    const [, change] = pick(CHANGES, random);
    change(aim(random), random);
  };
  Object.assign(globalThis, { step });
}

Object.assign(globalThis, { begin });
