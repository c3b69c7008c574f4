// Answers the three structural queries about an element: its ancestors, its like siblings, the content of its
// container. Expected problems are answers with `error`, `errorType` and `suggestion`, never exceptions.

import type {
  AnchorInfo,
  AnchorsResult,
  ContainerInfo,
  ContainerResult,
  Limits,
  PatternInfo,
  PatternResult,
  QueryError,
} from "../api/bridge-api.ts";
import { bodyOf, composedParent, documentOf, isConnected, plainTag, rootElementOf } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { describeAnchor } from "./structure-anchor.ts";
import { attributesOf, childrenOf, outlineOf, refsInside, textsOf, wholeText } from "./structure-facts.ts";

const REFS_MAX = 50;
const TARGET_TEXT_MAX = 500;

/** Returns the element's ancestors from its parent up to below the body, through shadow roots. */
export function resolveContainer(context: PageContext, ref: string, limits: Limits): ContainerResult {
  const target = elementOf(context, ref, true);
  if ("error" in target) return { ...target, target: null, ancestors: [] };
  const ancestors = ancestorsOf(target.element).slice(0, limits.maxDescendants);
  const refs = refsInside(context, ancestors, REFS_MAX);
  return {
    target: {
      ref,
      tagName: plainTag(target.element),
      text: wholeText(target.element, TARGET_TEXT_MAX),
    },
    ancestors: ancestors.map(
      (el, index): ContainerInfo => ({
        level: index + 1,
        tagName: plainTag(el),
        attributes: attributesOf(el),
        childElements: childrenOf(el).length,
        containsRefs: refs.get(el) ?? [],
      }),
    ),
  };
}

/** Returns the siblings in the element's ancestor of that level. */
export function inspectPattern(
  context: PageContext,
  ref: string,
  ancestorLevel: number,
  limits: Limits,
): PatternResult {
  const empty = {
    ancestorLevel,
    containerAt: null,
    targetSiblingIndex: null,
    siblings: [],
    totalSiblings: 0,
  };
  const target = elementOf(context, ref, false);
  if ("error" in target) return { ...target, ...empty };
  const climbed = climb(target.element, ancestorLevel);
  if ("error" in climbed) return { ...climbed, ...empty };
  const children = childrenOf(climbed.container);
  const index = climbed.child === undefined ? -1 : children.indexOf(climbed.child);
  const first = windowStart(index, children.length, limits.maxSiblings);
  const shown = children.slice(first, first + limits.maxSiblings);
  const refs = refsInside(context, shown, REFS_MAX);
  return {
    ancestorLevel,
    containerAt: { tagName: plainTag(climbed.container), attributes: attributesOf(climbed.container) },
    targetSiblingIndex: index < 0 ? null : index,
    siblings: shown.map(
      (el, offset): PatternInfo => ({
        index: first + offset,
        tagName: plainTag(el),
        attributes: attributesOf(el),
        containsRefs: refs.get(el) ?? [],
        containsText: textsOf(el),
        outline: outlineOf(el, context.survey()),
      }),
    ),
    totalSiblings: children.length,
  };
}

/** Returns the content of the element's ancestor of that level, breadth first until a limit is reached. */
export function extractAnchors(
  context: PageContext,
  ref: string,
  ancestorLevel: number,
  limits: Limits,
): AnchorsResult {
  const empty = { ancestorAt: null, descendants: [], totalDescendants: 0, maxDepthReached: 0 };
  const target = elementOf(context, ref, false);
  if ("error" in target) return { ...target, ...empty };
  const climbed = climb(target.element, ancestorLevel);
  if ("error" in climbed) return { ...climbed, ...empty };
  const { container } = climbed;
  return {
    ancestorAt: { level: ancestorLevel, tagName: plainTag(container), attributes: attributesOf(container) },
    ...gather(context, container, limits),
  };
}

interface Level {
  el: Element;
  info: { descendants?: AnchorInfo[]; omittedChildren?: number };
  depth: number;
}

function gather(context: PageContext, container: Element, limits: Limits) {
  const survey = context.survey();
  const top: Level["info"] = {};
  const queue: Level[] = [{ el: container, info: top, depth: 0 }];
  let count = 0;
  let maxDepthReached = 0;
  for (let level = queue.shift(); level !== undefined; level = queue.shift()) {
    const children = childrenOf(level.el);
    const room =
      level.depth >= limits.maxDepth ? 0 : Math.min(limits.maxSiblings, limits.maxDescendants - count);
    const shown = children.slice(0, Math.max(room, 0));
    if (shown.length < children.length) level.info.omittedChildren = children.length - shown.length;
    if (shown.length === 0) continue;
    count += shown.length;
    const depth = level.depth + 1;
    maxDepthReached = depth;
    level.info.descendants = shown.map((el, index) => {
      const info = describeAnchor(el, depth, index, context, survey);
      queue.push({ el, info, depth });
      return info;
    });
  }
  return { descendants: top.descendants ?? [], totalDescendants: total(container), maxDepthReached };
}

function total(container: Element): number {
  let count = 0;
  const open = [container];
  for (let el = open.pop(); el !== undefined; el = open.pop()) {
    const children = childrenOf(el);
    count += children.length;
    open.push(...children);
  }
  return count;
}

// In the seed tools, the first query names role and name of a removed element. The others name only its ref.
function elementOf(context: PageContext, ref: string, named: boolean): { element: Element } | QueryError {
  const resolved = context.refs.resolve(ref);
  if (resolved.state === "unknown") {
    return {
      error: "Element not found in current snapshot",
      errorType: "not_found",
      suggestion: "Call browser_snapshot() to refresh refs",
    };
  }
  if (resolved.state === "removed") {
    const { role, name } = resolved.identity;
    return {
      error: `Element ${ref}${named ? ` (${role} ${JSON.stringify(name)})` : ""} was removed from DOM`,
      errorType: "removed",
      suggestion: "Take a new snapshot() to get updated refs",
    };
  }
  const { element } = resolved;
  if (isConnected(element) && documentOf(element) === document) return { element };
  return {
    error: `Element ${ref} is not part of the page`,
    errorType: "disconnected",
    suggestion: "Take a new snapshot() to get updated refs",
  };
}

function ancestorsOf(el: Element): Element[] {
  const ancestors: Element[] = [];
  for (let up = composedParent(el); up !== null && !isTop(up); up = composedParent(up)) ancestors.push(up);
  return ancestors;
}

function isTop(el: Element): boolean {
  return el === bodyOf(document) || el === rootElementOf(document);
}

function climb(el: Element, level: number): { container: Element; child: Element | undefined } | QueryError {
  const chain = [el, ...ancestorsOf(el)];
  const container = chain[level];
  if (container !== undefined) return { container, child: level === 0 ? undefined : chain[level - 1] };
  const highest = chain.length - 1;
  return {
    error: `Ancestor level ${level} is too high - reached document.body at level ${highest + 1}`,
    errorType: "level_too_high",
    suggestion: `Try a lower ancestor level: ${highest} is the highest (use resolve_container to see available levels)`,
  };
}

/** Returns the start of a window that has the target among the shown siblings. */
function windowStart(index: number, length: number, size: number): number {
  if (index < size) return 0;
  return Math.max(0, Math.min(index - Math.floor(size / 2), length - size));
}
