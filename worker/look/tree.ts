// The whole tree of a tab, or what changed in it: the main frame's, with those of its frames where their iframes stand.

import { missingElement } from "../act/element.ts";
import type { FrameHole, Tree, TreeOptions } from "../bridge/api.ts";
import { PIECE_BINDING } from "../tab/bridge-bundle.ts";
import { openClosedRoots } from "../tab/closed-roots.ts";
import { frameTimeMs, withinTime } from "../tab/frame-time.ts";
import type { Frame } from "../tab/frames.ts";
import { DocumentGone, isGone } from "../tab/gone.ts";
import type { Located, Page } from "../tab/page.ts";
import { styleCountOf } from "../tab/page-metrics.ts";
import type { SeenFrame, SeenFrames } from "../tab/told.ts";

/** Frames beyond this are left out, and said. */
const FRAMES_MAX = 200;

/** Closed shadow roots within closed ones are looked for so deep. */
const CLOSED_MAX = 5;

/** So much of the room is a document's own where it holds frames. */
const OWN_SHARE = 0.7;
/** With less room a frame is closed. */
const FRAME_ROOM_MIN = 150;

/** What a tree is asked for with. `since`: what changed after that is enough, where it is short. */
/** `room`: at most about so many characters. */
export type TreeRequest = Asked & {
  at?: Located;
  since?: SeenFrames | undefined;
};

type Asked = Pick<TreeOptions, "depth" | "interactiveOnly" | "offset" | "room" | "watching">;

/** `text`: lines of the tree or of a delta, two spaces a level; a large one is in one piece from the page to the reply. */
export interface Seen {
  kind: Tree["kind"];
  text: string;
  elementCount: number;
  /** How many of the elements were left out for want of room. */
  left: number;
  /** The main document. */
  loaderId: string;
  frames: SeenFrames;
}

/** Reads the tree. A main document that goes away meanwhile is read again as the new one. */
export async function readTree(page: Page, request: TreeRequest = {}): Promise<Seen> {
  page.call.waitsFor = "the page's content";
  for (;;) {
    try {
      return await readOnce(page, request);
    } catch (error) {
      if (!isGone(error) || request.at) throw error;
      await page.nextDocument();
    }
  }
}

/** One reading of the tab, and what it has seen so far. */
interface Reading {
  page: Page;
  options: Asked;
  since: SeenFrames | undefined;
  frames: Map<string, SeenFrame>;
  framesLeft: number;
  /** How many elements were left out. */
  left: number;
}

type Content = Pick<Seen, "kind" | "text">;

async function readOnce(page: Page, { at, since, ...options }: TreeRequest): Promise<Seen> {
  // The reply tells this reading: what was read before it, perhaps of other documents, is not told.
  page.worlds.clear();
  page.trees.clear();
  const { loaderId } = page.main();
  const frame = at?.frame ?? page.main();
  const reading: Reading = { page, options, since, frames: new Map(), framesLeft: FRAMES_MAX, left: 0 };
  const { kind, text } = await readFrame(reading, frame, options, { at, place: undefined });
  let elementCount = 0;
  for (const seen of reading.frames.values()) if ("world" in seen) elementCount += seen.elementCount;
  const { left, frames } = reading;
  // Frames that hang take their time: by then the page may be another one.
  if (page.main().loaderId !== loaderId) throw new DocumentGone("the page was replaced while it was read");
  return { kind, text, elementCount, left, loaderId, frames };
}

async function readFrame(
  reading: Reading,
  frame: Frame,
  options: Reading["options"],
  { at, place }: { at?: Located | undefined; place: string | undefined },
): Promise<Content> {
  const { page } = reading;
  const before = seenBefore(reading, frame, place);
  const { isCalm, styleMoved, styleCount } = at ? PART : await glance(page, frame, before?.snapshot);
  if (before && isCalm && !styleMoved) {
    reading.frames.set(frame.id, before);
    return { kind: "unchanged", text: await insideKept(reading, frame, before.holes, new Set()) };
  }
  const request = {
    ...options,
    prefix: page.prefixOf(frame),
    styleMoved,
    ...(at && { ref: at.local }),
    ...(options.watching && { held: page.tab.told.heldFor(frame.number, frame.world?.uniqueId) }),
    ...(before && { since: before.snapshot }),
    ...(place && { place }),
  };
  let tree = await wholeTree(page, frame, request);
  // What stands in frames is to be seen too.
  if (tree.kind === "full" && tree.frames.length > 0 && options.room !== undefined) {
    const own = options.room * OWN_SHARE;
    if (tree.text.length > own)
      tree = await page.ask(frame, "tree", { ...request, since: undefined, styleMoved: false, room: own });
  }
  if (tree.missing && at) throw await missingElement(page, at);
  if (tree.inRow) page.tells = "lines";
  const world = page.worlds.get(frame.number) ?? "";
  // Numbers of snapshots are those of one document.
  if (before && before.world !== world) throw new DocumentGone("the frame was replaced while it was read");
  if (!at) frame.styleCount = styleCount;
  const { snapshot, elementCount, holes } = tree;
  page.trees.set(frame.number, {
    snapshot,
    ...(before && tree.kind !== "full" && { since: before.snapshot }),
  });
  reading.left += tree.left;
  reading.frames.set(frame.id, { world, snapshot, elementCount, holes });
  return await withFrames(reading, frame, tree, options);
}

/** The answer of a bridge that knows all closed shadow roots. */
async function wholeTree(page: Page, frame: Frame, request: TreeOptions): Promise<Tree> {
  let tree = await askTree(page, frame, request);
  for (let level = 0; level < CLOSED_MAX && (await openClosedRoots(page, frame, tree)); level++)
    tree = await askTree(page, frame, request);
  return tree;
}

/** What was seen of the frame's document. Where all that is around a frame is told anew, so is all that is in it. */
function seenBefore({ since }: Reading, frame: Frame, place: string | undefined) {
  if (frame.parent && !place) return undefined;
  const known = since?.get(frame.id);
  return known && "world" in known && known.world === frame.world?.uniqueId ? known : undefined;
}

/** A large text comes in pieces, ahead of the answer. */
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

/** A part is looked at anew whatever changed. */
const PART = { isCalm: false, styleMoved: true, styleCount: undefined };

/** Whether the frame's bridge or Chrome's count of computed styles knows of any change since its last tree. */
export async function glance(
  page: Page,
  frame: Frame,
  snapshot = 0,
): Promise<{ isCalm: boolean; styleMoved: boolean; styleCount: number }> {
  // Sent at once: the count is asked for after the bridge has had styles computed.
  const [isCalm, styleCount] = await Promise.all([
    page.ask(frame, "isCalm", snapshot),
    page.during(styleCountOf(frame.client)),
  ]);
  // Nothing is told of this: the answer's document is the next one's.
  page.worlds.delete(frame.number);
  page.trees.delete(frame.number);
  return { isCalm, styleMoved: frame.styleCount !== styleCount, styleCount };
}

/** The lines of a frame's tree with the content of frames in it. */
async function withFrames(
  reading: Reading,
  frame: Frame,
  tree: Tree,
  options: Reading["options"],
): Promise<Content> {
  const { kind, text } = tree;
  if (tree.holes.length === 0) return { kind, text };
  const inside = await childrenByRef(reading.page, frame);
  const { offset: _, ...within } = options;
  if (within.room !== undefined && tree.frames.length > 0)
    within.room = Math.floor((within.room - tree.text.length) / tree.frames.length);
  const parts = await Promise.all(
    tree.frames.map((hole) => contentOf(reading, inside.get(hole.ref), hole, within)),
  );
  const whole = splice(text, tree.frames, parts);
  if (kind === "full") return { kind, text: whole };
  const came = new Set(tree.frames.map(({ ref }) => ref));
  return { kind, text: joined([whole, await insideKept(reading, frame, tree.holes, came)]) };
}

/** What changed inside the iframes that were there before, and had been read. */
async function insideKept(
  reading: Reading,
  frame: Frame,
  holes: Tree["holes"],
  came: ReadonlySet<string>,
): Promise<string> {
  const kept = holes.filter(({ ref }) => !came.has(ref));
  if (kept.length === 0) return "";
  const inside = await childrenByRef(reading.page, frame);
  const parts = await Promise.all(
    kept.map(async ({ ref, head }) => {
      const child = inside.get(ref);
      // What there was no room for has not been told: nor is what changed in it.
      if (!child || !reading.since?.has(child.id)) return "";
      const content = await contentOf(reading, child, { ref, level: 0, line: 0 }, reading.options, head);
      if (content?.kind !== "full") return content?.text ?? "";
      return content.text === "" ? `~ - ${head}` : `~ - ${head}:\n${indented(content.text, "    ")}`;
    }),
  );
  return joined(parts);
}

function splice(text: string, holes: readonly FrameHole[], parts: readonly (Content | undefined)[]): string {
  if (holes.length === 0) return text;
  const lines = text.split("\n");
  holes.forEach((hole, index) => {
    const content = parts[index]?.text ?? "";
    if (content !== "") lines[hole.line] += `:\n${indented(content, "  ".repeat(hole.level + 1))}`;
  });
  return lines.join("\n");
}

function indented(text: string, indent: string): string {
  return indent + text.replaceAll("\n", `\n${indent}`);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

async function childrenByRef(page: Page, frame: Frame): Promise<Map<string, Frame>> {
  const children = page.tab.frames.children.filter((child) => child.parent === frame);
  const refs = await Promise.all(children.map((child) => page.ownerRef(child)));
  return new Map(
    children.flatMap((child, index) =>
      refs[index] ? [[page.prefixOf(frame) + refs[index], child] as const] : [],
    ),
  );
}

/**
 * The lines of a frame's content, without indentation; a frame that cannot be read says why, and is recorded.
 * `place`: how its iframe stands in the tree, where it was there before: then what changed in it is enough.
 */
async function contentOf(
  reading: Reading,
  frame: Frame | undefined,
  hole: FrameHole,
  options: Reading["options"],
  place?: string,
): Promise<Content | undefined> {
  const { page } = reading;
  if (!frame) return undefined;
  const depth = options.depth === undefined ? undefined : options.depth - hole.level - 1;
  if (depth !== undefined && depth < 1) return undefined;
  if (options.room !== undefined && options.room < FRAME_ROOM_MIN)
    return { kind: "full", text: `- … not shown [expand with browser_snapshot ref=${hole.ref}]` };
  if (reading.framesLeft-- <= 0)
    return left(reading, frame, `not read: more than ${FRAMES_MAX} frames`, place);
  if (!frame.loaderId && !frame.isAsked)
    return left(reading, frame, "not loaded before it is scrolled to", place);
  // It shows nothing yet: whoever wants to wait for it waits for what it is to show.
  if (!frame.loaderId)
    return notReachable(reading, frame, hole, new Error("timeout: its server has not answered yet"), place);
  try {
    const inside = { ...options, ...(depth !== undefined && { depth }) };
    const content = await withinTime(
      () => readFrame(reading, frame, inside, { place }),
      frameTimeMs(page.call, page.tab.failures.isUnexpanded(page.tab, hole.ref)),
    );
    page.tab.failures.frameExpanded(page.tab, hole.ref);
    return content;
  } catch (error) {
    if (page.call.signal.aborted || page.tab.dialog || !(error instanceof Error)) throw error;
    const why = error instanceof DocumentGone ? new Error("detached") : error;
    return notReachable(reading, frame, hole, why, place);
  }
}

function notReachable(
  reading: Reading,
  frame: Frame,
  hole: FrameHole,
  error: Error,
  place: string | undefined,
): Content {
  const { tab } = reading.page;
  tab.failures.frameNotExpanded(tab, hole.ref, error);
  return left(reading, frame, `not reachable: ${error.message}`, place);
}

/** What stands for a frame that was not read; nothing where that was told before. */
function left({ since, frames }: Reading, frame: Frame, reason: string, place: string | undefined): Content {
  const before = since?.get(frame.id);
  frames.set(frame.id, { reason });
  if (place !== undefined && before && "reason" in before && before.reason === reason)
    return { kind: "unchanged", text: "" };
  return { kind: "full", text: `- … ${reason}` };
}
