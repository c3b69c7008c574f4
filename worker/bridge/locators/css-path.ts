// Writes a CSS selector for an element that nothing better finds: from the nearest anchor down by tags and places.

import type { LocatorPart } from "../api/bridge-api.ts";
import {
  attr,
  firstElementOf,
  hostOf,
  isElement,
  localNameOf,
  nextElementOf,
  parentOf,
  rootOf,
} from "../dom/dom.ts";
import { attributeCss, type Search } from "./search.ts";
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
  let path = "";
  let at: Element = el;
  for (let count = 0; count < STEPS_MAX; count++) {
    const anchor = anchorOf(at);
    const ways = [anchor, ...(path === "" ? classesOf(at) : [])].filter((way) => way !== undefined);
    path = ` > ${placeOf(at)}${path}`;
    const rest = path.slice(3 + placeOf(at).length);
    for (const way of [...ways.map((each) => each + rest), path.slice(3)]) {
      const parts = [...outer, css(way)];
      if (search.isOnly(parts, el)) return parts;
    }
    const parent = parentOf(at);
    if (!isElement(parent)) return undefined;
    at = parent;
  }
  return undefined;
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
