// Says in a delta where something is, so that a reader of the earlier text finds it. The address is a ref, or the names
// of the items around, as far out as needed.

import { quoted } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import type { Item, Node } from "../tree/item.ts";
import { hasLinesBelow } from "../tree/print.ts";
import { anchorOf } from "./card.ts";
import { type Difference, linesBelow } from "./differences.ts";
import { leadingWords } from "./distinct-words.ts";
import {
  briefly,
  refOf,
  roleOf,
  type SiblingName,
  type SiblingNames,
  siblingNames,
  siblingNameText,
} from "./sibling-names.ts";

export interface Addresses {
  /** Names the item as a position for its content: `row "1005" of table "Orders" [ref=e9]`. */
  place(difference: Difference): string;
  /** Names a line directly in the item, among its siblings: by its ref or by its name there. */
  line(difference: Difference, at: number): string;
  /** Reports if that line is the only one of its role without a ref there. */
  isOnlyOne(difference: Difference, at: number): boolean;
  /** Names a line among like ones, with the words of its card: `text "$14.50" after heading "Coffee"`. */
  lineInCard(difference: Difference, at: number, nowAt: number): string;
  /** Says where those lines came: ` after e40`. */
  beside(difference: Difference, from: number, to: number): string;
}

/** In larger trees, unique roles and names are not counted. An address then names everything around the item. */
const COUNTED_MAX = 3_000;
/** An address has at most this many steps. */
const STEPS_MAX = 12;

/** `page` is the document's name in an address. Without it, the name is `the page`. */
export function createAddresses(old: Item, page: string | undefined): Addresses {
  const known = new Map<readonly Node[], SiblingNames>();
  const namesIn = (siblings: readonly Node[]): SiblingNames => {
    const names = known.get(siblings) ?? siblingNames(siblings);
    known.set(siblings, names);
    return names;
  };
  const rows = new Map<readonly Node[], readonly Node[]>();
  const rowsIn = (siblings: readonly Node[]): readonly Node[] => {
    const found = rows.get(siblings) ?? ungrouped(siblings);
    rows.set(siblings, found);
    return found;
  };
  let counted: Map<string, number> | undefined;
  const isAloneInPage = (item: Item): boolean => {
    if (page !== undefined || old.size > COUNTED_MAX || item.role === "rowgroup") return false;
    counted ??= countHeads(old);
    return counted.get(headKey(item)) === 1;
  };

  const line: Addresses["line"] = ({ before }, at) => {
    const node = before[at] as Node;
    const ref = refOf(node);
    return ref === 0 ? siblingNameText(roleOf(node), namesIn(before).nameOf(at)) : refText(ref);
  };

  /** Returns the name of an item without a ref, and the item around it that the name belongs to. */
  const step = ({ old: item, at }: Difference, outer: Difference) => {
    // Rows count through all groups of their table, because the groups say nothing.
    const isGrouped = item.role === "row" && isRowGroup(outer.old);
    const table = (isGrouped ? outer.outer : undefined) ?? outer;
    const siblings = item.role === "row" ? rowsIn(table.before) : table.before;
    const name = containerName(item, namesIn(siblings), item.role === "row" ? siblings.indexOf(item) : at);
    const isEnough = name.nth === 0 && name.words === item.name && isAloneInPage(item);
    return { text: siblingNameText(item.role, name), outer: isEnough ? undefined : table };
  };

  const place: Addresses["place"] = (difference) => {
    const steps: string[] = [];
    let at: Difference | undefined = difference;
    while (at?.outer !== undefined && steps.length < STEPS_MAX) {
      if (at.old.ref !== 0) return [...steps, headText(at.old)].join(" of ");
      const { text, outer }: ReturnType<typeof step> = step(at, at.outer);
      steps.push(text);
      at = outer;
    }
    if (page !== undefined || steps.length === 0) steps.push(page ?? "the page");
    return steps.join(" of ");
  };

  return {
    place,
    line,
    isOnlyOne: ({ before }, at) => namesIn(before).count(roleOf(before[at] as Node)) === 1,
    lineInCard(difference, at, nowAt) {
      const { before } = difference;
      const names = namesIn(before);
      const anchor = refOf(before[at] as Node) === 0 ? anchorOf(difference, nowAt, names) : undefined;
      if (anchor === undefined) return line(difference, at);
      const node = before[at] as Node;
      const role = roleOf(node);
      const lead = briefly(leadingWords(node));
      const words = names.like(role, lead).includes(at) ? lead : "";
      const [from, to] = [Math.min(at, anchor), Math.max(at, anchor)];
      const nth = names
        .like(role, words)
        .filter((each) => each >= from && each <= to && each !== anchor).length;
      const beside = before[anchor] as Node;
      const text =
        beside.kind === "element" && beside.ref !== 0 ? headText(beside) : line(difference, anchor);
      const side = anchor < at ? "after" : "before";
      return `${siblingNameText(role, { words, nth: nth === 1 ? 0 : nth })} ${side} ${text}`;
    },
    beside(difference, from, to) {
      const { before, after, was } = difference;
      const sides = [
        { side: "after", nowAt: from - 1 },
        { side: "before", nowAt: to },
      ].filter(({ nowAt }) => after[nowAt] !== undefined);
      for (const { side, nowAt } of sides) {
        const ref = edgeRef(
          before[was[nowAt] as number] as Node,
          after[nowAt] as Node,
          side === "after" ? -1 : 1,
        );
        if (ref !== 0) return ` ${side} ${refText(ref)}`;
      }
      const names = sides.map(({ side, nowAt }) => ({ side, at: was[nowAt] as number }));
      const best = names.find(({ at }) => namesIn(before).nameOf(at).nth === 0) ?? names[0];
      return best === undefined ? "" : ` ${best.side} ${line(difference, best.at)}`;
    },
  };
}

const isRowGroup = (node: Node): node is Item =>
  node.kind === "element" && node.role === "rowgroup" && node.ref === 0;

function ungrouped(siblings: readonly Node[]): readonly Node[] {
  return siblings.some(isRowGroup)
    ? siblings.flatMap((node) => (isRowGroup(node) ? linesBelow(node) : node))
    : siblings;
}

/** A container's role is enough if no sibling is like it. A row group has no useful first words. */
function containerName({ role, name }: Item, names: SiblingNames, at: number): SiblingName {
  const alike = names.like(role, "");
  if (name !== "" || (alike.length > 1 && role !== "rowgroup")) return names.nameOf(at);
  return { words: "", nth: alike.length === 1 ? 0 : alike.indexOf(at) + 1 };
}

/** Writes role, name and ref: `list "Results" [ref=e9]`. */
function headText({ role, name, ref }: Item): string {
  const parts = [role, name === "" ? "" : quoted(name), ref === 0 ? "" : `[ref=${refText(ref)}]`];
  return parts.filter((part) => part !== "").join(" ");
}

const headKey = ({ role, name }: Item) => `${role}\n${name}`;

function countHeads(top: Item): Map<string, number> {
  const counts = new Map<string, number>();
  const open: Node[] = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind !== "element") continue;
    if (node.ref === 0) counts.set(headKey(node), (counts.get(headKey(node)) ?? 0) + 1);
    for (const child of node.children) open.push(child);
  }
  return counts;
}

/** Returns the last (or first) ref in an unchanged node, or the node's own ref. It returns 0 if there is none. */
function edgeRef(old: Node, now: Node, side: 1 | -1): number {
  if (old !== now) return refOf(old) === refOf(now) ? refOf(old) : 0;
  return refAtEdge(old, side);
}

function refAtEdge(node: Node, side: 1 | -1): number {
  if (node.kind === "words") return 0;
  if (node.kind === "fold") return node.ref;
  if (node.ref === 0 && !node.live) return 0;
  if (side === 1 && node.ref !== 0) return node.ref;
  const children = hasLinesBelow(node) ? node.children : [];
  const inside = side === 1 ? children : children.toReversed();
  for (const child of inside) {
    const ref = refAtEdge(child, side);
    if (ref !== 0) return ref;
  }
  return node.ref;
}
