// Decides if any of many selectors matches an element. An icon font has thousands of rules, one a class. So each
// selector is stored under the last id, class or tag in it. Only the selectors that could match an element are tried.

import { attr, localNameOf, matches } from "../dom/dom.ts";

export interface SelectorIndex {
  /** Reports if one of the selectors with a key matches. */
  has(el: Element): boolean;
  /** These selectors have no key: they could match any element. */
  readonly keyless: readonly string[];
  /** There are no selectors at all. */
  readonly isEmpty: boolean;
}

interface Buckets {
  ids: Map<string, string[]>;
  classes: Map<string, string[]>;
  tags: Map<string, string[]>;
}

/** With `isQuirks`, the case of ids and classes does not matter. */
export function indexSelectors(lists: Iterable<string>, isQuirks: boolean): SelectorIndex {
  const buckets: Buckets = { ids: new Map(), classes: new Map(), tags: new Map() };
  const keyless: string[] = [];
  const fold = isQuirks ? (text: string) => text.toLowerCase() : (text: string) => text;
  for (const list of new Set(lists)) {
    for (const selector of partsOf(list)) {
      const key = keyOf(selector);
      if (key === undefined) keyless.push(selector);
      else put(buckets[key.kind], key.kind === "tags" ? key.name.toLowerCase() : fold(key.name), selector);
    }
  }
  const { ids, classes, tags } = buckets;
  const fits = (el: Element, selectors: string[] | undefined) =>
    selectors?.some((selector) => matches(el, selector)) === true;
  return {
    keyless,
    isEmpty: keyless.length + ids.size + classes.size + tags.size === 0,
    has(el) {
      if (tags.size > 0 && fits(el, tags.get(localNameOf(el).toLowerCase()))) return true;
      if (classes.size > 0 && namesOf(el).some((name) => fits(el, classes.get(fold(name))))) return true;
      return ids.size > 0 && fits(el, ids.get(fold(attr(el, "id") ?? "")));
    },
  };
}

const NONE: readonly string[] = [];

function namesOf(el: Element): readonly string[] {
  const text = attr(el, "class");
  if (text === null || text === "") return NONE;
  return /[\t\n\f\r ]/.test(text) ? text.split(/[\t\n\f\r ]+/) : [text];
}

function put(bucket: Map<string, string[]>, key: string, selector: string): void {
  const known = bucket.get(key);
  if (known === undefined) bucket.set(key, [selector]);
  else known.push(selector);
}

function partsOf(list: string): string[] {
  if (!list.includes(",")) return [list];
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (const { 0: token, index } of list.matchAll(TOKENS)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (token === "," && depth === 0) {
      parts.push(list.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, list.slice(from)].map((part) => part.trim());
}

/** Matches the parts in which commas and parentheses mean nothing, or a single comma or parenthesis. */
const TOKENS = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\]|[(),]/g;

type Key = { kind: keyof Buckets; name: string };

/** Returns something that each matching element must have. It returns undefined if that is not simple to find. */
function keyOf(selector: string): Key | undefined {
  if (/[\\|]/.test(selector)) return undefined;
  let bare = selector.replace(/"[^"]*"|'[^']*'/g, "").replace(/\[[^\]]*\]/g, "");
  for (let before = ""; before !== bare; ) {
    before = bare;
    bare = bare.replace(/:[\w-]+\([^()]*\)/g, "");
  }
  const last = /[^\s>+~]*$/.exec(bare.trim())?.[0] ?? "";
  if (/[()]/.test(last)) return undefined;
  const plain = last.replace(/::?[\w-]+/g, "");
  const [, id] = /#([\w\u0080-\uffff-]+)/.exec(plain) ?? [];
  if (id !== undefined) return { kind: "ids", name: id };
  const [, name] = /\.([\w\u0080-\uffff-]+)/.exec(plain) ?? [];
  if (name !== undefined) return { kind: "classes", name };
  const [tag] = /^[a-z][\w-]*/i.exec(plain) ?? [];
  return tag === undefined ? undefined : { kind: "tags", name: tag };
}
