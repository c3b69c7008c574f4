// Runs in the bridge's world. It has a random page read ahead, with pauses and changes at random. The tree must be the
// one of a bridge that reads the page at once.

import { aim, CHANGES, closedRoots, labelOf, resetPage } from "./changes.ts";
import { freshBridge } from "./fresh-bridge.ts";
import { generator, pick } from "./random.ts";
import { withoutRefs } from "./without-refs.ts";

interface ReadingBridge {
  readAhead(): void;
  tree(options: object): { text: string };
  openRoot(root: ShadowRoot): boolean;
}

type Idle = (deadline: { timeRemaining(): number }) => void;

/** Says what was done and how the trees differ. It is undefined if they agree. */
export function runAhead(
  seed: number,
): { seed: number; done: string[]; ahead: string; fresh: string } | undefined {
  const random = generator(seed);
  resetPage(random);
  const done: string[] = [];
  const bridge = openedBridge();
  let idle: Idle | undefined;
  const own = globalThis.requestIdleCallback;
  globalThis.requestIdleCallback = ((run: Idle) => (idle = run)) as unknown as typeof requestIdleCallback;
  try {
    bridge.readAhead();
    for (let period = 0; period < 4 && random() < 0.8; period++) {
      let questions = Math.floor(random() * 4);
      const run = idle;
      idle = undefined;
      run?.({ timeRemaining: () => (questions-- > 0 ? 50 : 0) });
      done.push("idle");
      if (random() < 0.7) continue;
      const [name, change] = pick(CHANGES, random);
      const target = aim(random);
      done.push(`${name} on ${labelOf(target)}`);
      change(target, random);
    }
    // Chrome's count of styles moves with nearly every change.
    const styleMoved = done.some((each) => each !== "idle");
    const ahead = withoutRefs(bridge.tree({ styleMoved }).text);
    const fresh = withoutRefs(openedBridge().tree({}).text);
    return ahead === fresh ? undefined : { seed, done, ahead, fresh };
  } finally {
    globalThis.requestIdleCallback = own;
  }
}

function openedBridge(): ReadingBridge {
  const bridge = freshBridge<ReadingBridge>();
  for (const root of closedRoots.values()) if (root.isConnected) bridge.openRoot(root);
  return bridge;
}

Object.assign(globalThis, { runAhead });
