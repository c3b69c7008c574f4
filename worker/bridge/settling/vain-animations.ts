// Learns which finite animations end without any effect: a ripple, a colour that fades in. It watches the ends in each
// document, and the reaction no longer waits for vain animations. An animation that once brought a change is always
// awaited.
import { attr, focusedElement, isElement, queryAll, tagOf } from "../dom/dom.ts";
import { saysSomething } from "./news.ts";

/** The effect of an end comes within this time: with its event, or a task or a frame later. */
const AFTER_END_MS = 60;
/** The effect may come a little before this module receives the end. */
const BEFORE_END_MS = 25;
/** An animation of a part with words may bring something the next time, so it must be vain more often. */
const VAIN_MIN = { empty: 1, other: 2 };
const KINDS_MAX = 500;
const CLASSES_LENGTH_MAX = 200;
/** A larger number at once is awaited whole. */
const AWAITED_MAX = 50;
const NODES_MAX = 20;
/** The end of an animation of these properties shows or hides something itself. */
const SHOWING = new Set(["visibility", "display", "contentVisibility"]);

export interface VainAnimations {
  /** Begins an action, and drops the ends of the previous action that are still undecided. */
  begin(): void;
  /** Returns those that are not known to be vain. */
  awaited(animations: readonly Animation[]): Animation[];
  /** Notes that the page has changed. */
  changed(records: readonly MutationRecord[]): void;
  /**
   * Drops the recent ends. They may have brought something that the worker waits for, so nothing is learned from them.
   */
  unclear(): void;
  /** Ends the action. */
  learn(): void;
}

interface Kind {
  /** Identifies equal animations. */
  key: string;
  /** The animated element holds nothing. */
  isEmpty: boolean;
}

/** `started` counts the timers that the page has started so far. Nothing reports their effects. */
export function createVainAnimations(started: () => number): VainAnimations {
  const vain = new Map<string, number>();
  const bringing = new Set<string>();
  const heard = new WeakSet<Animation>();
  let ends: (Kind & { atMs: number })[] = [];
  let running = 0;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let startedBefore = 0;
  let focused: Element | null = null;

  const isVain = ({ key, isEmpty }: Kind) =>
    !bringing.has(key) && (vain.get(key) ?? 0) >= (isEmpty ? VAIN_MIN.empty : VAIN_MIN.other);
  /** Notes that the ends since that time had an effect. */
  const brought = (sinceMs: number) => {
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
      const nowMs = performance.now();
      // This may be long after an end, if the page is busy.
      const sinceMs = Math.min(lookedAtMs, nowMs - AFTER_END_MS);
      lookedAtMs = nowMs;
      if (animations.length > AWAITED_MAX) return [...animations];
      return animations.filter((animation) => {
        const kind = kindOf(animation);
        if (kind === undefined) return true;
        if (isVain(kind)) return false;
        if (heard.has(animation)) return true;
        // An animation that leads to another one was not vain.
        brought(sinceMs);
        focused = focusedElement();
        hear(animation, kind);
        return true;
      });
    },
    changed(records) {
      if ((running === 0 && ends.length === 0) || !records.some(isChange)) return;
      changedAtMs = performance.now();
      brought(changedAtMs - AFTER_END_MS);
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

/**
 * Returns undefined if the end itself may show something. It also does so for words that fade out, because a timer may
 * remove them later.
 */
function kindOf(animation: Animation): Kind | undefined {
  const { effect } = animation;
  if (!(effect instanceof KeyframeEffect) || effect.target === null) return undefined;
  const { target, pseudoElement } = effect;
  const frames = effect.getKeyframes();
  if (frames.some((frame) => Object.keys(frame).some((property) => SHOWING.has(property)))) return undefined;
  const isEmpty = !saysSomething(target);
  if (!isEmpty && frames.at(-1)?.["opacity"] === "0") return undefined;
  // A fade in and a fade out are two kinds.
  const what =
    animation instanceof CSSAnimation
      ? `${animation.animationName} ${effect.getTiming().direction}`
      : JSON.stringify([animation.id, frames.at(-1)]);
  const classes = (attr(target, "class") ?? "").slice(0, CLASSES_LENGTH_MAX);
  return { key: [what, pseudoElement, tagOf(target), classes].join(" "), isEmpty };
}

/** A mutation that only styles or removes a part without words is no change: it comes when a ripple ends. */
function isChange({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === "characterData") return true;
  if (type === "attributes") return !isElement(target) || isLarge(target) || saysSomething(target);
  const nodes = [...addedNodes, ...removedNodes];
  return nodes.length > NODES_MAX || nodes.some((node) => isLarge(node) || saysSomething(node));
}

/** An element with so many parts is not searched for words. */
function isLarge(node: Node): boolean {
  return isElement(node) && queryAll(node, "*").length > NODES_MAX;
}
