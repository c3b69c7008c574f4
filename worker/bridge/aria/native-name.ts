// Names an element by HTML's own means (HTML-AAM 1.0, section 4): labels, legends, captions, alt, titles.

import {
  attr,
  closest,
  firstElementOf,
  getter,
  has,
  idOf,
  nextElementOf,
  rootOf,
  tagOf,
} from "../dom/dom.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PassCache } from "./pass-cache.ts";
import { inputTypeOf, inputValueOf, optionText } from "./value.ts";

const controlOf = getter(HTMLLabelElement.prototype, "control");

/** Reads the text of an element that names another one. */
export type ReadNamer = (namer: Element) => string;

/** Returns the name that HTML gives the element, or "" if it gives none. Titles and placeholders do not count. */
export function nativeName(el: Element, tag: string, survey: PassCache, read: ReadNamer): string {
  switch (tag) {
    case "input":
      return inputName(el as HTMLInputElement, survey, read);
    case "button":
    case "select":
    case "textarea":
    case "meter":
    case "progress":
    case "output":
      return labelled(el, survey, read);
    case "img":
    case "area":
    case "svg:image":
      return (attr(el, "alt") ?? "").trim();
    case "fieldset":
      return childText(el, "legend", read);
    case "figure":
      return childText(el, "figcaption", read);
    case "table":
      return childText(el, "caption", read) || (attr(el, "summary") ?? "").trim();
    case "optgroup":
      return attr(el, "label") ?? "";
    case "option":
      return optionText(el);
    case "math:math":
      return attr(el, "alttext") ?? "";
    default:
      if (tag.startsWith("svg:")) return childText(el, "svg:title", read);
      // A form-associated custom element has labels as a field has.
      return tag.includes("-") ? labelled(el, survey, read) : "";
  }
}

/** Returns the name of a control that nothing else names. */
export function lastResort(el: Element, tag: string): string {
  // An empty alt keeps a picture unmentioned, even if it has a title.
  if ((tag === "img" || tag === "area") && has(el, "alt")) return "";
  const title = (attr(el, tag === "svg:a" ? "xlink:title" : "title") ?? "").trim();
  if (title !== "") return title;
  if (tag === "input" || tag === "textarea") {
    const hint = (attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? "").trim();
    if (hint !== "") return hint;
  } else return (attr(el, "aria-placeholder") ?? "").trim();
  return tag === "input" && inputTypeOf(el as HTMLInputElement) === "file" ? "Choose file" : "";
}

/** Returns the labels of a control: those whose `for` names it, and the label around it. */
export function labelsOf(el: Element, survey: PassCache): Element[] {
  const id = idOf(el);
  const root = id === "" ? undefined : rootOf(el);
  const labels =
    root === undefined ? [] : (survey.labelsFor(root).get(id) ?? []).filter((label) => isLabelOf(label, el));
  const around = closest(el, "label");
  if (around === null || labels.includes(around) || !isLabelOf(around, el)) return labels;
  return [...labels, around].sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
}

/** Returns the control that a label names and activates. */
export function labelledControl(label: Element): Element | null {
  return label instanceof HTMLLabelElement ? controlOf(label) : null;
}

const isLabelOf = (label: Element, el: Element) => labelledControl(label) === el;

function labelled(el: Element, survey: PassCache, read: ReadNamer): string {
  const labels = labelsOf(el, survey);
  if (labels.length === 0) return "";
  return labels
    .map((label) => read(label).trim())
    .filter((text) => text !== "")
    .join(" ");
}

function inputName(el: HTMLInputElement, survey: PassCache, read: ReadNamer): string {
  const type = inputTypeOf(el);
  if (type === "hidden") return "";
  const label = labelled(el, survey, read);
  if (label !== "") return label;
  switch (type) {
    case "button":
      return inputValueOf(el);
    case "submit":
      return inputValueOf(el) || "Submit";
    case "reset":
      return inputValueOf(el) || "Reset";
    case "image":
      return attr(el, "alt") || attr(el, "title") || inputValueOf(el) || "Submit";
    default:
      return "";
  }
}

// A hidden legend or caption gives no name, except by a reference to it.
function childText(el: Element, tag: string, read: ReadNamer): string {
  for (let child = firstElementOf(el); child !== null; child = nextElementOf(child)) {
    if (tagOf(child) === tag) return tag === "svg:title" || isVisible(child, tag) ? read(child).trim() : "";
  }
  return "";
}
