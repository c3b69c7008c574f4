// From items to lines: two spaces a level, iframes' lines noted for the worker to put their content in.

import type { FrameHole } from "./api.ts";
import type { Fold, Item, Node, Words } from "./item.ts";
import { inlined, quoted } from "./quote.ts";
import { LANDMARKS } from "./role-names.ts";
import { MASK } from "./value.ts";

export interface PrintOptions {
  prefix: string;
  depth?: number | undefined;
  interactiveOnly?: boolean | undefined;
  /** The number of a ref by which a part cut off by `depth` can be opened. */
  refOf(item: Item): number;
}

export interface Printed {
  lines: string[];
  frames: FrameHole[];
}

interface Open {
  children: readonly Node[];
  at: number;
  level: number;
}

/** Prints the nodes with all below them; the first ones at `level`. */
export function print(nodes: readonly Node[], options: PrintOptions, level = 0): Printed {
  const printed: Printed = { lines: [], frames: [] };
  const stack: Open[] = [{ children: nodes, at: 0, level }];
  for (let open = stack.at(-1); open !== undefined; open = stack.at(-1)) {
    const node = open.children[open.at++];
    if (node === undefined) stack.pop();
    else if (node.kind !== "element") printLeaf(node, open.level, options, printed);
    else if (options.interactiveOnly === true && !isKept(node)) {
      stack.push({ children: node.children, at: 0, level: open.level });
    } else printItem(node, open.level, stack, options, printed);
  }
  return printed;
}

function printLeaf(node: Exclude<Node, Item>, level: number, options: PrintOptions, printed: Printed): void {
  if (node.kind === "words" && options.interactiveOnly === true) return;
  const text = node.kind === "words" ? `text: ${inlined(node.text)}` : foldText(node, options.prefix);
  put(printed, level, text);
}

function printItem(item: Item, level: number, stack: Open[], options: PrintOptions, printed: Printed): void {
  if (item.hole)
    printed.frames.push({ line: printed.lines.length, level, ref: refText(item.ref, options.prefix) });
  if (!hasLinesBelow(item)) put(printed, level, lineOf(item, options.prefix));
  else if (options.interactiveOnly === true && !hasKept(item))
    put(printed, level, headOf(item, options.prefix));
  else if (options.depth !== undefined && level >= options.depth) printClosed(item, level, options, printed);
  else {
    put(printed, level, lineOf(item, options.prefix));
    stack.push({ children: item.children, at: 0, level: level + 1 });
  }
}

function printClosed(item: Item, level: number, options: PrintOptions, printed: Printed): void {
  const ref = options.refOf(item);
  put(printed, level, `${headOf({ ...item, ref }, options.prefix)}:`);
  const count = item.size === 0 ? "text" : `${item.size.toLocaleString("en-US")} more`;
  const fold: Fold = { kind: "fold", el: item.el, text: count, ref };
  put(printed, level + 1, foldText(fold, options.prefix));
}

function put(printed: Printed, level: number, text: string): void {
  printed.lines.push(`${indent(level)}- ${text}`);
}

const INDENTS = Array.from({ length: 40 }, (_, level) => "  ".repeat(level));
const indent = (level: number) => INDENTS[level] ?? "  ".repeat(level);

/** The line of an item, without indentation: its head and what follows the colon. Made once. */
export function lineOf(item: Item, prefix: string): string {
  if (item.line === undefined || item.linePrefix !== prefix) {
    item.line = headOf(item, prefix) + tailOf(item);
    item.linePrefix = prefix;
  }
  return item.line;
}

function tailOf(item: Item): string {
  if (hasLinesBelow(item)) return ":";
  const inline = inlineOf(item);
  return inline === undefined ? "" : `: ${inline}`;
}

/** `role "name" [state] [ref=e1] [url=/two]`: the line of an item without what follows the colon. */
export function headOf(item: Item, prefix: string): string {
  const name = item.name === "" ? "" : ` ${quoted(item.name)}`;
  const ref = item.ref === 0 ? "" : ` [ref=${refText(item.ref, prefix)}]`;
  return item.role + name + item.states + ref + item.attributes;
}

/** Whether what it holds stands on lines of its own. */
export function hasLinesBelow(item: Item): boolean {
  if (item.value !== undefined || item.children.length === 0) return false;
  return item.children.length > 1 || item.children[0]?.kind !== "words";
}

/** What stands after the colon on the same line: the value, or the only text inside. */
export function inlineOf(item: Item): string | undefined {
  if (item.value === MASK) return quoted(MASK);
  const text = inlineText(item);
  return text === undefined ? undefined : inlined(text);
}

/** The same as the page has it. */
export function inlineText(node: Item | Words): string | undefined {
  if (node.kind === "words") return node.text;
  if (node.value !== undefined) return node.value;
  const only = node.children.length === 1 ? node.children[0] : undefined;
  return only?.kind === "words" ? only.text : undefined;
}

export function foldText(fold: Fold, prefix: string): string {
  return `… ${fold.text} [expand with browser_snapshot ref=${refText(fold.ref, prefix)}]`;
}

export function refText(number: number, prefix: string): string {
  return `${prefix}e${number}`;
}

function isKept(item: Item): boolean {
  return item.ref !== 0 || item.role === "heading" || (LANDMARKS.has(item.role) && item.live);
}

function hasKept(item: Item): boolean {
  const open: Node[] = [...item.children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "fold" || (node.kind === "element" && isKept(node))) return true;
    if (node.kind === "element") for (const child of node.children) open.push(child);
  }
  return false;
}
