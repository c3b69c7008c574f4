// Reads the whole tree of a tab, or its changes. The trees of frames stand below their iframes in the main frame's
// tree.

import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { FrameHole, Tree } from "../bridge/api/bridge-api.ts";
import { FrameTimeout, frameTimeMs, withinTime } from "../core/frame-time.ts";
import { DocumentGone, isGone } from "../core/gone.ts";
import { readUnseen } from "../outside/unseen.ts";
import type { SeenFrame, SeenFrames } from "../refs/delivered.ts";
import type { Frame } from "../tab/frames/frame.ts";
import { heardIn } from "../tab/frames/listeners.ts";
import { answerAwaited, stopIfEndless } from "../tab/load.ts";
import type { Located, Page } from "../tab/page.ts";
import { type ChangeProbe, knownDocument, probeChanges } from "./change-probe.ts";
import { type Asked, askEarly, frameTree } from "./frame-tree.ts";
import { indented, joined, splice } from "./splice.ts";

/** Frames beyond this number are left out, and the tree says so. */
const FRAMES_MAX = 200;
/** With less room than this, a frame is not expanded. */
const FRAME_ROOM_MIN = 150;

/** A request for a tree. `at`: read only that part. `since`: changes since then are enough, if they are short. */
export type TreeRequest = Asked & {
  at?: Located;
  since?: SeenFrames | undefined;
};

/**
 * `text`: lines of the tree or of a delta, two spaces a level. A large text stays in one piece from the page to the
 * reply.
 */
export interface Seen {
  kind: Tree["kind"];
  text: string;
  elementCount: number;
  /** The least number of elements that were left out for lack of room. */
  left: number;
  /** The main document. */
  loaderId: string;
  frames: SeenFrames;
}

/** Reads the tree. If the main document goes away meanwhile, the new one is read instead. */
export async function readTree(page: Page, request: TreeRequest = {}): Promise<Seen> {
  page.call.waitsFor = answerAwaited(page) ?? "the page's content";
  for (let documents = 0; ; documents++) {
    stopIfEndless(page, { documents });
    try {
      return await readOnce(page, request);
    } catch (error) {
      if (!isGone(error) || request.at) throw error;
      await page.nextDocument();
      page.call.beforeReading?.();
    }
  }
}

/** One reading of the tab, with its results so far. */
interface Reading {
  page: Page;
  /** The part that was asked for by itself. */
  at: Located | undefined;
  options: Asked;
  since: SeenFrames | undefined;
  frames: Map<string, SeenFrame>;
  /** The change probes of frames that are yet to be read. */
  probes: Map<Frame, ChangeProbe>;
  framesLeft: number;
  /** The least number of elements that were left out. */
  left: number;
}

type Content = Pick<Seen, "kind" | "text">;

async function readOnce(page: Page, { at, since, ...options }: TreeRequest): Promise<Seen> {
  // The reply delivers this reading only. Earlier readings, perhaps of other documents, are not delivered.
  page.worlds.clear();
  page.trees.clear();
  const { loaderId } = page.main();
  const frame = at?.frame ?? page.main();
  const seen = { frames: new Map(), probes: new Map(), framesLeft: FRAMES_MAX, left: 0 };
  const reading: Reading = { page, at, options, since, ...seen };
  const { kind, text } = await readFrame(reading, frame, options, { at, place: undefined });
  let elementCount = 0;
  for (const seen of reading.frames.values()) if ("world" in seen) elementCount += seen.elementCount;
  const { left, frames } = reading;
  // Frames that hang take their time, so the page may be another one by now.
  if (page.main().loaderId !== loaderId) throw new DocumentGone("the page was replaced while it was read");
  return { kind, text, elementCount, left, loaderId, frames };
}

async function readFrame(
  reading: Reading,
  frame: Frame,
  options: Asked,
  { at, place }: { at?: Located | undefined; place: string | undefined },
): Promise<Content> {
  const { page } = reading;
  const before = seenBefore(reading, frame, place);
  // The document's object id is asked for beside the probe.
  if (!at) heardIn(frame);
  let early: ReturnType<typeof askEarly>;
  const askWithProbe = () => {
    early = askEarly(page, frame, options, { at, place, before });
  };
  const probe = at ? undefined : await probeOf(reading, frame, askWithProbe);
  const isHeard = probe !== undefined && (await readUnseen(page, frame, probe));
  if (before && probe?.isUnchanged && !probe.styleMoved && !isHeard) {
    reading.frames.set(frame.id, before);
    return { kind: "unchanged", text: await insideKept(reading, frame, before.holes, new Set()) };
  }
  if (at) await checkInside(page, at);
  const known = { at, place, before, probe, isHeard, early };
  const { tree, seen } = await frameTree(page, frame, options, known);
  reading.left += tree.left;
  reading.frames.set(frame.id, seen);
  return await withFrames(reading, frame, tree, options);
}

/** The first frame that is read of a process probes all its frames that are read after it. */
async function probeOf(
  { page, since, probes }: Reading,
  frame: Frame,
  sent: () => void,
): Promise<ChangeProbe | undefined> {
  const known = probes.get(frame);
  if (known && known.world === frame.world?.uniqueId) return known;
  const fresh = await probeChanges(page, frame, since ?? page.tab.delivered.snapshot?.frames, sent);
  for (const [each, seen] of fresh) probes.set(each, seen);
  return fresh.get(frame);
}

/** A frame that is asked for by itself must be read, or give a reason. Throws FRAME_INJECTION_FAILED. */
async function checkInside(page: Page, at: Located): Promise<void> {
  const inside = (await childrenByRef(page, at.frame)).get(at.ref);
  if (inside && !inside.loaderId && inside.isAsked) throw didNotAnswer(inside);
}

function didNotAnswer({ number }: Frame): TroupeError {
  return fail("FRAME_INJECTION_FAILED", { frame: `f${number}`, reason: "timeout" });
}

/** Returns what was seen of the frame's document. If the lines around a frame are written again, so is its content. */
function seenBefore({ since }: Reading, frame: Frame, place: string | undefined) {
  return frame.parent && !place ? undefined : knownDocument(frame, since);
}

/** Returns the lines of a frame's tree with the content of its child frames. */
async function withFrames(reading: Reading, frame: Frame, tree: Tree, options: Asked): Promise<Content> {
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

/** Returns the changes inside the iframes that were there before and had been read. */
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
    kept.map(async ({ ref, head, isLocal }) => {
      const child = inside.get(ref);
      // A frame without room was not delivered, so its changes are not delivered either.
      if (!child || !reading.since?.has(child.id)) return "";
      const content = await contentOf(
        reading,
        child,
        { ref, isLocal, level: 0, line: 0 },
        reading.options,
        head,
      );
      if (content?.kind !== "full") return content?.text ?? "";
      return content.text === "" ? `~ - ${head}` : `~ - ${head}:\n${indented(content.text, "    ")}`;
    }),
  );
  return joined(parts);
}

async function childrenByRef(page: Page, frame: Frame): Promise<Map<string, Frame>> {
  const children = page.tab.frames.children.filter((child) => child.parent === frame);
  const refs = await Promise.all(children.map((child) => page.ownerRef(child)));
  return new Map(children.flatMap((child, index) => (refs[index] ? [[refs[index], child] as const] : [])));
}

/**
 * Returns the lines of a frame's content, without indentation. A frame that cannot be read gives a reason, which is
 * recorded. `place`: its iframe's line, if it was in the tree before: then the changes are enough.
 */
async function contentOf(
  reading: Reading,
  frame: Frame | undefined,
  hole: FrameHole,
  options: Asked,
  place?: string,
): Promise<Content | undefined> {
  if (!frame) return undefined;
  const depth = options.depth === undefined ? undefined : options.depth - hole.level - 1;
  if (depth !== undefined && depth < 1) return undefined;
  if (options.room !== undefined && options.room < FRAME_ROOM_MIN)
    return { kind: "full", text: `- … not shown [expand with browser_snapshot ref=${hole.ref}]` };
  if (reading.framesLeft-- <= 0)
    return left(reading, frame, `not read: more than ${FRAMES_MAX} frames`, place);
  if (!frame.loaderId && !frame.isAsked) return left(reading, frame, notAsked(hole), place);
  if (!frame.loaderId && frame.isLeftEmpty)
    return left(reading, frame, "empty: its server answered without a document", place);
  // The frame shows nothing yet, because its server has not answered.
  if (!frame.loaderId)
    return notReachable(reading, frame, hole, new Error("timeout: its server has not answered yet"), place);
  const failure = reading.page.tab.frames.whyUnreachable(frame);
  if (failure)
    return notReachable(reading, frame, hole, new Error(whyNot(reading.page, frame, failure)), place);
  const inside = { ...options, ...(depth !== undefined && { depth }) };
  return await readInTime(reading, frame, hole, inside, place);
}

/** Says why no document was asked for. */
function notAsked({ ref, isLocal }: FrameHole): string {
  return isLocal
    ? "not loaded: a web page may not show local files (file:)"
    : `not loaded before it is scrolled to [load with browser_scroll ref=${ref} direction=down]`;
}

/** Returns Chrome's reason, with the cause behind it. */
function whyNot({ tab }: Page, { url }: Frame, failure: string): string {
  const { connections } = tab.owner.wall;
  const words = connections.inPlainWords(failure, url).replace("net::", "");
  return connections.whyBlocked(url) ?? WORDS.get(words) ?? words;
}

const WORDS = new Map([
  ["ERR_BLOCKED_BY_RESPONSE", "its server allows no other page to show it (ERR_BLOCKED_BY_RESPONSE)"],
  ["ERR_BLOCKED_BY_CSP", "the page's security policy forbids it (ERR_BLOCKED_BY_CSP)"],
  ["ERR_EMPTY_RESPONSE", "its server hung up without an answer (ERR_EMPTY_RESPONSE)"],
  ["ERR_CONNECTION_REFUSED", "its server refused the connection (ERR_CONNECTION_REFUSED)"],
  ["ERR_NAME_NOT_RESOLVED", "its server's name is unknown (ERR_NAME_NOT_RESOLVED)"],
]);

/**
 * A document that was silent once gets little time. If it is asked for by itself, it gets full time, so that its reason
 * can be given.
 */
async function readInTime(
  reading: Reading,
  frame: Frame,
  hole: FrameHole,
  options: Asked,
  place: string | undefined,
): Promise<Content> {
  const { page, at } = reading;
  const { loaderId } = frame;
  const isAskedFor = at?.ref === hole.ref;
  try {
    const timeMs = frameTimeMs(page.call, frame.silentLoaderId === loaderId && !isAskedFor);
    const content = await withinTime(() => readFrame(reading, frame, options, { place }), timeMs);
    frame.silentLoaderId = "";
    page.tab.failures.frameExpanded(page.tab, hole.ref);
    return content;
  } catch (error) {
    if (page.call.signal.aborted || page.tab.halt || !(error instanceof Error)) throw error;
    if (error instanceof FrameTimeout) {
      frame.silentLoaderId = loaderId;
      if (isAskedFor) throw didNotAnswer(frame);
    }
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

/** Returns the line for a frame that was not read, or nothing if the same was delivered before. */
function left({ since, frames }: Reading, frame: Frame, reason: string, place: string | undefined): Content {
  const before = since?.get(frame.id);
  frames.set(frame.id, { reason });
  if (place !== undefined && before && "reason" in before && before.reason === reason)
    return { kind: "unchanged", text: "" };
  return { kind: "full", text: `- … ${reason}` };
}
