// Returns the document as text: the whole, a part of it, or the changes since it was delivered.

import type { EarlyTree, Tree, TreeOptions } from "../api/bridge-api.ts";
import { treeDelta } from "../delta/delta.ts";
import { countElements } from "../dom/dom.ts";
import { refText } from "../dom/ref-text.ts";
import { type FoldOptions, printFolded } from "../tree/fold.ts";
import type { Item, Node } from "../tree/item.ts";
import { headOf, isLocal, type Printed } from "../tree/print.ts";
import { walk } from "../tree/walk.ts";
import type { PageContext } from "./page-context.ts";
import { secretFields } from "./secret-fields.ts";
import { isInRow, treePositionOf } from "./tree-position.ts";

export function tree(context: PageContext, options: TreeOptions): Tree {
  const seen = read(context, options);
  return {
    ...seen,
    met: countElements(context.shadowRoots()),
    hosts: context.current.likely,
    kinds: context.internals.takeKinds(),
    ...(options.secrets && { secretFields: secretFields(context) }),
  };
}

/** Returns the tree before it is known if styles have moved. `styleMoved` in the options is true if it cannot be known. */
export function earlyTree(context: PageContext, options: TreeOptions): EarlyTree {
  const styleMoved = options.styleMoved ?? context.current.hasMutations();
  return { ...tree(context, { ...options, styleMoved }), assumesStill: !styleMoved };
}

type Seen = Omit<Tree, "met" | "hosts" | "kinds" | "secretFields">;

function read(context: PageContext, options: TreeOptions): Seen {
  if (options.ref !== undefined) return partTree(context, options.ref, options);
  if (options.held !== undefined) context.snapshots.hold(options.held);
  if (mayBeOverview(options)) return overviewTree(context, options);
  const { top, snapshot } = context.update(options.styleMoved ?? true, options.watching);
  const earlier = options.since === undefined ? undefined : context.snapshots.get(options.since);
  const delta =
    earlier === undefined || context.current.isIncomparable(earlier)
      ? undefined
      : treeDelta(earlier, top, printOptions(context, options));
  if (delta === undefined) return { ...whole(context, top, options), snapshot };
  const { lines, frames } = delta;
  const kind = lines.length === 0 ? "unchanged" : "delta";
  const holes = holesOf(top);
  return { kind, text: lines.join("\n"), elementCount: top.size, left: 0, frames, holes, snapshot };
}

function mayBeOverview({ room, since, depth, interactiveOnly, watching }: TreeOptions): boolean {
  return room !== undefined && since === undefined && depth === undefined && !interactiveOnly && !watching;
}

/** Returns the tree without its unread rows, unless they have room or could have some. */
function overviewTree(context: PageContext, options: TreeOptions): Seen {
  const { top, snapshot } = context.overview(options.styleMoved ?? true);
  const printed = printFolded(top, printOptions(context, options));
  if (!printed.needsUnread) return { ...seenWhole(top, printed), snapshot };
  const complete = context.update(false);
  return { ...whole(context, complete.top, options), snapshot: complete.snapshot };
}

function partTree(context: PageContext, ref: string, options: TreeOptions): Seen {
  context.refs.prune();
  const resolved = context.refs.resolve(ref);
  if (resolved.state !== "present") {
    const nothing = { text: "", elementCount: 0, left: 0, frames: [], holes: [], snapshot: 0 };
    return { kind: "full", ...nothing, missing: resolved.state };
  }
  const { refs, noteRoot } = context;
  // A hidden part is shown to a client that asks for it by its ref.
  const top = walk(resolved.element, { survey: context.survey(true), refs, noteRoot });
  const place = treePositionOf(context.update(false).top, resolved.element);
  const inRow = place !== undefined && isInRow(place);
  return { ...whole(context, top, options), snapshot: context.snapshots.keepPart(top), inRow };
}

function whole(context: PageContext, top: Item, options: TreeOptions): Omit<Seen, "snapshot"> {
  const sink = top.holes > 0 || options.room !== undefined ? undefined : sinkOf(options.pieces);
  return seenWhole(top, printFolded(top, { ...printOptions(context, options), sink }));
}

function seenWhole(top: Item, { lines, left, frames }: Printed): Omit<Seen, "snapshot"> {
  return { kind: "full", text: lines.join("\n"), elementCount: top.size, left, frames, holes: holesOf(top) };
}

// The text comes in one piece if frames' lines must be inserted, or if room is limited.
function sinkOf(token: string | undefined): ((piece: string) => void) | undefined {
  const send: unknown = Object.getOwnPropertyDescriptor(globalThis, "__troupePiece")?.value;
  if (token === undefined || typeof send !== "function") return undefined;
  return (piece) => send(`${token}\n${piece}`);
}

function printOptions(context: PageContext, options: TreeOptions): FoldOptions {
  const refOf = (item: Item) =>
    item.ref !== 0 ? item.ref : context.refs.mint(item.el, item.role || "generic", item.name);
  return { ...options, refOf, longRef: context.refs.longer };
}

function holesOf(top: Item): Tree["holes"] {
  const holes: Tree["holes"] = [];
  const open: Node[] = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind !== "element" || node.holes === 0) continue;
    if (node.hole) holes.push({ ref: refText(node.ref), head: headOf(node), isLocal: isLocal(node) });
    for (const child of node.children) open.push(child);
  }
  return holes.reverse();
}
