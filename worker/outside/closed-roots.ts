// Finds closed shadow roots from outside and hands them to the bridges: no script but their author's can find them.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Tree } from "../bridge/api/bridge-api.ts";
import { isGone } from "../core/gone.ts";
import type { Frame, World } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { handOver, listElements, type Recipient } from "./hand-over.ts";

/** If all documents of a process have more elements than this, only custom elements are asked for their roots. */
const ELEMENTS_MAX = 5_000;
/** The number of elements that are asked at a time. */
const HOSTS_MAX = 500;
/** Asking more elements than this one by one costs more than a DOM snapshot of all. */
const ASKED_MAX = 1_000;
/** A process with more frames than this is not counted. */
const FRAMES_MAX = 20;
/** The number of nodes in closed roots that are handed over at a time, and in all. */
const HANDED_MAX = 1_000;
const INSIDE_MAX = 20_000;
/** Chrome's search takes this for the beginning of any tag, so it finds every element, in closed roots too. */
const ANY_TAG = "</";

/**
 * Asks for Chrome's count of nodes together with a tree, if it will be needed. Otherwise it is asked for once the tree is
 * there.
 */
export function countEarly(page: Page, frame: Frame): Promise<number> | undefined {
  const { met } = frame;
  if (met === undefined || met > ELEMENTS_MAX || !isTop(frame) || insideOf(page, frame).length > 0)
    return undefined;
  const counted = countAll(page, frame.client);
  // The tree may need no count after all.
  counted.catch(() => undefined);
  return counted;
}

/**
 * Makes closed shadow roots known to the bridge of a frame, after its tree has been read. If the frame is the topmost
 * one of its process, this includes all frames of the process. Returns true if any root was new. Costs at most one
 * question to Chrome if there are none. `counted`: the count that was asked for with the tree.
 */
export async function openClosedRoots(
  page: Page,
  frame: Frame,
  { met, hosts }: Tree,
  counted?: Promise<number>,
): Promise<boolean> {
  frame.met = met;
  try {
    const isOpened = await openLikely(page, frame, hosts);
    if (isOpened || !isTop(frame) || met > ELEMENTS_MAX) return isOpened;
    return await openUnseen(page, frame, met, counted);
  } catch (error) {
    // A document that goes away meanwhile has no roots to show.
    if (isGone(error)) return false;
    throw error;
  }
}

/** It is the topmost frame of its process. */
function isTop({ parent, client }: Frame): boolean {
  return parent?.client !== client;
}

/** Returns the other frames of its process that can be asked. */
function insideOf({ tab }: Page, top: Frame): Frame[] {
  return tab.frames.children.filter((each) => each !== top && each.client === top.client && each.world);
}

/** Searches everything if Chrome counts more nodes than the bridges. */
async function openUnseen(
  page: Page,
  top: Frame,
  met: number,
  counted: Promise<number> | undefined,
): Promise<boolean> {
  const inside = insideOf(page, top);
  if (inside.length >= FRAMES_MAX) return false;
  const metInAll = met + sum(await Promise.all(inside.map((frame) => page.ask(frame, "countMet"))));
  if (metInAll > ELEMENTS_MAX) return false;
  const unmet = (await (counted ?? countAll(page, top.client))) - metInAll;
  if (unmet === top.unmet) return false;
  const isOpened = (await hasUnseen(page, [top, ...inside])) && (await openAll(page, [top, ...inside]));
  // The remaining difference comes from hidden roots, or from texts that look like tags.
  top.unmet = isOpened ? undefined : unmet;
  return isOpened;
}

/**
 * Returns true if there is more than the bridges can reach. Chrome is asked between two counts, which reveals a change
 * of the page meanwhile.
 */
async function hasUnseen(page: Page, frames: readonly Frame[]): Promise<boolean> {
  const reached = async () =>
    sum(await Promise.all(frames.map((frame) => page.ask(frame, "countReached", ANY_TAG))));
  const [before, counted, after] = await Promise.all([
    reached(),
    countAll(page, (frames[0] as Frame).client),
    reached(),
  ]);
  return before === after && counted > before;
}

async function countAll(page: Page, client: CDPSession): Promise<number> {
  const [, { resultCount }] = await page.during(
    Promise.all([
      client.send("DOM.enable"),
      client.send("DOM.performSearch", { query: ANY_TAG }),
      // While the domain is enabled, Chrome reports every change.
      client.send("DOM.disable"),
    ]),
  );
  return resultCount;
}

async function openAll(page: Page, frames: readonly Frame[]): Promise<boolean> {
  const { client } = frames[0] as Frame;
  // The snapshot is a flat list, however deep the page is.
  const { documents, strings } = await page.during(
    client.send("DOMSnapshot.captureSnapshot", { computedStyles: [] }),
  );
  const opened = await Promise.all(
    documents.map(async ({ frameId, nodes }) => {
      const world = frames.find(({ id }) => id === strings[frameId])?.world;
      return world !== undefined && (await open(page, { client, world }, insideClosed(nodes, strings)));
    }),
  );
  return opened.includes(true);
}

/**
 * Returns nodes that lead to all closed roots. The list marks the nodes inside such roots, not the roots. A host is the
 * parent of both its own children and its root's, one group after the other. So the first and the last marked node of
 * each parent suffice.
 */
function insideClosed(
  { shadowRootType, parentIndex = [], backendNodeId = [] }: Protocol.DOMSnapshot.NodeTreeSnapshot,
  strings: readonly string[],
): Protocol.DOM.BackendNodeId[] {
  const { index = [], value = [] } = shadowRootType ?? {};
  const ends = new Map<number, { first: number; last: number }>();
  for (const [at, node] of index.entries()) {
    if (strings[value[at] ?? -1] !== "closed") continue;
    const parent = parentIndex[node] ?? -1;
    ends.set(parent, { first: ends.get(parent)?.first ?? node, last: node });
  }
  const nodes = new Set([...ends.values()].flatMap(({ first, last }) => [first, last]));
  return [...nodes].slice(0, INSIDE_MAX).flatMap((node) => backendNodeId[node] ?? []);
}

/** Asks the custom elements that have been met since the last time. */
async function openLikely(page: Page, frame: Frame, hosts: number): Promise<boolean> {
  const { client, world } = frame;
  if (hosts === 0 || !world) return false;
  if (hosts > ASKED_MAX) {
    await page.during(
      client.send("Runtime.callFunctionOn", {
        functionDeclaration: "(count) => globalThis.__troupe.likelyHosts(count).length",
        arguments: [{ value: hosts }],
        uniqueContextId: world.uniqueId,
        returnByValue: true,
      }),
    );
    return await openAll(page, [frame]);
  }
  let isOpened = false;
  for (let left = hosts; left > 0; left -= HOSTS_MAX) {
    const roots = await page.holding(client, (objectGroup) => closedRoots(page, client, world, objectGroup));
    if (await open(page, frame, roots)) isOpened = true;
  }
  return isOpened;
}

/** Returns the closed roots of the next elements to ask. */
async function closedRoots(
  page: Page,
  client: CDPSession,
  world: World,
  objectGroup: string,
): Promise<Protocol.DOM.BackendNodeId[]> {
  const likely = "(count) => globalThis.__troupe.likelyHosts(count)";
  const hosts = await listElements(page, { client, world }, likely, { count: HOSTS_MAX, objectGroup });
  const described = await page.during(
    Promise.all(
      hosts.map((objectId) => client.send("DOM.describeNode", { objectId, depth: 0, pierce: true })),
    ),
  );
  const roots = described.flatMap(({ node }) => node.shadowRoots ?? []);
  const closed = roots.filter(({ shadowRootType }) => shadowRootType === "closed");
  return closed.map(({ backendNodeId }) => backendNodeId);
}

/** Hands closed roots, or nodes in them, to the bridge of their document. */
async function open(
  page: Page,
  to: Recipient,
  nodes: readonly Protocol.DOM.BackendNodeId[],
): Promise<boolean> {
  let isOpened = false;
  for (let from = 0; from < nodes.length; from += HANDED_MAX)
    if (await handOver(page, to, nodes.slice(from, from + HANDED_MAX), OPEN_ROOTS)) isOpened = true;
  return isOpened;
}

/** Returns true if one of the roots was new. */
const OPEN_ROOTS = `(_numbers, ...nodes) => {
  let isOpened = false;
  for (const node of nodes) if (globalThis.__troupe.openRoot(node)) isOpened = true;
  return isOpened;
}`;

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
