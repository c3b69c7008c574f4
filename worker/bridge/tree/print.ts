// Prints items as lines with two spaces a level. It notes the lines of iframes, so the worker can insert their content.

import type { FrameHole } from "../api/bridge-api.ts";
import { LANDMARKS } from "../aria/role-names.ts";
import { MASK } from "../aria/value.ts";
import { attr } from "../dom/dom.ts";
import { inlined, quoted } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import { type Fold, type Item, type Node, UNREAD, type Words } from "./item.ts";

export interface PrintOptions {
  interactiveOnly?: boolean | undefined;
  /** The number of characters that there is room for. Without it, there is no limit. */
  room?: number | undefined;
  /** Takes the text in pieces while it is printed. Only the last lines are left in the result then. */
  sink?: ((piece: string) => void) | undefined;
  /** Selects the shown part of an item's content. Without it, everything is shown. */
  view?: ((item: Item, level: number) => View) | undefined;
  /** Replaces the text on an item's line by nodes below it, for an item that holds one text. */
  textView?: ((item: Item) => View | undefined) | undefined;
}

/** Has the nodes below an item's line, and the ref on that line. */
export interface View {
  nodes: readonly Node[];
  ref: number;
}

export interface Printed {
  lines: string[];
  frames: FrameHole[];
  /** The least number of elements left out, by folds or for want of room. */
  left: number;
  /** The text would go on with unread rows. */
  needsUnread: boolean;
  /** The room was enough for everything. If not, the lines end in the middle. */
  fits: boolean;
  /** The number of characters that there is still room for. It is negative if not everything fits. */
  room: number;
}

interface Open {
  nodes: readonly Node[];
  at: number;
  level: number;
}

interface Printing extends Printed {
  options: PrintOptions;
  /** The number of characters in the lines that no sink has taken. */
  length: number;
  stack: Open[];
}

/** A large text in pieces of this size transfers in half the time of one piece. */
const PIECE_LENGTH = 48_000;

/** The worker writes at least this many characters for an iframe without room, with the call that opens it. */
const HOLE_LENGTH = 70;

/** Prints the nodes with all below them. The first ones are at `level`. */
export function print(nodes: readonly Node[], options: PrintOptions, level = 0): Printed {
  const room = options.room ?? Number.POSITIVE_INFINITY;
  const stack: Open[] = [{ nodes, at: 0, level }];
  const printing: Printing = {
    lines: [],
    frames: [],
    left: 0,
    needsUnread: false,
    fits: true,
    options,
    room,
    length: 0,
    stack,
  };
  for (let open = stack.at(-1); open !== undefined && printing.fits; open = stack.at(-1)) {
    const node = open.nodes[open.at++];
    const outer = stack.length;
    if (node === undefined) stack.pop();
    else if (node.kind !== "element") printLeaf(node, open.level, printing);
    else if (options.interactiveOnly === true && !isKept(node)) {
      stack.push({ nodes: viewOf(node, open.level, options).nodes, at: 0, level: open.level });
    } else printItem(node, open.level, printing);
    if (!printing.fits && node !== undefined) printing.left += sizeOf(node) + rest(stack.slice(0, outer));
  }
  return printing;
}

export function sizeOf(node: Node): number {
  return node.kind === "element" ? 1 + node.size : node.kind === "fold" ? node.size : 0;
}

function rest(stack: readonly Open[]): number {
  let size = 0;
  for (const { nodes, at } of stack)
    for (let index = at; index < nodes.length; index++) size += sizeOf(nodes[index] as Node);
  return size;
}

function viewOf(item: Item, level: number, { view }: PrintOptions): View {
  return view === undefined ? { nodes: item.children, ref: item.ref } : view(item, level);
}

function printLeaf(node: Exclude<Node, Item>, level: number, printing: Printing): void {
  const { interactiveOnly } = printing.options;
  if (node === UNREAD) {
    printing.needsUnread = true;
    return;
  }
  if (node.kind === "words" && interactiveOnly === true) return;
  put(printing, level, node.kind === "words" ? `text: ${inlined(node.text)}` : foldText(node));
  if (node.kind === "fold" && printing.fits) printing.left += node.size;
}

function printItem(item: Item, level: number, printing: Printing): void {
  const { frames, lines, stack, options } = printing;
  const { interactiveOnly } = options;
  if (item.hole) {
    frames.push({ line: lines.length, level, ref: refText(item.ref), isLocal: isLocal(item) });
    printing.room -= HOLE_LENGTH + indent(level).length;
  }
  const cut = hasLinesBelow(item) ? undefined : options.textView?.(item);
  if (cut !== undefined) {
    put(printing, level, `${headOf({ ...item, ref: cut.ref })}:`);
    stack.push({ nodes: cut.nodes, at: 0, level: level + 1 });
  } else if (!hasLinesBelow(item)) put(printing, level, lineOf(item));
  else if (interactiveOnly === true && !hasKept(item)) put(printing, level, headOf(item));
  else {
    const { nodes, ref } = viewOf(item, level, options);
    put(printing, level, ref === item.ref ? lineOf(item) : `${headOf({ ...item, ref })}:`);
    stack.push({ nodes, at: 0, level: level + 1 });
  }
}

/** Reports if a frame names a local file. */
export function isLocal({ el }: Item): boolean {
  return /^\s*file:/i.test(attr(el, "src") ?? "");
}

function put(printing: Printing, level: number, text: string): void {
  const line = `${indent(level)}- ${text}`;
  printing.room -= line.length + 1;
  if (printing.room < 0) printing.fits = false;
  else printing.lines.push(line);
  const { sink } = printing.options;
  if (sink === undefined) return;
  printing.length += line.length + 1;
  if (printing.length < PIECE_LENGTH) return;
  sink(`${printing.lines.join("\n")}\n`);
  printing.lines.length = 0;
  printing.length = 0;
}

const INDENTS = Array.from({ length: 40 }, (_, level) => "  ".repeat(level));
const indent = (level: number) => INDENTS[level] ?? "  ".repeat(level);

/** Returns the line of an item without indentation: its head and the part after the colon. The line is made once. */
export function lineOf(item: Item): string {
  item.line ??= headOf(item) + tailOf(item);
  return item.line;
}

function tailOf(item: Item): string {
  if (hasLinesBelow(item)) return ":";
  const inline = inlineOf(item);
  return inline === undefined ? "" : `: ${inline}`;
}

/** Returns the line of an item without the part after the colon: `role "name" [state] [ref=e1] [url=/two]`. */
export function headOf(item: Item): string {
  const name = item.name === "" ? "" : ` ${quoted(item.name)}`;
  const ref = item.ref === 0 ? "" : ` [ref=${refText(item.ref)}]`;
  return item.role + name + item.states + ref + item.attributes;
}

/** Reports if the item's content is on lines of its own. */
export function hasLinesBelow(item: Item): boolean {
  if (item.value !== undefined || item.children.length === 0) return false;
  return item.children.length > 1 || item.children[0]?.kind !== "words";
}

/** Returns the part after the colon on the same line: the value, or the only text inside. */
export function inlineOf(item: Item): string | undefined {
  if (item.value === MASK) return quoted(MASK);
  const text = inlineText(item);
  return text === undefined ? undefined : inlined(text);
}

/** Returns the same text as the page has it. */
export function inlineText(node: Item | Words): string | undefined {
  if (node.kind === "words") return node.text;
  if (node.value !== undefined) return node.value;
  const only = node.children.length === 1 ? node.children[0] : undefined;
  return only?.kind === "words" ? only.text : undefined;
}

export function foldText(fold: Fold): string {
  const offset = fold.offset === 0 ? "" : ` offset=${fold.offset}`;
  return `… ${fold.text} [expand with browser_snapshot ref=${refText(fold.ref)}${offset}]`;
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
