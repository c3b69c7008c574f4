// What changed between two trees, said by the lines that are new, changed or gone, each with its place. A reader of the
// earlier text needs nothing else to know the text as it is now: what lies among like siblings is named by the words that
// set its row, card or item apart. Where that is longer than a part of the tree itself, that part is printed anew.

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
  /** What the document is called. */
  place?: string | undefined;
}

/** Beyond these, the tree itself is shorter than the story of its changes. */
const LINES_MIN = 60;
/** No line is shorter, with what stands around it. */
const LINE_LENGTH_MIN = 8;
/** What changed says more than how it is now: it is printed anew where that is shorter by so much. */
const ANEW_SHARE = 0.9;
/** So much of the room a part may take that is printed anew. */
const PART_SHARE = 0.5;

/** Lines under a head that says where they are; `head` is missing where the first line says so itself. */
interface Entry {
  head: string | undefined;
  lines: readonly string[];
  frames: readonly FrameHole[];
}

/** What is said of a difference: of its line, then of each of its parts; or instead of all that, the item anew. */
interface Story {
  line: Entry | undefined;
  parts: readonly (Entry | undefined)[];
  anew: Entry | undefined;
  /** With all differences inside. */
  length: number;
}

type Stories = ReadonlyMap<Difference, Story>;

interface Telling {
  addresses: Addresses;
  /** What came, by its element, with the ref that it has now. */
  came: ReadonlyMap<Element, number>;
  options: DeltaOptions;
}

/** Undefined where the whole tree says it shorter, or there is no room for it. */
export function treeDelta(old: Item, now: Item, options: DeltaOptions): Delta | undefined {
  const differences = differencesBetween(old, now, Math.max(LINES_MIN, now.size / 2));
  const [top] = differences ?? [];
  if (differences === undefined || top === undefined) return undefined;
  const came = new Map<Element, number>();
  for (const { after, parts } of differences)
    for (const part of parts) if (part.kind === "came") noteRefs(after.slice(part.from, part.to), came);
  const addresses = createAddresses(old, options.prefix, options.place);
  const stories = storiesOf(differences, { addresses, came, options });
  const { length } = stories.get(top) as Story;
  return length > (options.room ?? Number.POSITIVE_INFINITY) ? undefined : deltaOf(top, stories);
}

/** From the inside out, as what holds others is as long as they are. */
function storiesOf(differences: readonly Difference[], telling: Telling): Stories {
  const stories = new Map<Difference, Story>();
  for (const difference of differences.toReversed()) {
    const line = difference.isLineNew ? lineEntry(difference, telling) : undefined;
    const parts = difference.parts.map((part) => partEntry(part, difference, telling));
    const inside = difference.parts.map((part) =>
      part.kind === "inside" ? (stories.get(part.difference)?.length ?? 0) : 0,
    );
    const length = [line, ...parts].reduce((sum, entry) => sum + lengthOf(entry), 0);
    const story: Story = {
      line,
      parts,
      anew: undefined,
      length: inside.reduce((sum, each) => sum + each, length),
    };
    const anew = anewEntry(difference, story.length, telling);
    stories.set(difference, anew === undefined ? story : { ...story, anew, length: lengthOf(anew) });
  }
  return stories;
}

function lengthOf(entry: Entry | undefined): number {
  if (entry === undefined) return 0;
  return entry.lines.reduce((sum, line) => sum + line.length + 1, (entry.head ?? "").length + 1);
}

/** In the order of the lines, however deep they lie. */
function deltaOf(top: Difference, stories: Stories): Delta {
  const delta: Delta = { lines: [], frames: [] };
  let head: string | undefined;
  const put = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    // What is said of the same place without more stands under one head.
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
    const { line, parts, anew } = stories.get(next) as Story;
    put(anew ?? line);
    if (anew !== undefined) continue;
    const inside = next.parts.flatMap((part, index) =>
      part.kind === "inside" ? part.difference : (parts[index] ?? []),
    );
    for (const each of inside.reverse()) open.push(each);
  }
  return delta;
}

/** The line of an item that is called, or says, something else; what is in it is not said here. */
function lineEntry(difference: Difference, telling: Telling): Entry {
  const line = `- ${lineOf(difference.now, telling.options.prefix)}`;
  return changedEntry(difference.outer as Difference, difference, [line], telling);
}

/**
 * A line that takes the place of another: known by a ref that both have, else by its place and what it was. What stands
 * below it is two levels deep.
 */
function changedEntry(
  outer: Difference,
  { at, nowAt }: { at: number; nowAt: number },
  [line = "", ...below]: readonly string[],
  { addresses }: Telling,
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

function partEntry(part: Part, difference: Difference, telling: Telling): Entry | undefined {
  switch (part.kind) {
    case "inside":
      return undefined;
    case "leaf":
      return leafEntry(difference, part, telling);
    case "came":
      return cameEntry(difference, part, telling);
    case "went":
      return wentEntry(difference, part.nodes, telling);
  }
}

function leafEntry(difference: Difference, part: Extract<Part, { kind: "leaf" }>, telling: Telling): Entry {
  const node = difference.after[part.nowAt] as Exclude<Node, Item>;
  const text = node.kind === "fold" ? foldText(node, telling.options.prefix) : `text: ${inlined(node.text)}`;
  return changedEntry(difference, part, [`- ${text}`], telling);
}

function cameEntry(
  difference: Difference,
  { from, to }: Extract<Part, { kind: "came" }>,
  { addresses, options: { prefix } }: Telling,
): Entry {
  const { lines, frames } = print(difference.after.slice(from, to), { prefix }, 1);
  const where = `${addresses.place(difference)}${addresses.beside(difference, from, to)}`;
  return { head: `+ in ${where}:`, lines, frames };
}

function wentEntry(
  difference: Difference,
  nodes: readonly number[],
  { addresses, came, options: { prefix } }: Telling,
): Entry | undefined {
  const gone = nodes.flatMap((at) => {
    const node = difference.before[at] as Node;
    return goneOf(node, refOf(node) === 0 ? addresses.line(difference, at) : "", came, prefix);
  });
  if (gone.length === 0) return undefined;
  return {
    head: undefined,
    lines: [`removed from ${addresses.place(difference)}: ${gone.join(", ")}`],
    frames: [],
  };
}

/** The item as it is now, where that is shorter than what there is to say of it; folded where there is little room. */
function anewEntry(difference: Difference, length: number, telling: Telling): Entry | undefined {
  const { now, outer } = difference;
  // What frames hold would have to be read anew.
  if (outer === undefined || now.holes > 0 || length <= LINE_LENGTH_MIN * (1 + now.size)) return undefined;
  const lines = linesWithin(now, length, telling.options);
  if (lines === undefined) return undefined;
  const entry = changedEntry(outer, difference, lines, telling);
  return lengthOf(entry) < length * ANEW_SHARE ? entry : undefined;
}

/** The first line without indentation. */
function linesWithin(item: Item, length: number, options: DeltaOptions): string[] | undefined {
  const { prefix, room: all = Number.POSITIVE_INFINITY, refOf, longRef } = options;
  const room = all * PART_SHARE;
  const whole = print([item], { prefix, room: Math.min(length, room) }, 1);
  if (!whole.fits && length < room) return undefined;
  const top = { ...newItem(item.el, "", ""), children: [item] };
  const { lines } = whole.fits ? whole : printFolded(top, { prefix, room, refOf, longRef });
  return lines.map((line, index) => (index === 0 ? line.trimStart() : whole.fits ? line : `  ${line}`));
}
