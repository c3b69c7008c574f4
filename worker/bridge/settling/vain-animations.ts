// Finite animations whose end brings nothing: a ripple, a colour that fades in. Each document is watched as they end, and
// what was vain is not waited for again. What once brought a change is always waited for.
import { attr, focusedElement, isElement, queryAll, tagOf } from "../dom/dom.ts";
import { saysSomething } from "./news.ts";

/** What an end brings comes so soon: with its event, a task or a frame later. */
const AFTER_END_MS = 60;
/** Its event may come a little before this hears of the end. */
const BEFORE_END_MS = 25;
/** What moves a part with words may bring something the next time: it has to be vain more often. */
const VAIN_MIN = { empty: 1, other: 2 };
const KINDS_MAX = 500;
const CLASSES_LENGTH_MAX = 200;
/** More at once are all waited for. */
const AWAITED_MAX = 50;
const NODES_MAX = 20;
/** Of these, the end itself shows or hides something. */
const SHOWING = new Set(["visibility", "display", "contentVisibility"]);

export interface VainAnimations {
  /** An action begins: what is not yet known of the one before will not be. */
  begin(): void;
  /** Those that are not known to be vain. */
  awaited(animations: readonly Animation[]): Animation[];
  /** The page has changed. */
  changed(records: readonly MutationRecord[]): void;
  /** What has ended may have brought what the worker waits for: nothing is learned of it. */
  unclear(): void;
  /** The action is over. */
  learn(): void;
}

interface Kind {
  /** What is the same each time. */
  key: string;
  /** It moves an element that holds nothing. */
  isEmpty: boolean;
}

/** `started`: how many timers the page has started so far, whose effects nothing tells. */
export function createVainAnimations(started: () => number): VainAnimations {
  const vain = new Map<string, number>();
  const bringing = new Set<string>();
  const heard = new WeakSet<Animation>();
  let ends: (Kind & { atMs: number })[] = [];
  let running = 0;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let startedBefore = 0;
  let focused: Element | null = null;

  const isVain = ({ key, isEmpty }: Kind) =>
    !bringing.has(key) && (vain.get(key) ?? 0) >= (isEmpty ? VAIN_MIN.empty : VAIN_MIN.other);
  /** Something came of what has ended just now. */
  const brought = () => {
    const sinceMs = performance.now() - AFTER_END_MS;
    for (const { key, atMs } of ends) if (atMs >= sinceMs) bringing.add(key);
    ends = ends.filter(({ key }) => !bringing.has(key));
  };
  const hear = (animation: Animation, kind: Kind) => {
    const end = () => {
      running--;
      const atMs = performance.now();
      if (atMs - changedAtMs <= BEFORE_END_MS) bringing.add(kind.key);
      else ends.push({ ...kind, atMs });
      startedBefore = started();
    };
    heard.add(animation);
    running++;
    animation.finished.then(end, end);
  };
  return {
    begin() {
      ends = [];
    },
    awaited(animations) {
      if (animations.length > AWAITED_MAX) return [...animations];
      return animations.filter((animation) => {
        const kind = kindOf(animation);
        if (kind === undefined) return true;
        if (isVain(kind)) return false;
        if (heard.has(animation)) return true;
        // One leads to the next: the first was not vain.
        brought();
        focused = focusedElement();
        hear(animation, kind);
        return true;
      });
    },
    changed(records) {
      if ((running === 0 && ends.length === 0) || !records.some(isChange)) return;
      changedAtMs = performance.now();
      brought();
    },
    unclear() {
      ends = [];
    },
    learn() {
      const isQuiet = started() === startedBefore && focusedElement() === focused;
      for (const kinds of [vain, bringing]) if (kinds.size > KINDS_MAX) kinds.clear();
      for (const key of new Set(isQuiet ? ends.map((end) => end.key) : []))
        vain.set(key, (vain.get(key) ?? 0) + 1);
      ends = [];
    },
  };
}

/** Undefined where its end itself may show something, and of words that fade out: a timer may remove them later. */
function kindOf(animation: Animation): Kind | undefined {
  const { effect } = animation;
  if (!(effect instanceof KeyframeEffect) || effect.target === null) return undefined;
  const { target, pseudoElement } = effect;
  const frames = effect.getKeyframes();
  if (frames.some((frame) => Object.keys(frame).some((property) => SHOWING.has(property)))) return undefined;
  const isEmpty = !saysSomething(target);
  if (!isEmpty && frames.at(-1)?.["opacity"] === "0") return undefined;
  // What fades in, and what fades out, are two kinds.
  const what =
    animation instanceof CSSAnimation
      ? `${animation.animationName} ${effect.getTiming().direction}`
      : JSON.stringify([animation.id, frames.at(-1)]);
  const classes = (attr(target, "class") ?? "").slice(0, CLASSES_LENGTH_MAX);
  return { key: [what, pseudoElement, tagOf(target), classes].join(" "), isEmpty };
}

/** What only styles or removes a part without words, as when a ripple is over, is no change. */
function isChange({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === "characterData") return true;
  if (type === "attributes") return !isElement(target) || isLarge(target) || saysSomething(target);
  const nodes = [...addedNodes, ...removedNodes];
  return nodes.length > NODES_MAX || nodes.some((node) => isLarge(node) || saysSomething(node));
}

/** What holds so many parts is not read for words. */
function isLarge(node: Node): boolean {
  return isElement(node) && queryAll(node, "*").length > NODES_MAX;
}
