// Finds the elements that the page's style rules could give a pointer cursor, no pointer events or generated content.
// getComputedStyle for every element would cost more than the rest of a snapshot. An author's `cursor` can only come
// from a rule or an inline style. So the selectors are collected once a sheet, and only matching elements are asked
// (`selector-index.ts`). An unreadable sheet (of another origin) could match anything, so then every element is asked.

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

/**
 * Rules are collected for these concerns. `pseudo` is the content of ::before and ::after. `skipped` is
 * content-visibility, `scrolls` is overflow, and `keeps` is white-space.
 */
export type Concern = "cursor" | "pointerEvents" | "pseudo" | "skipped" | "scrolls" | "keeps";

/** These elements of a root could be touched by a concern. With `all`, each element has to be asked. */
export type Candidates = { has(el: Element): boolean } | "all";

interface Selectors extends Record<Concern, string[]> {
  /** A rule could not be read or turned into a selector. */
  unclear: boolean;
}

/** Holds what one sheet says. A changed sheet gets another entry. */
export interface SheetEntry extends Selectors {
  readonly reach: Reach;
  readonly watch: RuleWatch;
  rules: number;
  last: CSSRule | undefined;
  /** The value of the renewal counter when the sheet was last found unchanged. */
  checked: number;
}

const RULES_MAX = 50_000;

/** Reads the sheets of a root. It remembers what a sheet says until the sheet changes. */
export interface StyleReader {
  /**
   * Returns which elements to ask for each concern. With `few`, each element is matched when it is asked about, because
   * only some will be. Otherwise all matches of the selectors without a key are collected first.
   */
  ask(root: Root, few: boolean): RootStyles;
  /** Returns the sheets that apply. */
  entries(root: Root): readonly SheetEntry[];
  /** Makes the next question compare each sheet with what it said before, because styles may have moved. */
  renew(): void;
}

export type RootStyles = Record<Concern, Candidates> & {
  /** A sheet could not be read, so every element is a candidate for every concern. */
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

/** Combines what the sheets of a root say. */
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

// Most often a sheet gets more rules, or a different last rule. The rest is compared only if styles may have moved.
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

/** Returns the sheet's rules, or undefined if the browser does not let the bridge read them. */
function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch {
    return undefined; // SecurityError: the sheet belongs to another origin.
  }
}

const NONE: ReadonlySet<Element> = new Set();

// A shadow root is small most often. Then a question to each element costs less than a search for candidates.
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
  /** The selector of the style rule around the rules. */
  parent: string | undefined;
  /** The media conditions around the rules. */
  media: readonly string[];
}

// Rules nest (media, layers, supports, style in style). A rule inside a style rule needs that rule's selector in front.
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
    // Later changes of an imported sheet are not followed.
    entry.reach.unknown = true;
    if (rules !== undefined) open.push({ rules, parent: undefined, media: around.media });
    else if (rule.styleSheet !== null) entry.unclear = true;
    return;
  }
  const parent = rule instanceof CSSStyleRule ? nested(rule.selectorText, around.parent) : around.parent;
  if (rule instanceof CSSMediaRule) entry.watch.media(rule.media);
  const media = rule instanceof CSSMediaRule ? [...around.media, mediaTextOf(rule.media)] : around.media;
  // This takes style rules, and the bare declarations between the rules nested in one.
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

/** The condition of these groups of rules never changes. */
const STANDING = new Set(["CSSSupportsRule", "CSSLayerBlockRule"]);

function nested(selector: string, parent: string | undefined): string {
  if (parent === undefined) return selector;
  const inParent = `:is(${parent})`;
  return selector.includes("&") ? selector.replaceAll("&", inParent) : `${inParent} :is(${selector})`;
}

// The selector `.a::before` is queried as `.a`.
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
  // Other pseudo-elements (::placeholder, ::-webkit-scrollbar) are no elements. The matches of ::part, ::slotted and
  // :host lie outside the sheet's own tree.
  if (!plain.includes("::") && isSelector(plain)) entry[concern].push(plain);
}

function isSelector(selector: string): boolean {
  try {
    queryAll(new DocumentFragment(), selector);
    return true;
  } catch {
    return false; // SyntaxError: the rule nests in a way that a plain selector cannot express.
  }
}
