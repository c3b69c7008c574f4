// What names an element by HTML's own means (HTML-AAM 1.0, section 4): labels, legends, captions, alt, titles.

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

/** The name that HTML gives the element, empty where it gives none; titles and placeholders are not among it. */
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
      // A form-associated custom element is labelled like a field.
      return tag.includes("-") ? labelled(el, survey, read) : "";
  }
}

/** What names a control when nothing else does. */
export function lastResort(el: Element, tag: string): string {
  // A picture with an empty alt is to go unsaid, whatever its title.
  if ((tag === "img" || tag === "area") && has(el, "alt")) return "";
  const title = (attr(el, tag === "svg:a" ? "xlink:title" : "title") ?? "").trim();
  if (title !== "") return title;
  if (tag === "input" || tag === "textarea") {
    const hint = (attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? "").trim();
    if (hint !== "") return hint;
  } else return (attr(el, "aria-placeholder") ?? "").trim();
  return tag === "input" && inputTypeOf(el as HTMLInputElement) === "file" ? "Choose file" : "";
}

/** The labels of a control: those whose `for` names it, and the one it stands in. */
export function labelsOf(el: Element, survey: PassCache): Element[] {
  const id = idOf(el);
  const root = id === "" ? undefined : rootOf(el);
  const labels =
    root === undefined ? [] : (survey.labelsFor(root).get(id) ?? []).filter((label) => isLabelOf(label, el));
  const around = closest(el, "label");
  if (around === null || labels.includes(around) || !isLabelOf(around, el)) return labels;
  return [...labels, around].sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
}

/** The control that a label names and activates. */
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

// A legend or caption that is not shown names nothing, unless it is referred to.
function childText(el: Element, tag: string, read: ReadNamer): string {
  for (let child = firstElementOf(el); child !== null; child = nextElementOf(child)) {
    if (tagOf(child) === tag) return tag === "svg:title" || isVisible(child, tag) ? read(child).trim() : "";
  }
  return "";
}
