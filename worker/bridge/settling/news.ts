// Decides if a mutation shows a reader something new. A mutation that only styles or echoes the input (a class, a
// value, an empty ripple) does not.
import {
  ELEMENT,
  innerTags,
  matches,
  nodeTypeOf,
  queryAll,
  rootElementOf,
  textContentOf,
} from "../dom/dom.ts";

/** These attributes change with each focus and each key, or affect only the look. */
const SILENT = /^(?:class|style|value|tabindex|data-.*)$/;
const WORDLESS = "input, select, textarea, button, img, svg, canvas, video, iframe, [role], [aria-label]";
/** With more nodes than this, some of them are assumed to show something. */
const NODES_MAX = 20;

export function isNews({ type, attributeName, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === "characterData") return true;
  if (type === "attributes") return !SILENT.test(attributeName ?? "") && target !== rootElementOf(document);
  if (addedNodes.length + removedNodes.length > NODES_MAX) return true;
  return [...addedNodes, ...removedNodes].some(saysSomething);
}

/** Reports if the node holds words, or an element that stands for words. */
export function saysSomething(node: Node): boolean {
  if ((textContentOf(node) ?? "").trim() !== "") return true;
  if (nodeTypeOf(node) !== ELEMENT) return false;
  const selector = innerTags() === "" ? WORDLESS : `${WORDLESS}, ${innerTags()}`;
  return queryAll(node, selector).length > 0 || matches(node as Element, selector);
}
