// Finds the elements that a locator matches, as test tools find them: through open shadow roots, closed ones never.

import type { LocatorPart } from "../api/bridge-api.ts";
import { queriedName } from "../aria/name.ts";
import { labelsOf } from "../aria/native-name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { NAMED_BY_CONTENT } from "../aria/role-names.ts";
import {
  attr,
  byId,
  firstElementOf,
  getter,
  has,
  hostOf,
  isElement,
  matches,
  nextElementOf,
  parentOf,
  queryAll,
  type Root,
  rootOf,
  shadowRootOf,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { plainText } from "./plain-text.ts";
import { isQueried, mayHaveRole, queriedRole } from "./queried-role.ts";

const modeOf = getter(ShadowRoot.prototype, "mode");

/** The means of a search. */
export interface Search {
  /** The document and all open shadow roots, also those in hidden parts, which no snapshot meets. */
  readonly roots: readonly Root[];
  readonly survey: PassCache;
  /** Returns the element's name as it is queried. */
  nameOf(el: Element, role: string): string;
  /** Returns true if the locator matches the element and no other. */
  isOnly(parts: readonly LocatorPart[], el: Element): boolean;
  /** Returns all elements that the locator matches. */
  allOf(parts: readonly LocatorPart[]): Element[];
  /** Returns true if the part matches the element and no other within the scope. */
  isOnlyIn(part: LocatorPart, el: Element, scope: Element): boolean;
}

/** Begins a search. Its results are valid until the page changes. */
export function createSearch(survey: PassCache): Search {
  const names = new Map<Element, string>();
  let roots: readonly Root[] | undefined;
  const search: Search = {
    get roots() {
      roots ??= openRoots(document);
      return roots;
    },
    survey,
    nameOf(el, role) {
      let name = names.get(el);
      if (name === undefined) {
        name = isUnnamedFile(el, survey) ? "" : collapsed(queriedName(el, tagOf(el), role, survey)).trim();
        names.set(el, name);
      }
      return name;
    },
    isOnly: (parts, el) => isAlone(matchesOf(parts, search, 2), el),
    allOf: (parts) => matchesOf(parts, search),
    isOnlyIn: (part, el, scope) => isAlone(matchesOf([part], search, 2, scope), el),
  };
  return search;
}

function openRoots(root: Root): Root[] {
  const found = [root];
  for (const el of queryAll(root, "*")) {
    const inner = shadowRootOf(el);
    if (inner !== null && modeOf(inner) === "open") found.push(...openRoots(inner));
  }
  return found;
}

function isAlone(found: readonly Element[], el: Element): boolean {
  return found.length === 1 && found[0] === el;
}

// The tree names such a field as the browser does, in words that test tools do not know.
function isUnnamedFile(el: Element, survey: PassCache): boolean {
  return matches(el, "input[type=file i]:not([title])") && labelTexts(el, survey).length === 0;
}

/** Reports if test tools reach the element: none of the shadow roots around it is closed. */
export function isReachable(el: Element): boolean {
  const root = rootOf(el);
  if (root === document) return true;
  if (!(root instanceof ShadowRoot) || modeOf(root) !== "open") return false;
  return shadowRootOf(hostOf(root)) === root && isReachable(hostOf(root));
}

/** Returns what the locator matches, in the document or within an element. It stops at `most` matches. */
function matchesOf(
  parts: readonly LocatorPart[],
  search: Search,
  most = Number.POSITIVE_INFINITY,
  scope?: Element,
): Element[] {
  let scopes: readonly (Element | undefined)[] = [scope];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = new Set<Element>();
    for (const each of scopes) {
      for (const el of matchesIn(part, search, each)) {
        found.add(el);
        if (isLast && found.size >= most) return [...found];
      }
    }
    scopes = [...found];
  }
  return scopes as Element[];
}

/** Returns the element that holds this one, out of shadow roots too. Slots do not count: test tools ignore them. */
export function outerOf(el: Element): Element | null {
  const parent = parentOf(el);
  if (isElement(parent)) return parent;
  return parent instanceof ShadowRoot ? hostOf(parent) : null;
}

/** Returns the texts that label a control, as they are queried. */
export function labelTexts(el: Element, survey: PassCache): string[] {
  const ids = attr(el, "aria-labelledby");
  const root = ids === null ? undefined : rootOf(el);
  const named = root && (ids ?? "").split(/\s+/).flatMap((id) => (id && byId(root, id)) || []);
  if (named && named.length > 0) return named.map(plainText);
  const label = attr(el, "aria-label")?.trim();
  if (label) return [collapsed(label)];
  return labelsOf(el, survey).map(plainText);
}

function* matchesIn(part: LocatorPart, search: Search, scope: Element | undefined): Generator<Element> {
  switch (part.by) {
    case "role":
      for (const el of elementsIn(mayHaveRole(part.role), search, scope))
        if (hasRole(el, part, search)) yield el;
      break;
    case "label":
      for (const el of elementsIn(LABELLED, search, scope))
        if (labelTexts(el, search.survey).includes(part.value)) yield el;
      break;
    case "text":
      for (const el of elementsIn("*", search, scope)) if (isText(el, part.value)) yield el;
      break;
    default:
      yield* elementsIn(cssOf(part), search, scope);
  }
}

/** Selects the elements that may have a label. */
export const LABELLED =
  "input, button, select, textarea, meter, output, progress, [aria-label], [aria-labelledby]";

/** Writes an attribute's exact value as a selector. */
export function attributeCss(name: string, value: string): string {
  return `[${name}="${value.replace(/["\\]/g, "\\$&").replace(/[\n\r\f]/g, (end) => `\\${end.charCodeAt(0).toString(16)} `)}"]`;
}

/** Returns the part as a CSS selector. */
export function cssOf({ by, value }: Exclude<LocatorPart, { by: "role" }>): string {
  switch (by) {
    case "testId":
      return attributeCss("data-testid", value);
    case "placeholder":
      return attributeCss("placeholder", value);
    case "alt":
      return attributeCss("alt", value);
    case "title":
      return attributeCss("title", value);
    default:
      return value;
  }
}

function* elementsIn(css: string, { roots }: Search, scope: Element | undefined): Generator<Element> {
  if (scope === undefined) {
    for (const root of roots) yield* queryAll(root, css);
    return;
  }
  yield* queryAll(scope, css);
  for (const root of roots)
    if (root instanceof ShadowRoot && isWithin(hostOf(root), scope)) yield* queryAll(root, css);
}

function isWithin(el: Element, scope: Element): boolean {
  for (let up: Element | null = el; up !== null; up = outerOf(up)) if (up === scope) return true;
  return false;
}

// The cheap questions come first, as most elements of a role have another name.
function hasRole(
  el: Element,
  { role, name, hasText }: Extract<LocatorPart, { by: "role" }>,
  search: Search,
): boolean {
  if (name !== undefined && isNamedOtherwise(el, role, name)) return false;
  if (hasText !== undefined && lacksText(el, hasText, search)) return false;
  if (queriedRole(el) !== role || !isQueried(el)) return false;
  if (name !== undefined && search.nameOf(el, role) !== name) return false;
  return hasText === undefined || plainText(el).toLowerCase().includes(hasText.toLowerCase());
}

/** Returns true for an element without attributes and children that is named by another text. */
function isNamedOtherwise(el: Element, role: string, name: string): boolean {
  if (!NAMED_BY_CONTENT.has(role) || firstElementOf(el) !== null || tagOf(el).includes("-")) return false;
  if (NAMING.some((attribute) => has(el, attribute)) || FIELDS.has(tagOf(el))) return false;
  const text = textContentOf(el) ?? "";
  return text !== name && collapsed(text).trim() !== name && !mayHavePseudo(text, name);
}

const NAMING = ["aria-label", "aria-labelledby", "title", "alt", "id"];
const FIELDS: ReadonlySet<string> = new Set(["input", "select", "textarea", "option", "img", "area"]);

/** Styles may add text to a name, never take some away. */
function mayHavePseudo(text: string, name: string): boolean {
  return name.includes(collapsed(text).trim()) && name.length <= text.length + PSEUDO_LENGTH_MAX;
}

const PSEUDO_LENGTH_MAX = 20;

/** Returns true if an element surely lacks the text: shadow roots could hold it otherwise. */
function lacksText(el: Element, text: string, { roots }: Search): boolean {
  if (roots.length > 1) return false;
  const word = text.split(" ").reduce((longest, each) => (each.length > longest.length ? each : longest), "");
  return !(textContentOf(el) ?? "").toLowerCase().includes(word.toLowerCase());
}

/** The smallest element with the text counts, not those around it. */
export function isText(el: Element, text: string): boolean {
  if (tagOf(el) === "head" || plainText(el) !== text) return false;
  for (let child = firstElementOf(el); child !== null; child = nextElementOf(child))
    if (plainText(child) === text) return false;
  const shadow = has(el, "id") || tagOf(el).includes("-") ? shadowRootOf(el) : null;
  return shadow === null || plainText(shadow) !== text;
}
