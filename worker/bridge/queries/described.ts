// Finds elements by words that describe them: role, name, text, and what their attributes say.

import type { DescriptionFound, DescriptionQuery } from "../api/bridge-api.ts";
import { attr } from "../dom/dom.ts";
import { refText } from "../dom/ref-text.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { plainText } from "../locators/plain-text.ts";
import { outerOf } from "../locators/search.ts";
import type { Item } from "../tree/item.ts";
import { comparable } from "../tree/visible-text.ts";
import { lineOf, places, textsOf } from "./find.ts";

const ATTRIBUTES = ["id", "data-testid", "name", "placeholder", "title", "type"];
/** These words say that something is meant, not what. */
const EMPTY = new Set([
  "the",
  "a",
  "an",
  "of",
  "in",
  "on",
  "at",
  "for",
  "to",
  "with",
  "and",
  "element",
  "control",
]);
const ANCESTORS_MAX = 20;

interface Hit {
  item: Item;
  /** How many of the words fit. */
  fits: number;
  /** How many levels up something holds the words of `near`. */
  far: number;
}

export function described(
  context: PageContext,
  { description, near, limit }: DescriptionQuery,
): DescriptionFound {
  const words = wordsOf(description);
  const around = near === undefined ? undefined : comparable(near);
  const hits: Hit[] = [];
  for (const { node } of places(context.update(false).top)) {
    if (node.kind !== "element") continue;
    const fits = fitting(node, words);
    if (fits > 0) hits.push({ item: node, fits, far: 0 });
  }
  const most = Math.max(0, ...hits.map(({ fits }) => fits));
  const best = hits.filter(({ fits }) => fits === most);
  if (around !== undefined) for (const hit of best) hit.far = distance(hit.item.el, around);
  best.sort((a, b) => rank(a) - rank(b));
  const nearest = around === undefined ? best : best.filter(({ far }) => far === best[0]?.far);
  return {
    hits: nearest.slice(0, limit).map(({ item }) => {
      const line = lineOf(item, context);
      return { ref: refIn(item, context), line };
    }),
    total: nearest.length,
    whole: words.length > 0 && most === words.length,
  };
}

/** Among equals, what can be acted on comes first. */
function rank({ item, far }: Hit): number {
  return far * 2 + (item.ref === 0 ? 1 : 0);
}

function refIn(item: Item, context: PageContext): string {
  return refText(item.ref !== 0 ? item.ref : context.refs.mint(item.el, item.role, item.name));
}

function wordsOf(text: string): string[] {
  return comparable(text)
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== "" && !EMPTY.has(word))
    .slice(0, 30);
}

function fitting(item: Item, words: readonly string[]): number {
  const texts = [item.role, ...textsOf(item), ...ATTRIBUTES.map((name) => attr(item.el, name) ?? "")];
  const own = comparable(texts.join(" "));
  return words.filter((word) => own.includes(word)).length;
}

function distance(el: Element, around: string): number {
  let levels = 0;
  for (let up = outerOf(el); up !== null && levels < ANCESTORS_MAX; up = outerOf(up), levels++)
    if (comparable(plainText(up)).includes(around)) return levels;
  return ANCESTORS_MAX;
}
