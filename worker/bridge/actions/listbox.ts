// Finds the list of options that a control of the page's own opens, and the options in it.

import { fieldOf } from "../aria/editable.ts";
import { fullName } from "../aria/name.ts";
import { roleOf } from "../aria/role.ts";
import {
  attr,
  byId,
  composedParent,
  contentNodes,
  focusedElement,
  holds,
  isElement,
  rectOf,
  rootElementOf,
  rootOf,
  styleOf,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { elementsIn } from "../dom/rendered-elements.ts";
import { hasRoles, ofRoles, queryRoles } from "../dom/role-selector.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { visibleText } from "../tree/visible-text.ts";

/** A list as it is shown. */
export interface ShownList {
  /** The list itself. If that is only a copy for assistive technology, it is the element around it. */
  popup: Element;
  options: ShownOption[];
}

export interface ShownOption {
  el: Element;
  label: string;
  /** The page gives it the role of an option. Otherwise it is any text of the popup. */
  named: boolean;
}

const LISTS = ofRoles("listbox tree menu grid");
const OPTION_ROLES = new Set(["option", "treeitem", "menuitem", "menuitemradio", "menuitemcheckbox"]);
const SPECK = 2;

/** Returns the control that opens the list or is the list: the field of a wrapper or label. */
export function chooserOf(el: Element): Element {
  return fieldOf(el) ?? el;
}

/** Returns the list that the control names, or else a list that was not there before. */
export function shownList(
  context: PageContext,
  control: Element,
  before: ReadonlySet<Element>,
): ShownList | undefined {
  const named = namedLists(control);
  const appeared = () => visibleLists(context).filter((list) => !before.has(list) && !holds(list, control));
  for (const lists of [() => named, appeared])
    for (const list of lists()) {
      const popup = popupOf(list, control);
      const options = popup === undefined ? [] : optionsIn(context, popup);
      if (popup !== undefined && options.length > 0) return { popup, options };
    }
  return undefined;
}

export function visibleLists(context: PageContext): Element[] {
  const roots: Node[] = [document, ...context.shadowRoots()];
  return roots.flatMap((root) => [...queryRoles(root, LISTS)]).filter(isShown);
}

/** Returns the innermost elements with this text, anywhere in the document. */
export function readingSo(label: string): Element[] {
  const root = rootElementOf(document);
  return root === null ? [] : [...elementsIn(root)].filter((el) => ownText(el) === label && isShown(el));
}

/**
 * Returns the lists that the control or its focused field names: by aria-controls, by aria-owns or by the active
 * option.
 */
function namedLists(control: Element): Element[] {
  if (LISTS.roles.has(roleOf(control))) return [control];
  const focused = focusedElement();
  const speakers = [control, composedParent(control), focused].filter((each) => each !== null);
  const named = speakers.flatMap((each) => [
    ...namedBy(each, "aria-controls"),
    ...namedBy(each, "aria-owns"),
    ...namedBy(each, "aria-activedescendant").flatMap(listAround),
  ]);
  return [...new Set(named)].filter((each) => !holds(each, control) && !isFaceOf(control, each));
}

/** Reports if the part belongs to the control and shows the chosen option, as in Select2. It is no list then. */
function isFaceOf(control: Element, part: Element): boolean {
  return holds(control, part) && !LISTS.roles.has(roleOf(part)) && !hasRoles(part, LISTS);
}

function namedBy(el: Element, attribute: string): Element[] {
  const root = rootOf(el);
  const ids = (attr(el, attribute) ?? "").split(/\s+/).filter(Boolean);
  return root === undefined ? [] : ids.flatMap((id) => byId(root, id) ?? []);
}

function listAround(option: Element): Element[] {
  for (let el = composedParent(option); el !== null; el = composedParent(el))
    if (LISTS.roles.has(roleOf(el))) return [el];
  return [];
}

/** Returns the nearest visible element around the list that does not hold the control. */
function popupOf(list: Element, control: Element): Element | undefined {
  for (let el: Element | null = isShown(list) ? list : null; el !== null; el = composedParent(el)) {
    if (el !== control && holds(el, control)) return undefined;
    if (tagOf(el) === "body" || tagOf(el) === "html") return undefined;
    if (isShown(el) && !isSpeck(el)) return el;
  }
  return undefined;
}

/** Finds an option by its text, then by its name or value, then without regard to case. */
export function optionNamed(
  context: PageContext,
  options: readonly ShownOption[],
  wanted: string,
): ShownOption | undefined {
  const text = collapsed(wanted).trim();
  const lower = text.toLowerCase();
  const survey = context.survey();
  const nameOf = ({ el }: ShownOption) => fullName(el, tagOf(el), roleOf(el), survey);
  return (
    options.find(({ label }) => label === text) ??
    options.find((option) => nameOf(option) === text) ??
    options.find(({ el }) => attr(el, "value") === wanted || attr(el, "data-value") === wanted) ??
    options.find((option) => option.label.toLowerCase() === lower || nameOf(option).toLowerCase() === lower)
  );
}

/**
 * Returns the elements with the role of an option. If there are none, it returns the texts, each of which may be one.
 */
function optionsIn(context: PageContext, popup: Element): ShownOption[] {
  const survey = context.survey();
  const named: ShownOption[] = [];
  const texts: ShownOption[] = [];
  for (const el of elementsIn(popup)) {
    const isOption = OPTION_ROLES.has(roleOf(el));
    const own = isOption ? "" : ownText(el);
    if ((!isOption && own === "") || !isShown(el) || isClipped(el, popup)) continue;
    if (!isOption) texts.push({ el, label: own, named: false });
    else named.push({ el, label: collapsed(visibleText(el, survey, context.noteRoot)).trim(), named: true });
  }
  return named.length > 0 ? named : texts;
}

/** Returns the text of an element that holds no other element, or "". */
function ownText(el: Element): string {
  const holdsNone = [...contentNodes(el)].every((node) => !isElement(node));
  return holdsNone ? collapsed(textContentOf(el) ?? "").trim() : "";
}

function isShown(el: Element): boolean {
  return isVisible(el, tagOf(el));
}

function isSpeck(el: Element): boolean {
  const { width, height } = rectOf(el);
  return width <= SPECK || height <= SPECK;
}

/**
 * Reports if an element between this one and the popup clips it to nothing. Such a copy serves assistive technology.
 */
function isClipped(el: Element, popup: Element): boolean {
  for (let up: Element | null = el; up !== null; up = composedParent(up)) {
    const { width, height } = rectOf(up);
    if (up !== el && (width === 0 || height === 0) && clips(up)) return true;
    if (up === popup) return false;
  }
  return false;
}

function clips(el: Element): boolean {
  return styleOf(el).overflow !== "visible";
}

/** Reports if the control says that its list is open. It returns undefined if the control says nothing. */
export function isExpanded(control: Element): boolean | undefined {
  const said = attr(control, "aria-expanded");
  return said === null ? undefined : said === "true";
}
