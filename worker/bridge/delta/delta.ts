// Writes the changes between two trees as new, changed and removed lines, each with its position. A reader of the
// earlier text needs nothing else to know the present text. Among like siblings, the distinct words of a row, card or
// item name it. A part of the tree is printed anew if that is shorter.

import type { FrameHole } from "../api/bridge-api.ts";
import { inlined } from "../dom/quote.ts";
import { type FoldOptions, printFolded } from "../tree/fold.ts";
import { type Item, type Node, newItem } from "../tree/item.ts";
import { foldText, lineOf, print } from "../tree/print.ts";
import { type Addresses, createAddresses } from "./address.ts";
import { type Difference, differencesBetween, type Part } from "./differences.ts";
import { goneOf, noteRefs } from "./removed-parts.ts";
import { refOf } from "./sibling-names.ts";

export interface Delta {
  lines: string[];
  /** The iframes that came, by their lines. */
  frames: FrameHole[];
}

export interface DeltaOptions extends FoldOptions {
  /** The name of the document. */
  place?: string | undefined;
}

/** With more changed lines than this, the tree itself is shorter than its changes. */
const LINES_MIN = 60;
/** No line is shorter than this, with the text around it. */
const LINE_LENGTH_MIN = 8;
/** Changes say more than the present state. So a part is printed anew only if it is shorter by this factor. */
const ANEW_SHARE = 0.9;
/** A part that is printed anew may take this share of the room. */
const PART_SHARE = 0.5;

/** Lines under a head that gives their position. `head` is missing if the first line has the position itself. */
interface Entry {
  head: string | undefined;
  lines: readonly string[];
  frames: readonly FrameHole[];
}

/** Has the text for a difference: its line and its parts, or instead the whole item anew. */
interface Changes {
  line: Entry | undefined;
  parts: readonly (Entry | undefined)[];
  anew: Entry | undefined;
  /** The length includes all differences inside. */
  length: number;
}

type AllChanges = ReadonlyMap<Difference, Changes>;

interface Writing {
  addresses: Addresses;
  /** The elements that came, with their present refs. */
  came: ReadonlyMap<Element, number>;
  options: DeltaOptions;
}

/** Returns undefined if the whole tree is shorter, or if there is no room for the delta. */
export function treeDelta(old: Item, now: Item, options: DeltaOptions): Delta | undefined {
  const differences = differencesBetween(old, now, Math.max(LINES_MIN, now.size / 2));
  const [top] = differences ?? [];
  if (differences === undefined || top === undefined) return undefined;
  const came = new Map<Element, number>();
  for (const { after, parts } of differences)
    for (const part of parts) if (part.kind === "came") noteRefs(after.slice(part.from, part.to), came);
  const addresses = createAddresses(old, options.place);
  const all = changesOf(differences, { addresses, came, options });
  const { length } = all.get(top) as Changes;
  return length > (options.room ?? Number.POSITIVE_INFINITY) ? undefined : deltaOf(top, all);
}

/** Works from the inside out, because the length of an outer difference includes its inner ones. */
function changesOf(differences: readonly Difference[], writing: Writing): AllChanges {
  const all = new Map<Difference, Changes>();
  for (const difference of differences.toReversed()) {
    const line = difference.isLineNew ? lineEntry(difference, writing) : undefined;
    const parts = difference.parts.map((part) => partEntry(part, difference, writing));
    const inside = difference.parts.map((part) =>
      part.kind === "inside" ? (all.get(part.difference)?.length ?? 0) : 0,
    );
    const length = [line, ...parts].reduce((sum, entry) => sum + lengthOf(entry), 0);
    const changes: Changes = {
      line,
      parts,
      anew: undefined,
      length: inside.reduce((sum, each) => sum + each, length),
    };
    const anew = anewEntry(difference, changes.length, writing);
    all.set(difference, anew === undefined ? changes : { ...changes, anew, length: lengthOf(anew) });
  }
  return all;
}

function lengthOf(entry: Entry | undefined): number {
  if (entry === undefined) return 0;
  return entry.lines.reduce((sum, line) => sum + line.length + 1, (entry.head ?? "").length + 1);
}

/** Lists the lines in their order, at any depth. */
function deltaOf(top: Difference, all: AllChanges): Delta {
  const delta: Delta = { lines: [], frames: [] };
  let head: string | undefined;
  const put = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    // Changes at the same position share one head if the head has no more words.
    if (entry.head !== undefined && (entry.head !== head || !entry.head.startsWith("~")))
      delta.lines.push(entry.head);
    head = entry.head;
    for (const frame of entry.frames) delta.frames.push({ ...frame, line: frame.line + delta.lines.length });
    for (const line of entry.lines) delta.lines.push(line);
  };
  const open: (Difference | Entry)[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!("parts" in next)) {
      put(next);
      continue;
    }
    const { line, parts, anew } = all.get(next) as Changes;
    put(anew ?? line);
    if (anew !== undefined) continue;
    const inside = next.parts.flatMap((part, index) =>
      part.kind === "inside" ? part.difference : (parts[index] ?? []),
    );
    for (const each of inside.reverse()) open.push(each);
  }
  return delta;
}

/** Writes the line of an item whose name or text changed. Its content is not part of this. */
function lineEntry(difference: Difference, writing: Writing): Entry {
  const line = `- ${lineOf(difference.now)}`;
  return changedEntry(difference.outer as Difference, difference, [line], writing);
}

/**
 * Writes a line that replaces another one. A shared ref identifies the old line, or else its position and former text.
 * The lines below are two levels deep.
 */
function changedEntry(
  outer: Difference,
  { at, nowAt }: { at: number; nowAt: number },
  [line = "", ...below]: readonly string[],
  { addresses }: Writing,
): Entry {
  const [old, now] = [outer.before[at] as Node, outer.after[nowAt] as Node];
  if (refOf(old) !== 0 && refOf(old) === refOf(now))
    return { head: undefined, lines: [`~ ${line}`, ...below], frames: [] };
  const isPlain = isSameRole(old, now) && refOf(old) === 0 && addresses.isOnlyOne(outer, at);
  const was = isPlain ? "" : `, was ${addresses.lineInCard(outer, at, nowAt)}`;
  return { head: `~ in ${addresses.place(outer)}${was}:`, lines: [`  ${line}`, ...below], frames: [] };
}

function isSameRole(old: Node, now: Node): boolean {
  return old.kind === "element" && now.kind === "element" ? old.role === now.role : old.kind === now.kind;
}

function partEntry(part: Part, difference: Difference, writing: Writing): Entry | undefined {
  switch (part.kind) {
    case "inside":
      return undefined;
    case "leaf":
      return leafEntry(difference, part, writing);
    case "came":
      return cameEntry(difference, part, writing);
    case "went":
      return wentEntry(difference, part.nodes, writing);
  }
}

function leafEntry(difference: Difference, part: Extract<Part, { kind: "leaf" }>, writing: Writing): Entry {
  const node = difference.after[part.nowAt] as Exclude<Node, Item>;
  const text = node.kind === "fold" ? foldText(node) : `text: ${inlined(node.text)}`;
  return changedEntry(difference, part, [`- ${text}`], writing);
}

function cameEntry(
  difference: Difference,
  { from, to }: Extract<Part, { kind: "came" }>,
  { addresses }: Writing,
): Entry {
  const { lines, frames } = print(difference.after.slice(from, to), {}, 1);
  const where = `${addresses.place(difference)}${addresses.beside(difference, from, to)}`;
  return { head: `+ in ${where}:`, lines, frames };
}

function wentEntry(
  difference: Difference,
  nodes: readonly number[],
  { addresses, came }: Writing,
): Entry | undefined {
  const gone = nodes.flatMap((at) => {
    const node = difference.before[at] as Node;
    return goneOf(node, refOf(node) === 0 ? addresses.line(difference, at) : "", came);
  });
  if (gone.length === 0) return undefined;
  return {
    head: undefined,
    lines: [`removed from ${addresses.place(difference)}: ${gone.join(", ")}`],
    frames: [],
  };
}

/** Returns the present item if it is shorter than its changes. It is folded if there is little room. */
function anewEntry(difference: Difference, length: number, writing: Writing): Entry | undefined {
  const { now, outer } = difference;
  // The contents of frames would have to be read again.
  if (outer === undefined || now.holes > 0 || length <= LINE_LENGTH_MIN * (1 + now.size)) return undefined;
  const lines = linesWithin(now, length, writing.options);
  if (lines === undefined) return undefined;
  const entry = changedEntry(outer, difference, lines, writing);
  return lengthOf(entry) < length * ANEW_SHARE ? entry : undefined;
}

/** The first line has no indentation. */
function linesWithin(item: Item, length: number, options: DeltaOptions): string[] | undefined {
  const { room: all = Number.POSITIVE_INFINITY, refOf, longRef } = options;
  const room = all * PART_SHARE;
  const whole = print([item], { room: Math.min(length, room) }, 1);
  if (!whole.fits && length < room) return undefined;
  const top = { ...newItem(item.el, "", ""), children: [item] };
  const { lines } = whole.fits ? whole : printFolded(top, { room, refOf, longRef });
  return lines.map((line, index) => (index === 0 ? line.trimStart() : whole.fits ? line : `  ${line}`));
}
