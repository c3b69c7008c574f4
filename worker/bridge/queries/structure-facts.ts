// Reads an element for the structural queries: attributes, children, refs and texts inside, an outline.

import type { Attributes, PatternInfo } from "../api/bridge-api.ts";
import { fullName } from "../aria/name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import {
  attr,
  checkVisibility,
  composedParent,
  contentNodes,
  dataOf,
  ELEMENT,
  nodeTypeOf,
  plainTag,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { collapsed, shortened } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { spokenRole } from "../tree/describe.ts";

const SHOWN_ATTRIBUTES = ["class", "id", "data-testid", "role", "aria-label"];
const ATTRIBUTE_MAX = 200;
const TEXTS_MAX = 10;
const TEXT_MAX = 100;
const OUTLINE_MAX = 6;
const OUTLINE_TEXT_MAX = 200;
const VISITED_MAX = 2_000;

/** Returns the attributes that a locator can use, if they are not empty. */
export function attributesOf(el: Element): Attributes {
  const shown: Attributes = {};
  for (const name of SHOWN_ATTRIBUTES) {
    const value = attr(el, name)?.trim();
    if (value !== undefined && value !== "") shown[name] = shortened(value, ATTRIBUTE_MAX);
  }
  return shown;
}

/** Returns the element's children as they are rendered, without scripts and other silent tags. */
export function childrenOf(el: Element): Element[] {
  const children: Element[] = [];
  for (const node of contentNodes(el)) {
    if (nodeTypeOf(node) === ELEMENT && !SILENT_TAGS.has(tagOf(node as Element)))
      children.push(node as Element);
  }
  return children;
}

/** Returns the refs that each container is or holds, in their order. */
export function refsInside(
  context: PageContext,
  containers: readonly Element[],
  max: number,
): Map<Element, string[]> {
  const found = new Map<Element, string[]>(containers.map((el) => [el, []]));
  for (const { number, element } of context.refs.living()) {
    for (let up: Element | null = element; up !== null; up = composedParent(up)) {
      const refs = found.get(up);
      if (refs !== undefined && refs.length < max) refs.push(refText(number));
    }
  }
  return found;
}

/** Returns all text of the visible elements inside, as one line. */
export function wholeText(el: Element, max: number): string {
  let text = "";
  for (const node of textNodes(el)) {
    text += `${dataOf(node).slice(0, 4 * max)} `;
    if (text.length > 8 * max) break;
  }
  return shortened(collapsed(text), max);
}

/** Returns the element's own text nodes, without the text of its children. */
export function directText(el: Element, max: number): string {
  let text = "";
  for (const node of contentNodes(el))
    if (nodeTypeOf(node) === TEXT) text += ` ${dataOf(node as Text).slice(0, 4 * max)}`;
  return shortened(collapsed(text), max);
}

/** Returns the visible texts inside, each once. */
export function textsOf(el: Element): string[] {
  const texts = new Set<string>();
  for (const node of textNodes(el)) {
    const text = shortened(collapsed(dataOf(node).slice(0, 4 * TEXT_MAX)), TEXT_MAX);
    if (text.length > 1) texts.add(text);
    if (texts.size === TEXTS_MAX) break;
  }
  return [...texts];
}

// Yields the text nodes of the visible elements inside, in order. The number of visited elements is bounded.
function* textNodes(el: Element): Generator<Text> {
  const stack: Node[] = [el];
  let visited = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const type = nodeTypeOf(node);
    if (type === TEXT) yield node as Text;
    if (type !== ELEMENT || SILENT_TAGS.has(tagOf(node as Element))) continue;
    if (node !== el && !checkVisibility(node as Element, { visibilityProperty: true })) continue;
    if (++visited > VISITED_MAX) return;
    stack.push(...[...contentNodes(node as Element)].reverse());
  }
}

/**
 * Returns the notable elements inside: headings, controls, images, elements with a test id. Each like line appears
 * once.
 */
export function outlineOf(el: Element, survey: PassCache): PatternInfo["outline"] {
  const outline = new Map<string, PatternInfo["outline"][number]>();
  const stack: Element[] = [el];
  for (let visited = 0; stack.length > 0 && visited < VISITED_MAX && outline.size < OUTLINE_MAX; visited++) {
    const inner = stack.pop() as Element;
    const tag = tagOf(inner);
    const role = spokenRole(inner, tag);
    const testid = attr(inner, "data-testid")?.trim();
    if (role !== "generic" || (testid !== undefined && testid !== "")) {
      const text = shortened(
        fullName(inner, tag, role, survey) || directText(inner, OUTLINE_TEXT_MAX),
        OUTLINE_TEXT_MAX,
      );
      if (text !== "" || testid) {
        const line = { role, tag: plainTag(inner), text, ...(testid ? { testid } : {}) };
        outline.set(JSON.stringify(line), line);
      }
    }
    stack.push(...childrenOf(inner).reverse());
  }
  return [...outline.values()];
}
