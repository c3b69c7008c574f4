// Runs in the bridge's world. It changes a page at random by a seed, and compares deltas with a fresh reading of the
// whole.

import { aim, CHANGES, closedRoots, labelOf, resetPage } from "./changes.ts";
import { freshBridge } from "./fresh-bridge.ts";
import { fixed, generator, pick } from "./random.ts";
import { misled } from "./reader.ts";
import { withoutRefs } from "./without-refs.ts";

interface Told {
  kind: string;
  text: string;
  snapshot: number;
}

interface World {
  __troupe: {
    tree(options: object): Told;
    refOf(element: Element): string;
    openRoot(root: ShadowRoot): boolean;
  };
}

const world = globalThis as unknown as World;

/** Describes a failure. It is undefined if all results agreed. */
export interface Disagreement {
  seed: number;
  step: number;
  done: string[];
  problem: string;
  /** The earlier tree, its delta, and the present tree. */
  before: string;
  told: string;
  fresh: string;
}

/**
 * Runs the steps of one seed. `only` lists the steps to do (to shrink a failure). `kinds` is the number of kinds of
 * changes.
 */
export function runSeed(
  seed: number,
  steps: number,
  only?: readonly number[],
  kinds = CHANGES.length,
): Disagreement | undefined {
  const random = generator(seed);
  resetPage(random);
  const bridge = world.__troupe;
  const html = bridge.refOf(document.documentElement);
  let told = bridge.tree({});
  const done: string[] = [];
  for (let step = 0; step < steps; step++) {
    const [name, change] = pick(CHANGES.slice(0, kinds), random);
    const isDone = only?.includes(step) ?? true;
    // A change that is left out consumes the same random numbers.
    const target = aim(random);
    const numbers = [random(), random(), random(), random()];
    if (isDone) {
      done.push(`${step} ${name} on ${labelOf(target)}`);
      change(target, fixed(numbers));
    }
    if (random() < 0.4 && step < steps - 1) continue;
    const before = told.text;
    const news = bridge.tree({ since: told.snapshot, styleMoved: true });
    told = bridge.tree({ styleMoved: false });
    const fresh = bridge.tree({ ref: html });
    const problem =
      told.text !== fresh.text || withoutRefs(told.text) !== withoutRefs(seenByAnother())
        ? "the tree is not what it should be"
        : wrongNews(before, fresh.text, news);
    if (problem !== undefined)
      return {
        seed,
        step,
        done,
        problem,
        before,
        told: `${news.text}\n===\n${told.text}`,
        fresh: fresh.text,
      };
  }
  return undefined;
}

/** Returns the first seed that fails, with as few changes as still fail. */
export function runSeeds(from: number, count: number, steps: number): Disagreement | undefined {
  for (let seed = from; seed < from + count; seed++) {
    if (runSeed(seed, steps) === undefined) continue;
    let only = Array.from({ length: steps }, (_, step) => step);
    for (const step of [...only].reverse()) {
      const fewer = only.filter((each) => each !== step);
      if (runSeed(seed, steps, fewer) !== undefined) only = fewer;
    }
    return runSeed(seed, steps, only);
  }
  return undefined;
}

/** Returns the tree from a bridge that has read nothing before. */
function seenByAnother(): string {
  const known = world.__troupe;
  const other = freshBridge<World["__troupe"]>();
  for (const root of closedRoots.values()) if (root.isConnected) other.openRoot(root);
  const { text } = other.tree({});
  Object.defineProperty(globalThis, "__troupe", { value: known, configurable: true });
  return text;
}

function wrongNews(before: string, after: string, news: Told): string | undefined {
  if (news.kind === "full")
    return news.text === after ? undefined : "the whole that was told is not the tree";
  if (news.kind === "unchanged") return before === after ? undefined : "it was told that nothing changed";
  return misled(before, news.text, after);
}

Object.assign(globalThis, { runSeed, runSeeds });
