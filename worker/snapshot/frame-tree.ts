// Reads one frame's own tree, or its changes, from its bridge, including all closed shadow roots.

import type { EarlyTree, StyleMoved, Tree, TreeOptions } from "../bridge/api/bridge-api.ts";
import { DocumentGone } from "../core/gone.ts";
import { expectsNoNews } from "../outside/click-listeners.ts";
import { countEarly, openClosedRoots } from "../outside/closed-roots.ts";
import { meetKinds } from "../outside/internals.ts";
import type { SeenContent } from "../refs/delivered.ts";
import { PIECE_BINDING } from "../tab/bridge-bundle.ts";
import type { Frame, World } from "../tab/frames/frame.ts";
import type { Located, Page } from "../tab/page.ts";
import { missingElement } from "./actionability-error.ts";
import type { ChangeProbe } from "./change-probe.ts";

/** Closed shadow roots within closed ones are looked for down to this depth. */
const CLOSED_MAX = 5;
/** The most fields of a call whose value its evidence leaves out. */
const SECRET_FIELDS_MAX = 5_000;
/** The share of the room that a document keeps for itself if it holds frames. */
const OWN_SHARE = 0.7;

/** How much is asked for. `room`: an approximate maximum of characters. */
export type Asked = Pick<TreeOptions, "depth" | "interactiveOnly" | "offset" | "room" | "watching">;

/**
 * The known facts about the frame. `at`: read only that part, as it is now. `before`: what was last seen of the frame.
 */
export interface Known {
  at: Located | undefined;
  place: string | undefined;
  before: SeenContent | undefined;
  probe: ChangeProbe | undefined;
  /** The bridge has learnt of listeners or internals since the probe. */
  isHeard?: boolean;
  /** The tree that was asked for with the probe. */
  early?: Early | undefined;
}

/** An answer that is under way, with Chrome's count of nodes that was asked for at the same time. */
interface Asking<T extends Tree | undefined> {
  tree: Promise<T>;
  counted: Promise<number> | undefined;
}

/** A tree of this world that was asked for in the same write as a probe. */
export interface Early extends Asking<EarlyTree | undefined> {
  world: World;
}

/**
 * Asks for the tree in the same write as a probe of the frame. Returns undefined if the probe's answer is needed first.
 * The frame may have new listeners, its styles may move all the time, or a call that only reads may find no change.
 */
export function askEarly(
  page: Page,
  frame: Frame,
  options: Asked,
  known: Pick<Known, "at" | "place" | "before">,
): Early | undefined {
  const { world, styleCount } = frame;
  if (!world || !expectsNoNews(frame)) return undefined;
  if (known.before ? !page.call.beforeReading : world.movesAlways) return undefined;
  const styleMoved = known.before || styleCount === undefined ? true : undefined;
  const tree = inPieces(frame, requestOf(page, frame, options, known, styleMoved), (request) =>
    page.askInPassing(frame, "earlyTree", request),
  );
  // The probe may make it needless.
  tree.catch(() => undefined);
  return { world, tree, counted: countEarly(page, frame) };
}

/** Reads the tree. Throws DocumentGone if another document comes meanwhile. */
export async function frameTree(
  page: Page,
  frame: Frame,
  options: Asked,
  known: Known,
): Promise<{ tree: Tree; seen: SeenContent }> {
  const { at, before, probe } = known;
  const request = requestOf(page, frame, options, known, probe?.styleMoved ?? true);
  let tree = await wholeTree(page, frame, request, await valid(page, frame, known));
  // The content of frames needs room too.
  if (tree.kind === "full" && tree.frames.length > 0 && options.room !== undefined) {
    const own = options.room * OWN_SHARE;
    if (tree.text.length > own)
      tree = await page.ask(frame, "tree", { ...request, since: undefined, styleMoved: false, room: own });
  }
  noteSecretFields(page, tree);
  if (tree.missing && at) throw await missingElement(page, at);
  if (tree.inRow) page.detail = "lines";
  const world = page.worlds.get(frame.number) ?? "";
  // Snapshot numbers are valid for one document only.
  if (before && before.world !== world) throw new DocumentGone("the frame was replaced while it was read");
  if (probe) frame.styleCount = probe.styleCount;
  if (probe?.styleMoved === false && frame.world) frame.world.movesAlways = false;
  const { snapshot, elementCount, holes } = tree;
  page.trees.set(frame.number, {
    snapshot,
    ...(before && tree.kind !== "full" && { since: before.snapshot }),
  });
  return { tree, seen: { world, snapshot, elementCount, holes } };
}

/** Evidence of the call leaves their values out. */
function noteSecretFields({ call }: Page, { secretFields }: Tree): void {
  if (!secretFields) return;
  call.secretFields ??= [];
  call.secretFields.push(...secretFields.slice(0, SECRET_FIELDS_MAX - call.secretFields.length));
}

function requestOf(
  page: Page,
  { number, world }: Frame,
  options: Asked,
  { at, place, before }: Pick<Known, "at" | "place" | "before">,
  styleMoved: StyleMoved | undefined,
): TreeOptions {
  return {
    ...options,
    ...(styleMoved !== undefined && { styleMoved }),
    ...(at && { ref: at.ref }),
    ...(options.watching && { held: page.tab.delivered.heldFor(number, world?.uniqueId) }),
    ...(before && { since: before.snapshot }),
    ...(place && { place }),
    ...(page.call.evidence !== undefined && { secrets: true }),
  };
}

/** Returns the early tree if it holds. */
async function valid(
  page: Page,
  frame: Frame,
  { early, probe, isHeard }: Known,
): Promise<Asking<Tree> | undefined> {
  const tree = await early?.tree;
  if (!early || !tree || frame.world !== early.world) return undefined;
  const hasMoved = tree.assumesStill && probe?.styleMoved !== false;
  if (!hasMoved && !isHeard) {
    page.delivers(frame, early.world, tree.snapshot);
    return { tree: Promise.resolve(tree), counted: early.counted };
  }
  // Such a page would be read twice each time.
  if (hasMoved && probe?.styleMoved === true) early.world.movesAlways = true;
  // The bridge reports each kind once.
  await meetKinds(page, frame, tree.kinds);
  return undefined;
}

/** Returns the answer of a bridge that knows all closed shadow roots. `begun`: its first answer, if it is under way. */
async function wholeTree(
  page: Page,
  frame: Frame,
  request: TreeOptions,
  begun = askTree(page, frame, request),
): Promise<Tree> {
  let asking = begun;
  for (let level = 0; ; level++) {
    const tree = await asking.tree;
    if (level === CLOSED_MAX || !(await seeMore(page, frame, tree, asking.counted))) return tree;
    asking = askTree(page, frame, { ...request, styleMoved: false });
  }
}

/** Looks for what the bridge cannot see itself. Returns true if the bridge has learnt something new. */
async function seeMore(
  page: Page,
  frame: Frame,
  tree: Tree,
  counted: Promise<number> | undefined,
): Promise<boolean> {
  const isOpened = await openClosedRoots(page, frame, tree, counted);
  return (await meetKinds(page, frame, tree.kinds)) || isOpened;
}

/** Asks for the tree, and for the count of nodes in the same write. */
function askTree(page: Page, frame: Frame, request: TreeOptions): Asking<Tree> {
  const tree = inPieces(frame, request, (asked) => page.ask(frame, "tree", asked));
  return { tree, counted: countEarly(page, frame) };
}

/** Asks for a tree. A large text comes in pieces, before the answer. */
async function inPieces<T extends Tree | undefined>(
  { client }: Frame,
  request: TreeOptions,
  ask: (request: TreeOptions) => Promise<T>,
): Promise<T> {
  if (request.room !== undefined) return await ask(request);
  const token = crypto.randomUUID();
  const pieces: string[] = [];
  const take = ({ name, payload }: { name: string; payload: string }) => {
    if (name === PIECE_BINDING && payload.startsWith(token)) pieces.push(payload.slice(token.length + 1));
  };
  client.on("Runtime.bindingCalled", take);
  try {
    const tree = await ask({ ...request, pieces: token });
    return tree && { ...tree, text: pieces.join("") + tree.text };
  } finally {
    client.off("Runtime.bindingCalled", take);
  }
}
