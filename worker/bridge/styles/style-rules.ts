// Which elements the page's style rules could give a pointer cursor, no pointer events, or generated content.
//
// Asking getComputedStyle of every element costs more than the rest of a snapshot. An author's `cursor` can only come
// from a rule or an inline style, so the rules' selectors are collected once a sheet, and only what they match is
// asked (`selector-index.ts`). A sheet that cannot be read (another origin's) could match anything: then everything is asked.

import {
  adoptedSheetsOf,
  matches,
  nodeTypeOf,
  queryAll,
  type Root,
  shadowAdoptedSheetsOf,
  shadowSheetsOf,
  styleSheetsOf,
} from "../dom/dom.ts";
import { isSameList } from "../dom/is-same-list.ts";
import { createRuleWatch, type RuleWatch } from "./rule-watch.ts";
import { indexSelectors, type SelectorIndex } from "./selector-index.ts";
import { mediaTextOf, noteReach, type Reach } from "./style-reach.ts";

/** What rules are collected for. `pseudo`: content of ::before and ::after; `skipped`: content-visibility; `scrolls`: overflow; `keeps`: white-space. */
export type Concern = "cursor" | "pointerEvents" | "pseudo" | "skipped" | "scrolls" | "keeps";

/** Elements of a root that a concern could touch; `all` where each has to be asked. */
export type Candidates = { has(el: Element): boolean } | "all";

interface Selectors extends Record<Concern, string[]> {
  /** Something here could not be read or turned into a selector. */
  unclear: boolean;
}

/** What one sheet says. A sheet that changed has another entry. */
export interface SheetEntry extends Selectors {
  readonly reach: Reach;
  /** Tells whether the sheet says it still. */
  readonly watch: RuleWatch;
  rules: number;
  last: CSSRule | undefined;
  /** When it was found to say it still. */
  checked: number;
}

const RULES_MAX = 50_000;

/** Reads the sheets of a root; remembers what a sheet says while it stays as it is. */
export interface StyleReader {
  /**
   * Which elements to ask for each concern. `few`: only some elements will be asked about, so each is matched when it is;
   * else all that match a selector without a key are collected first.
   */
  ask(root: Root, few: boolean): RootStyles;
  /** The sheets that apply. */
  entries(root: Root): readonly SheetEntry[];
  /** Styles may have moved: each sheet is compared with what it said, the next time that it is asked for. */
  renew(): void;
}

export type RootStyles = Record<Concern, Candidates> & {
  /** A sheet could not be read: everything is a candidate for everything. */
  unreadable: boolean;
};

export function readStyleRules(): StyleReader {
  const sheets = new WeakMap<CSSStyleSheet, SheetEntry>();
  let now = 0;
  const entries = (root: Root) =>
    sheetsOf(root).flatMap((sheet) => (sheet.disabled ? [] : [entryOf(sheet, sheets, now)]));
  const known = new WeakMap<Root, RootSelectors>();
  const selectors = (root: Root) => {
    const now = entries(root);
    const before = known.get(root);
    if (before !== undefined && isSameList(before.entries, now)) return before;
    const read = selectorsOf(now);
    known.set(root, read);
    return read;
  };
  return {
    entries,
    ask: (root, few) => candidatesOf(root, selectors(root), few),
    renew() {
      now += 1;
    },
  };
}

/** What the sheets of a root say together. */
interface RootSelectors {
  entries: readonly SheetEntry[];
  unclear: boolean;
  index: Record<Concern, SelectorIndex>;
}

function selectorsOf(entries: readonly SheetEntry[]): RootSelectors {
  const unclear = entries.some((entry) => entry.unclear);
  const isQuirks = document.compatMode === "BackCompat";
  const of = (concern: Concern) =>
    indexSelectors(unclear ? [] : entries.flatMap((entry) => entry[concern]), isQuirks);
  return { entries, unclear, index: eachConcern(of) };
}

function candidatesOf(root: Root, { unclear, index }: RootSelectors, few: boolean): RootStyles {
  const of = (concern: Concern): Candidates => (unclear ? "all" : select(root, index[concern], few));
  return { unreadable: unclear, ...eachConcern(of) };
}

function eachConcern<T>(of: (concern: Concern) => T): Record<Concern, T> {
  return {
    cursor: of("cursor"),
    pointerEvents: of("pointerEvents"),
    pseudo: of("pseudo"),
    skipped: of("skipped"),
    scrolls: of("scrolls"),
    keeps: of("keeps"),
  };
}

function entryOf(sheet: CSSStyleSheet, sheets: WeakMap<CSSStyleSheet, SheetEntry>, now: number): SheetEntry {
  const rules = rulesOf(sheet);
  const known = sheets.get(sheet);
  if (known !== undefined && rules !== undefined && isStill(known, rules, now)) return known;
  const entry: SheetEntry = {
    ...eachConcern((): string[] => []),
    unclear: rules === undefined,
    reach: { wide: [], media: [], unknown: rules === undefined },
    watch: createRuleWatch(),
    rules: rules?.length ?? 0,
    last: rules?.[rules.length - 1],
    checked: now,
  };
  if (rules !== undefined) {
    entry.watch.media(sheet.media);
    const condition = mediaTextOf(sheet.media);
    collect(rules, entry, condition === "" ? [] : [condition]);
  }
  sheets.set(sheet, entry);
  return entry;
}

// Most often a sheet gets more rules, or another one at its end; the rest is looked at where styles may have moved.
function isStill(entry: SheetEntry, rules: CSSRuleList, now: number): boolean {
  if (entry.rules !== rules.length || entry.last !== rules[rules.length - 1]) return false;
  if (entry.checked !== now && !entry.watch.isSame()) return false;
  entry.checked = now;
  return true;
}

function sheetsOf(root: Root): CSSStyleSheet[] {
  const isDocument = nodeTypeOf(root) === 9;
  const linked = isDocument ? styleSheetsOf(root as Document) : shadowSheetsOf(root as ShadowRoot);
  const adopted = isDocument ? adoptedSheetsOf(root as Document) : shadowAdoptedSheetsOf(root as ShadowRoot);
  return [...linked, ...adopted];
}

/** The sheet's rules; undefined where the browser does not let them be read. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch {
    return undefined; // SecurityError: the sheet is another origin's.
  }
}

const NONE: ReadonlySet<Element> = new Set();

// A root of which little is known is small, most often: asking each element costs less than knowing whom to ask.
function select(root: Root, index: SelectorIndex, few: boolean): Candidates {
  const { keyless, isEmpty } = index;
  if (isEmpty) return NONE;
  if (root instanceof ShadowRoot) return "all";
  if (keyless.length === 0) return index;
  if (few) {
    const any = keyless.join(", ");
    return { has: (el) => index.has(el) || matches(el, any) };
  }
  const found = new Set<Element>();
  for (const selector of keyless) for (const el of queryAll(root, selector)) found.add(el);
  return { has: (el) => found.has(el) || index.has(el) };
}

interface OpenRules {
  rules: CSSRuleList;
  /** The selector of the style rule around them. */
  parent: string | undefined;
  /** The media conditions that they stand under. */
  media: readonly string[];
}

// Rules nest (media, layers, supports, style in style): those inside a style rule need its selector before theirs.
function collect(top: CSSRuleList, entry: SheetEntry, media: readonly string[]): void {
  const open: OpenRules[] = [{ rules: top, parent: undefined, media }];
  let seen = 0;
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    entry.watch.list(group.rules);
    for (const rule of group.rules) {
      if (++seen > RULES_MAX) entry.unclear = true;
      if (entry.unclear) {
        entry.reach.unknown = true;
        return;
      }
      collectRule(rule, group, entry, open);
    }
  }
}

function collectRule(rule: CSSRule, around: OpenRules, entry: SheetEntry, open: OpenRules[]): void {
  if (rule instanceof CSSImportRule) {
    const rules = rule.styleSheet === null ? undefined : rulesOf(rule.styleSheet);
    // What an imported sheet becomes later is not followed.
    entry.reach.unknown = true;
    if (rules !== undefined) open.push({ rules, parent: undefined, media: around.media });
    else if (rule.styleSheet !== null) entry.unclear = true;
    return;
  }
  const parent = rule instanceof CSSStyleRule ? nested(rule.selectorText, around.parent) : around.parent;
  if (rule instanceof CSSMediaRule) entry.watch.media(rule.media);
  const media = rule instanceof CSSMediaRule ? [...around.media, mediaTextOf(rule.media)] : around.media;
  // Style rules, and the bare declarations between rules nested in one.
  if ("style" in rule && parent !== undefined) {
    const style = rule.style as CSSStyleDeclaration;
    noteRule(style, parent, entry);
    noteReach(entry.reach, style, parent, media);
    entry.watch.style(style, rule);
  }
  if (!("cssRules" in rule) || rule instanceof CSSKeyframesRule) return;
  const rules = rule.cssRules as CSSRuleList;
  if (rules.length === 0) {
    entry.watch.list(rules);
    return;
  }
  if (rule instanceof CSSScopeRule) entry.unclear = true;
  else open.push({ rules, parent, media });
  if (!(rule instanceof CSSStyleRule || rule instanceof CSSMediaRule || STANDING.has(rule.constructor.name)))
    entry.reach.unknown = true;
}

/** Groups of rules whose condition never changes. */
const STANDING = new Set(["CSSSupportsRule", "CSSLayerBlockRule"]);

function nested(selector: string, parent: string | undefined): string {
  if (parent === undefined) return selector;
  const inParent = `:is(${parent})`;
  return selector.includes("&") ? selector.replaceAll("&", inParent) : `${inParent} :is(${selector})`;
}

// `.a::before` is looked for as `.a`.
const NO_CONTENT = new Set(["", "none", "normal", '""', "initial", "inherit", "unset"]);
const PSEUDO_ELEMENT = /::?(?:before|after)\b/i;

const SCROLLING = /auto|scroll|overlay|var\(/;
const KEEPING = /pre|break-spaces|var\(/;

function noteRule(style: CSSStyleDeclaration, selector: string, entry: SheetEntry): void {
  if (PSEUDO_ELEMENT.test(selector)) {
    if (!NO_CONTENT.has(style.content)) add(entry, "pseudo", selector);
    return;
  }
  if (style.cursor !== "" && /pointer|var\(/.test(style.cursor)) add(entry, "cursor", selector);
  if (style.pointerEvents !== "") add(entry, "pointerEvents", selector);
  if (style.contentVisibility === "hidden") add(entry, "skipped", selector);
  if (SCROLLING.test(style.overflow || style.overflowX + style.overflowY)) add(entry, "scrolls", selector);
  if (KEEPING.test(style.whiteSpace || style.getPropertyValue("white-space-collapse")))
    add(entry, "keeps", selector);
}

function add(entry: SheetEntry, concern: Concern, selector: string): void {
  const plain = selector.replace(/::?(?:before|after)\b/gi, "").replace(/(^|[\s>+~,(])(?=[,)]|$)/g, "$1*");
  // Other pseudo-elements (::placeholder, ::-webkit-scrollbar) are no elements; what ::part, ::slotted and :host match
  // lies outside the sheet's own tree.
  if (!plain.includes("::") && isSelector(plain)) entry[concern].push(plain);
}

function isSelector(selector: string): boolean {
  try {
    queryAll(new DocumentFragment(), selector);
    return true;
  } catch {
    return false; // SyntaxError: it nests in a way that a plain selector cannot say.
  }
}
