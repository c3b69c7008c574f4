// Reads one frame's own tree, or its changes, from its bridge, including all closed shadow roots.

import type { Tree, TreeOptions } from "../bridge/api/bridge-api.ts";
import { DocumentGone } from "../core/gone.ts";
import { openClosedRoots } from "../outside/closed-roots.ts";
import { meetKinds } from "../outside/internals.ts";
import type { SeenContent } from "../refs/delivered.ts";
import { PIECE_BINDING } from "../tab/bridge-bundle.ts";
import type { Frame } from "../tab/frames.ts";
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
}

/** Reads the tree. Throws DocumentGone if another document comes meanwhile. */
export async function frameTree(
  page: Page,
  frame: Frame,
  options: Asked,
  { at, place, before, probe }: Known,
): Promise<{ tree: Tree; seen: SeenContent }> {
  const request = {
    ...options,
    styleMoved: probe?.styleMoved ?? true,
    ...(at && { ref: at.ref }),
    ...(options.watching && { held: page.tab.delivered.heldFor(frame.number, frame.world?.uniqueId) }),
    ...(before && { since: before.snapshot }),
    ...(place && { place }),
    ...(page.call.evidence !== undefined && { secrets: true }),
  };
  let tree = await wholeTree(page, frame, request);
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

/** Returns the answer of a bridge that knows all closed shadow roots. */
async function wholeTree(page: Page, frame: Frame, request: TreeOptions): Promise<Tree> {
  let tree = await askTree(page, frame, request);
  for (let level = 0; level < CLOSED_MAX && (await seeMore(page, frame, tree)); level++)
    tree = await askTree(page, frame, { ...request, styleMoved: false });
  return tree;
}

/** Looks for what the bridge cannot see itself. Returns true if the bridge has learnt something new. */
async function seeMore(page: Page, frame: Frame, tree: Tree): Promise<boolean> {
  const isOpened = await openClosedRoots(page, frame, tree);
  return (await meetKinds(page, frame, tree.kinds)) || isOpened;
}

/** Asks for the tree. A large text comes in pieces, ahead of the answer. */
async function askTree(page: Page, frame: Frame, request: TreeOptions): Promise<Tree> {
  if (request.room !== undefined) return await page.ask(frame, "tree", request);
  const token = crypto.randomUUID();
  const pieces: string[] = [];
  const take = ({ name, payload }: { name: string; payload: string }) => {
    if (name === PIECE_BINDING && payload.startsWith(token)) pieces.push(payload.slice(token.length + 1));
  };
  const { client } = frame;
  client.on("Runtime.bindingCalled", take);
  try {
    const tree = await page.ask(frame, "tree", { ...request, pieces: token });
    return { ...tree, text: pieces.join("") + tree.text };
  } finally {
    client.off("Runtime.bindingCalled", take);
  }
}
