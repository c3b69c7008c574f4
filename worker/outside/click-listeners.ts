// Asks Chrome which elements listen for clicks, if its count of listeners has moved, and hands them to the bridge.
import type { CDPSession, Protocol } from "puppeteer-core";
import { unlessGone } from "../core/gone.ts";
import type { Frame, Heard, Listeners } from "../tab/frames/frame.ts";
import { DELEGATED_MAX, heardIn, listenersOf } from "../tab/frames/listeners.ts";
import type { Page } from "../tab/page.ts";
import { handOver } from "./hand-over.ts";

/** A document with more listeners is not asked again, because its answer is too large. */
const LISTENERS_MAX = 20_000;
/** Chrome counts the listeners of dead documents until it collects them. At most this many may be such leftovers. */
const LEFTOVERS_MAX = 200_000;
/** One snapshot hands over at most this many elements. The next ones hand over the rest. */
const HANDED_MAX = 1_000;
/** An element that listens to this many kinds of events does so for its descendants. */
const KINDS_MAX = 12;
/** Up to this many new nodes are handed over without sorting out native controls. */
const UNSORTED_MAX = 60;
/** A kind of event that never happens. */
const CONTROL_MARK = "troupe-control";

type NodeId = Protocol.DOM.BackendNodeId;

interface Place {
  page: Page;
  frame: Frame;
  /** The document's. */
  objectId: string;
  heard: Heard;
}

/** Reports if the next snapshot will hand nothing over, unless listeners come until then. */
export function expectsNoNews({ world }: Frame): boolean {
  const heard = world?.heard;
  if (!heard) return false;
  return (
    heard.count !== undefined || (heard.listed !== undefined && pressed(heard.listed.listeners).size === 0)
  );
}

/**
 * Reports to the bridge which elements listen for clicks. Returns true if that may change the tree. `count`: Chrome's
 * number of listeners in the process.
 */
export async function hearClicks(page: Page, frame: Frame, count: number): Promise<boolean> {
  const heard = heardIn(frame);
  if (!heard || !(count > 0) || heard.isTooMuch) return false;
  if (heard.count === count && !heard.isListedBefore) return false;
  return (await unlessGone(hear(page, frame, heard, count))) === true;
}

/**
 * Returns true if a script of the document listens for transitions, or may do so. A listener that was met counts for
 * good. To list many listeners would take longer than most transitions.
 */
export async function hearsTransitions(page: Page, frame: Frame): Promise<boolean> {
  const { client, ownWorldId } = frame;
  const heard = heardIn(frame);
  if (!heard || heard.transitions || ownWorldId === undefined) return true;
  if (heard.isLarge || heard.count === undefined || heard.count > DELEGATED_MAX) return true;
  const objectId = await page.during(heard.documentId);
  const all = await page.holding(client, async (objectGroup) => {
    const inWindow = page.during(listenersOfWindow(client, ownWorldId, objectGroup));
    return await Promise.all([listenersIn({ page, frame, objectId, heard }), inWindow]);
  });
  // Chrome calls some of them webkitTransitionEnd.
  heard.transitions = all.flat().some(({ type }) => /transition/i.test(type));
  return heard.transitions;
}

async function listenersOfWindow(
  client: CDPSession,
  uniqueContextId: string,
  objectGroup: string,
): Promise<Listeners> {
  const asked = { expression: "globalThis", uniqueContextId, objectGroup };
  const { result } = await client.send("Runtime.evaluate", asked);
  return await listenersOf(client, result.objectId ?? "");
}

/** Returns true if the answer is small enough to ask for. */
async function isSmall(page: Page, frame: Frame, count: number): Promise<boolean> {
  if (count <= LISTENERS_MAX) return true;
  return count <= LEFTOVERS_MAX && (await page.askInPassing(frame, "countMet")) <= LISTENERS_MAX;
}

async function hear(page: Page, frame: Frame, heard: Heard, count: number): Promise<boolean> {
  heard.isLarge = !(await isSmall(page, frame, count));
  if (heard.isLarge) return false;
  const { listed } = heard;
  heard.listed = undefined;
  const objectId = await page.during(heard.documentId);
  const place = { page, frame, objectId, heard };
  // Handing over one node costs Chrome as much as listing ten, so native controls are sorted out of many.
  const isSorted = heard.known.size === 0 && count > DELEGATED_MAX;
  const before = listed?.count === count ? listed.listeners : undefined;
  heard.isListedBefore = before !== undefined;
  const listeners = before ?? (await (isSorted ? listenersAndControls(place) : listenersIn(place)));
  heard.isTooMuch = listeners.length > LISTENERS_MAX;
  const now = pressed(listeners);
  const gone = [...heard.known].filter((node) => !now.has(node));
  for (const node of heard.controls) if (!now.has(node)) heard.controls.delete(node);
  let fresh = [...now].filter((node) => isFresh(heard, node));
  if (fresh.length > UNSORTED_MAX && !isSorted) {
    await listenersAndControls(place);
    fresh = fresh.filter((node) => isFresh(heard, node));
  }
  const some = fresh.slice(0, HANDED_MAX);
  heard.count = some.length === fresh.length ? count : undefined;
  if (gone.length === 0 && some.length === 0) return false;
  for (const node of gone) heard.known.delete(node);
  for (const node of some) heard.known.add(node);
  const hand = `(numbers, ...nodes) => globalThis.__troupe.hearClicks(numbers, nodes, ${JSON.stringify(gone)})`;
  return (await handOver(page, frame, some, hand)) === true;
}

function listenersIn({ page, frame, objectId }: Place): Promise<Listeners> {
  return page.during(listenersOf(frame.client, objectId));
}

/** Lists the listeners and notes which nodes are native controls: the bridge adds a listener to each for a moment. */
async function listenersAndControls(place: Place): Promise<Listeners> {
  const { page, frame, heard } = place;
  const marked = page.askInPassing(frame, "markControls", CONTROL_MARK);
  const listed = listenersIn(place);
  page.takeBack(frame, "unmarkControls");
  const [listeners] = await Promise.all([listed, marked]);
  for (const { type, backendNodeId } of listeners)
    if (type === CONTROL_MARK && backendNodeId !== undefined) heard.controls.add(backendNodeId);
  return listeners.filter(({ type }) => type !== CONTROL_MARK);
}

/** The bridge does not know the node yet and must. */
function isFresh({ known, controls }: Heard, node: NodeId): boolean {
  return !known.has(node) && !controls.has(node);
}

/** Returns the nodes that listen for clicks, but not for all kinds of events. */
function pressed(listeners: Listeners): Set<NodeId> {
  const kinds = new Map<NodeId, Set<string>>();
  for (const { backendNodeId, type } of listeners) {
    if (backendNodeId === undefined) continue;
    const known = kinds.get(backendNodeId);
    if (known) known.add(type);
    else kinds.set(backendNodeId, new Set([type]));
  }
  const nodes = new Set<NodeId>();
  for (const [node, types] of kinds) if (types.has("click") && types.size < KINDS_MAX) nodes.add(node);
  return nodes;
}
