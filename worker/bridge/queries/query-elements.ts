// Finds elements by a CSS selector. A selector that matches nothing is answered with the nearest ones that match.

import { visiblePlace } from "../actions/ready.ts";
import type { ElementsFound, ElementsQuery } from "../api/bridge-api.ts";
import { attr, plainTag, queryAll, type Root } from "../dom/dom.ts";
import { inlined, quoted, shortened } from "../dom/quote.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { plainText } from "../locators/plain-text.ts";
import { attributeCss } from "../locators/search.ts";
import { describe } from "../tree/describe.ts";
import type { Item } from "../tree/item.ts";
import { comparable } from "../tree/visible-text.ts";
import { lineOf, places, textsOf } from "./find.ts";

const MATCHES_MAX = 5_000;
const SCANNED_MAX = 20_000;
const NEAR_MAX = 5;
const LIKE_LEAST = 0.35;
const TEXT_MAX = 100;
const VALUE_MAX = 100;
const SHOWN = ["id", "class", "name", "type", "href", "data-testid"];

export function queryElements(context: PageContext, query: ElementsQuery): ElementsFound {
  const roots: Root[] = [document, ...context.shadowRoots()];
  const matches: Element[] = [];
  try {
    for (const root of roots) {
      for (const el of queryAll(root, query.selector)) {
        if (matches.length >= MATCHES_MAX) break;
        matches.push(el);
      }
    }
  } catch (error) {
    return { state: "invalid", problem: error instanceof DOMException ? error.name : "Error" };
  }
  const seen = query.hidden ? matches : matches.filter((el) => visiblePlace(el, context) !== undefined);
  const wanted = query.text === undefined ? undefined : comparable(query.text);
  const fitting =
    wanted === undefined ? seen : seen.filter((el) => comparable(plainText(el)).includes(wanted));
  const items = itemsOf(context, new Set(fitting.slice(0, query.limit)));
  return {
    state: "found",
    hits: fitting.slice(0, query.limit).map((el) => ({
      line: items.get(el) ?? ownLine(el, context),
      tag: plainTag(el),
      visible: visiblePlace(el, context) !== undefined,
      attributes: attributesOf(el),
    })),
    total: fitting.length,
    hidden: matches.length - seen.length,
    otherText: seen.length - fitting.length,
    near: matches.length === 0 ? nearSelectors(query.selector, roots) : [],
  };
}

/** Returns the lines of the elements that are in the tree and say something there. */
function itemsOf(context: PageContext, wanted: ReadonlySet<Element>): Map<Element, string> {
  const lines = new Map<Element, string>();
  if (wanted.size === 0) return lines;
  for (const { node } of places(context.update(false).top))
    if (node.kind === "element" && wanted.has(node.el) && textsOf(node).length > 0)
      lines.set(node.el, lineOf(node as Item, context));
  return lines;
}

function ownLine(el: Element, context: PageContext): string {
  const { role, name, ref } = describe(el, context);
  const text = shortened(plainText(el), TEXT_MAX);
  const isNamed = name !== "" && role !== "generic";
  const head = `- ${role}${isNamed ? ` ${quoted(name)}` : ""} [ref=${ref}]`;
  return text === "" || (isNamed && text === name) ? head : `${head}: ${inlined(text)}`;
}

function attributesOf(el: Element): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of SHOWN) {
    const value = attr(el, name);
    if (value) shown[name] = shortened(value, VALUE_MAX);
  }
  return shown;
}

/** Returns selectors by id, class, test id, name and tag that are written like a part of this one. */
function nearSelectors(selector: string, roots: readonly Root[]): { selector: string; count: number }[] {
  const wanted = (selector.match(/[\p{L}\p{N}_-]{2,60}/gu) ?? []).slice(0, 20);
  const counts = new Map<string, { count: number; word: string }>();
  let scanned = 0;
  for (const root of roots) {
    for (const el of queryAll(root, "*")) {
      if (++scanned > SCANNED_MAX) break;
      for (const [each, word] of simpleSelectors(el)) {
        const known = counts.get(each);
        if (known) known.count += 1;
        else counts.set(each, { count: 1, word });
      }
    }
  }
  return [...counts]
    .map(([each, { count, word }]) => ({ selector: each, count, like: likeness(word, wanted) }))
    .filter(({ like }) => like >= LIKE_LEAST)
    .sort((a, b) => b.like - a.like || a.count - b.count)
    .slice(0, NEAR_MAX)
    .map(({ selector: each, count }) => ({ selector: each, count }));
}

function* simpleSelectors(el: Element): Generator<[selector: string, word: string]> {
  const fits = (value: string | null): value is string =>
    value !== null && value !== "" && value.length <= 60;
  const id = attr(el, "id");
  if (fits(id)) yield [`#${CSS.escape(id)}`, id];
  for (const name of (attr(el, "class") ?? "").split(/\s+/).slice(0, 10))
    if (fits(name)) yield [`.${CSS.escape(name)}`, name];
  for (const name of ["data-testid", "name"]) {
    const value = attr(el, name);
    if (fits(value)) yield [attributeCss(name, value), value];
  }
}

function likeness(word: string, wanted: readonly string[]): number {
  return Math.max(0, ...wanted.map((each) => dice(word.toLowerCase(), each.toLowerCase())));
}

/** The share of common pairs of letters (Dice's coefficient). */
function dice(one: string, other: string): number {
  const pairs = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
  const left = pairs(other);
  const all = pairs(one).length + left.length;
  const common = pairs(one).filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return all === 0 ? 0 : (2 * common.length) / all;
}
