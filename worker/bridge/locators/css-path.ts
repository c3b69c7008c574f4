// Writes a CSS selector for an element that nothing better finds: from the nearest anchor down by tags and places.

import type { LocatorPart } from "../api/bridge-api.ts";
import {
  attr,
  firstElementOf,
  hostOf,
  isElement,
  localNameOf,
  matches,
  nextElementOf,
  parentOf,
  rootOf,
} from "../dom/dom.ts";
import { attributeCss, outerOf, type Search } from "./search.ts";
import { isGenerated, isMadeUp, isStableClass } from "./stable-text.ts";

const STEPS_MAX = 40;

/** Returns the shortest path that matches the element alone, with a part for each shadow root on the way. */
export function cssPath(el: Element, search: Search): LocatorPart[] | undefined {
  return pathWithin(el, search, []) ?? pathThroughHost(el, search);
}

function pathThroughHost(el: Element, search: Search): LocatorPart[] | undefined {
  const root = rootOf(el);
  const host = root instanceof ShadowRoot ? cssPath(hostOf(root), search) : undefined;
  return host && pathWithin(el, search, host);
}

/** `outer`: the parts that lead to where the path begins. */
function pathWithin(el: Element, search: Search, outer: readonly LocatorPart[]): LocatorPart[] | undefined {
  let below: string[] = [];
  let at: Element = el;
  for (let count = 0; count < STEPS_MAX; count++) {
    const place = placeOf(at);
    const anchor = anchorOf(at);
    for (const step of [...(anchor ? [anchor] : []), ...(at === el ? classesOf(at) : []), place]) {
      const steps = [step, ...below];
      const parts = [...outer, css(steps.join(" > "))];
      if (search.isOnly(parts, el) && isOnlyThroughHosts(steps, outer, el, search)) return parts;
    }
    const parent = parentOf(at);
    if (!isElement(parent)) return undefined;
    below = [place, ...below];
    at = parent;
  }
  return undefined;
}

/** To test tools, what is at the top of a shadow root is a child of its host. The browser's selectors end there. */
function isOnlyThroughHosts(
  steps: readonly string[],
  outer: readonly LocatorPart[],
  el: Element,
  search: Search,
): boolean {
  const [last, ...above] = steps.toReversed();
  if (last === undefined || above.length === 0 || search.roots.length === 1) return true;
  return search.allOf([...outer, css(last)]).every((other) => other === el || !isBelow(other, above));
}

/** `above`: the selectors of the elements around it, the nearest first. */
function isBelow(el: Element, above: readonly string[]): boolean {
  let at: Element | null = el;
  for (const step of above) {
    at = outerOf(at);
    if (at === null || !matches(at, step)) return false;
  }
  return true;
}

const css = (value: string) => ({ by: "css", value }) as const;

function anchorOf(el: Element): string | undefined {
  const testId = attr(el, "data-testid");
  if (testId && !isMadeUp(testId)) return attributeCss("data-testid", testId);
  const id = attr(el, "id");
  return id && !isGenerated(id) ? `#${CSS.escape(id)}` : undefined;
}

function classesOf(el: Element): string[] {
  const tag = CSS.escape(localNameOf(el));
  return (attr(el, "class") ?? "")
    .split(/\s+/)
    .filter(isStableClass)
    .slice(0, 5)
    .map((name) => `${tag}.${CSS.escape(name)}`);
}

/** The tag, and its place among siblings of the same tag if there are several. */
function placeOf(el: Element): string {
  const tag = CSS.escape(localNameOf(el));
  let index = 0;
  let count = 0;
  const parent = parentOf(el) ?? rootOf(el);
  const first = isElement(parent)
    ? firstElementOf(parent)
    : (parent as ParentNode | undefined)?.firstElementChild;
  for (let each = first ?? null; each !== null; each = nextElementOf(each)) {
    if (localNameOf(each) !== localNameOf(el)) continue;
    count += 1;
    if (each === el) index = count;
  }
  return count > 1 ? `${tag}:nth-of-type(${index})` : tag;
}
