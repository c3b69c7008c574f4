// Covers parts of the text that a document shows, for a picture: black where Chrome can do that, without any event for the
// page. Otherwise their elements are hidden.

import type { Bridge } from "../api/bridge-api.ts";
import type { ShownPart } from "../api/veil-api.ts";
import { pseudoText } from "../aria/pseudo-content.ts";
import { chosenText, inputTypeOf } from "../aria/value.ts";
import {
  attr,
  CDATA,
  closest,
  contentNodes,
  dataOf,
  ELEMENT,
  focusedElement,
  holds,
  nodeTypeOf,
  parentOf,
  rootElementOf,
  styleOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { AddedSheet } from "./added-sheet.ts";
import { Hiding, MASK, VISIBILITY } from "./hiding.ts";

/** The text of a node or an element, at its place in the joined text. */
interface Shown {
  from: number;
  node: Text | undefined;
  /** The element that is hidden if the text is not a node's own. */
  el: Element;
}

const LENGTH_MAX = 2_000_000;
const PSEUDO = ["::before", "::after"] as const;
/** Their value is never drawn as text. */
const UNDRAWN = new Set(["password", "hidden", "checkbox", "radio", "range", "color", "image"]);
const HIGHLIGHT = `troupe-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
const BLACK_OUT = `::highlight(${HIGHLIGHT}) { color: #000 !important; background-color: #000 !important;
  text-shadow: none !important; -webkit-text-fill-color: #000 !important; -webkit-text-stroke-color: #000 !important;
  text-decoration: none !important }`;
/** Also hides what has a rule of its own, such as a modal dialog, and what the page adds. */
const NOTHING_VISIBLE = "*, ::before, ::after, ::first-letter { visibility: hidden !important }";

export function createVeil(context: PageContext): Pick<Bridge, "shownText" | "veil" | "unveil"> {
  let shown: Shown[] = [];
  const hiding = new Hiding(VISIBILITY);
  const masking = new Hiding(MASK);
  let sheet: AddedSheet | undefined;
  let isBlack = false;
  const unveil = () => {
    sheet?.remove();
    sheet = undefined;
    CSS.highlights.delete(HIGHLIGHT);
    isBlack = false;
    hiding.undo();
    masking.undo();
  };
  return {
    unveil,
    shownText() {
      const read = readShown(context);
      shown = read?.shown ?? [];
      const areHidden = hiding.holds() && masking.holds();
      const areBlack = !isBlack || CSS.highlights.has(HIGHLIGHT);
      return { text: read?.text, holds: areHidden && areBlack && sheet?.holds() !== false };
    },
    veil(parts, refs, areElements) {
      unveil();
      if (parts === undefined) {
        sheet = new AddedSheet(NOTHING_VISIBLE, [document, ...context.shadowRoots()]);
        hiding.hide([rootElementOf(document) as Element, ...shown.map(({ el }) => el)]);
        return;
      }
      const hidden: Element[] = [];
      for (const ref of refs) {
        const target = targetOf(context, ref);
        if (target.state === "present") hidden.push(target.element);
      }
      const ranges: Range[] = [];
      for (const { range, el } of covered(shown, parts)) {
        if (range === undefined || areElements) hidden.push(el);
        else ranges.push(range);
      }
      // An element that is not visible loses the focus.
      const focused = areElements ? null : focusedElement();
      const { masked = [], unseen = [] } = Object.groupBy(hidden, (el) =>
        focused !== null && hasBox(el) && holds(el, focused) ? "masked" : "unseen",
      );
      masking.hide(masked);
      hiding.hide(unseen);
      isBlack = ranges.length > 0;
      if (!isBlack) return;
      sheet = new AddedSheet(BLACK_OUT, [document]);
      CSS.highlights.set(HIGHLIGHT, topmost(ranges));
    },
  };
}

/** Reports if a mask can hide the element. */
function hasBox(el: Element): boolean {
  return el instanceof HTMLElement && styleOf(el).display !== "contents";
}

/** Reads all that is drawn as text: text nodes, values of fields, and what style sheets add. */
function readShown(context: PageContext): { shown: Shown[]; text: string } | undefined {
  const survey = context.survey();
  const shown: Shown[] = [];
  const root = rootElementOf(document);
  let text = "";
  const add = (more: string, el: Element, node?: Text) => {
    if (more === "") return;
    shown.push({ from: text.length, node, el });
    text += more;
  };
  const stack: Node[] = root ? [root] : [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (text.length > LENGTH_MAX) return undefined;
    const type = nodeTypeOf(node);
    if (type === TEXT || type === CDATA) {
      const parent = drawnBy(node);
      if (parent) add(dataOf(node as Text), parent, node as Text);
    } else if (type === ELEMENT) {
      const el = node as Element;
      const tag = tagOf(el);
      if (SILENT_TAGS.has(tag)) continue;
      add(fieldText(el, tag), el);
      for (const which of PSEUDO) add(pseudoText(el, which, survey), el);
      stack.push(...[...contentNodes(el)].reverse());
    }
  }
  return { shown, text };
}

function drawnBy(node: Node): Element | undefined {
  const parent = parentOf(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : undefined;
}

/** Returns the text that a control draws itself.. */
function fieldText(el: Element, tag: string): string {
  if (tag === "select") return chosenText(el).join(" ");
  if (tag === "img") return attr(el, "alt") ?? "";
  if (tag !== "input" && tag !== "textarea") return "";
  if (tag === "input" && UNDRAWN.has(inputTypeOf(el as HTMLInputElement))) return "";
  const { value } = el as HTMLInputElement;
  return value === "" ? (attr(el, "placeholder") ?? "") : value;
}

function* covered(
  shown: readonly Shown[],
  parts: readonly ShownPart[],
): Generator<{ range?: Range; el: Element }> {
  let index = 0;
  for (const [from, to] of parts) {
    while (index + 1 < shown.length && (shown[index + 1] as Shown).from <= from) index++;
    for (let at = index; at < shown.length && (shown[at] as Shown).from < to; at++) {
      const { node, el, from: begin } = shown[at] as Shown;
      const part = node && {
        node,
        from: Math.max(0, from - begin),
        to: Math.min(dataOf(node).length, to - begin),
      };
      if (part === undefined || !isPartial(el, part)) yield { el };
      else {
        const range = document.createRange();
        range.setStart(part.node, part.from);
        range.setEnd(part.node, part.to);
        yield { range, el };
      }
    }
  }
}

interface Part {
  node: Text;
  from: number;
  to: number;
}

/**
 * Reports if the element shows more than this part, and Chrome can black out the part alone. It cannot in drawings,
 * buttons, lists and shadow roots, and it leaves a text's shadow.
 */
function isPartial(el: Element, { node, from, to }: Part): boolean {
  const isAlone =
    el.childNodes.length === 1 && dataOf(node).slice(0, from).trim() + dataOf(node).slice(to).trim() === "";
  if (isAlone || !(el instanceof HTMLElement) || node.getRootNode() !== document) return false;
  if (closest(el, "button, select, summary, option, textarea, [popover], dialog, marquee") !== null)
    return false;
  const { textShadow, webkitTextStrokeWidth, filter } = styleOf(el);
  return textShadow === "none" && webkitTextStrokeWidth === "0px" && filter === "none";
}

function topmost(ranges: Range[]): Highlight {
  const highlight = new Highlight(...ranges);
  highlight.priority = 2 ** 31 - 1;
  return highlight;
}
