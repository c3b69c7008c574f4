// Which elements the page's style rules could give a pointer cursor, no pointer events, or generated content.
//
// Asking getComputedStyle of every element costs more than the rest of a snapshot. An author's `cursor` can only come
// from a rule or an inline style, so the rules' selectors are collected once a sheet, and only what they match is
// asked. A sheet that cannot be read (another origin's) could match anything: then everything is asked.

import {
  adoptedSheetsOf,
  nodeTypeOf,
  queryAll,
  type Root,
  shadowAdoptedSheetsOf,
  shadowSheetsOf,
  styleSheetsOf,
} from "./dom.ts";

/** What rules are collected for. `pseudo`: content of ::before and ::after; `skipped`: content-visibility. */
export type Concern = "cursor" | "pointerEvents" | "pseudo" | "skipped";

/** Elements of a root that a concern could touch; `all` where each has to be asked. */
export type Candidates = ReadonlySet<Element> | "all";

interface Selectors {
  cursor: string[];
  pointerEvents: string[];
  pseudo: string[];
  skipped: string[];
  /** Something here could not be read or turned into a selector. */
  unclear: boolean;
}

interface SheetEntry extends Selectors {
  rules: number;
  last: CSSRule | undefined;
}

const RULES_MAX = 50_000;
const CONCERNS: readonly Concern[] = ["cursor", "pointerEvents", "pseudo", "skipped"];

/** Answers which elements of a root to ask for each concern; remembers what a sheet says while it stays as it is. */
export type AskStyles = (root: Root) => RootStyles;

export type RootStyles = Record<Concern, Candidates> & {
  /** A sheet could not be read: everything is a candidate for everything. */
  unreadable: boolean;
};

export function readStyleRules(): AskStyles {
  const sheets = new WeakMap<CSSStyleSheet, SheetEntry>();
  return (root) => {
    const found: Selectors = { cursor: [], pointerEvents: [], pseudo: [], skipped: [], unclear: false };
    for (const sheet of sheetsOf(root)) {
      if (sheet.disabled) continue;
      const entry = entryOf(sheet, sheets);
      if (entry.unclear) found.unclear = true;
      for (const concern of CONCERNS) found[concern].push(...entry[concern]);
    }
    return {
      unreadable: found.unclear,
      cursor: select(root, found.cursor, found.unclear),
      pointerEvents: select(root, found.pointerEvents, found.unclear),
      pseudo: select(root, found.pseudo, found.unclear),
      skipped: select(root, found.skipped, found.unclear),
    };
  };
}

// A sheet is read again when it has more or fewer rules, or another last one.
function entryOf(sheet: CSSStyleSheet, sheets: WeakMap<CSSStyleSheet, SheetEntry>): SheetEntry {
  const rules = rulesOf(sheet);
  const known = sheets.get(sheet);
  const last = rules?.[rules.length - 1];
  if (known !== undefined && rules !== undefined && known.rules === rules.length && known.last === last)
    return known;
  const entry: SheetEntry = {
    cursor: [],
    pointerEvents: [],
    pseudo: [],
    skipped: [],
    unclear: rules === undefined,
    rules: rules?.length ?? 0,
    last,
  };
  if (rules !== undefined) collect(rules, entry);
  sheets.set(sheet, entry);
  return entry;
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

// In a shadow root, most often small, asking each element is cheaper than a query for each selector.
function select(root: Root, selectors: string[], unclear: boolean): Candidates {
  if (unclear) return "all";
  if (selectors.length === 0) return NONE;
  if (root instanceof ShadowRoot) return "all";
  const found = new Set<Element>();
  for (const selector of new Set(selectors)) {
    for (const el of queryAll(root, selector)) found.add(el);
  }
  return found;
}

interface OpenRules {
  rules: CSSRuleList;
  /** The selector of the style rule around them. */
  parent: string | undefined;
}

// Rules nest (media, layers, supports, style in style): those inside a style rule need its selector before theirs.
function collect(top: CSSRuleList, entry: SheetEntry): void {
  const open: OpenRules[] = [{ rules: top, parent: undefined }];
  let seen = 0;
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    for (const rule of group.rules) {
      if (++seen > RULES_MAX) entry.unclear = true;
      if (entry.unclear) return;
      collectRule(rule, group.parent, entry, open);
    }
  }
}

function collectRule(rule: CSSRule, around: string | undefined, entry: SheetEntry, open: OpenRules[]): void {
  if (rule instanceof CSSImportRule) {
    const rules = rule.styleSheet === null ? undefined : rulesOf(rule.styleSheet);
    if (rules !== undefined) open.push({ rules, parent: undefined });
    else if (rule.styleSheet !== null) entry.unclear = true;
    return;
  }
  const parent = rule instanceof CSSStyleRule ? nested(rule.selectorText, around) : around;
  // Style rules, and the bare declarations between rules nested in one.
  if ("style" in rule && parent !== undefined) noteRule(rule.style as CSSStyleDeclaration, parent, entry);
  if (!("cssRules" in rule) || rule instanceof CSSKeyframesRule) return;
  const rules = rule.cssRules as CSSRuleList;
  if (rules.length === 0) return;
  if (rule instanceof CSSScopeRule) entry.unclear = true;
  else open.push({ rules, parent });
}

function nested(selector: string, parent: string | undefined): string {
  if (parent === undefined) return selector;
  const inParent = `:is(${parent})`;
  return selector.includes("&") ? selector.replaceAll("&", inParent) : `${inParent} :is(${selector})`;
}

// `.a::before` is looked for as `.a`.
const NO_CONTENT = new Set(["", "none", "normal", '""', "initial", "inherit", "unset"]);
const PSEUDO_ELEMENT = /::?(?:before|after)\b/i;

function noteRule(style: CSSStyleDeclaration, selector: string, entry: SheetEntry): void {
  if (PSEUDO_ELEMENT.test(selector)) {
    if (!NO_CONTENT.has(style.content)) add(entry, "pseudo", selector);
    return;
  }
  if (style.cursor !== "" && /pointer|var\(/.test(style.cursor)) add(entry, "cursor", selector);
  if (style.pointerEvents !== "") add(entry, "pointerEvents", selector);
  if (style.contentVisibility === "hidden") add(entry, "skipped", selector);
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
