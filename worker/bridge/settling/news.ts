// Whether a mutation shows a reader something else: what only styles or echoes the input (a class, a value, an empty
// ripple) does not.
import {
  ELEMENT,
  innerTags,
  matches,
  nodeTypeOf,
  queryAll,
  rootElementOf,
  textContentOf,
} from "../dom/dom.ts";

/** Attributes that change with each focus and each key, or say only how something looks. */
const SILENT = /^(?:class|style|value|tabindex|data-.*)$/;
const WORDLESS = "input, select, textarea, button, img, svg, canvas, video, iframe, [role], [aria-label]";
/** Of more nodes than these, some are taken to show something. */
const NODES_MAX = 20;

export function isNews({ type, attributeName, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === "characterData") return true;
  if (type === "attributes") return !SILENT.test(attributeName ?? "") && target !== rootElementOf(document);
  if (addedNodes.length + removedNodes.length > NODES_MAX) return true;
  return [...addedNodes, ...removedNodes].some(saysSomething);
}

/** Whether it holds words, or what stands for some. */
export function saysSomething(node: Node): boolean {
  if ((textContentOf(node) ?? "").trim() !== "") return true;
  if (nodeTypeOf(node) !== ELEMENT) return false;
  const selector = innerTags() === "" ? WORDLESS : `${WORDLESS}, ${innerTags()}`;
  return queryAll(node, selector).length > 0 || matches(node as Element, selector);
}
