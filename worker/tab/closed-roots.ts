// Closed shadow roots: no script but their author's finds them, so they are found from outside and handed to the bridges.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Tree } from "../bridge/api.ts";
import type { Frame, World } from "./frames.ts";
import { isGone } from "./gone.ts";
import type { Page } from "./page.ts";

/** In a larger document only the page's own kinds of elements are asked for their roots. */
const ELEMENTS_MAX = 5_000;
/** A process with more frames than this is not counted. */
const FRAMES_MAX = 20;
/** So many nodes in closed roots are handed over at a time. */
const INSIDE_MAX = 4_000;
/** Chrome's search takes this for the beginning of any tag: it finds every element, in closed roots too. */
const ANY_TAG = "</";

/**
 * Makes closed shadow roots known to the bridge of a frame, and to those of all frames in its process if it is the topmost
 * of them, after its tree has been read. True where there were any that had not been known. Costs at most one question to
 * Chrome where there are none.
 */
export async function openClosedRoots(page: Page, frame: Frame, { met, hosts }: Tree): Promise<boolean> {
  const isTop = frame.parent?.client !== frame.client;
  try {
    const isOpened = hosts > 0 && (await openLikely(page, frame));
    if (isOpened || !isTop || met > ELEMENTS_MAX) return isOpened;
    return await openUnseen(page, frame, met);
  } catch (error) {
    // A document that goes away meanwhile has no roots to show.
    if (isGone(error)) return false;
    throw error;
  }
}

/** Where Chrome counts more nodes than the bridges, all is looked through. */
async function openUnseen(page: Page, top: Frame, met: number): Promise<boolean> {
  const frames = [
    top,
    ...page.tab.frames.children.filter((each) => each !== top && each.client === top.client),
  ];
  const inside = frames.slice(1).filter(({ world }) => world);
  if (inside.length >= FRAMES_MAX) return false;
  const [counted, ...others] = await Promise.all([
    countAll(page, top.client),
    ...inside.map((frame) => page.ask(frame, "countMet")),
  ]);
  const unmet = counted - sum([met, ...others]);
  if (unmet === top.unmet) return false;
  const isOpened = (await hasUnseen(page, [top, ...inside])) && (await openAll(page, [top, ...inside]));
  // What remains are roots that are hidden, or texts that look like tags.
  top.unmet = isOpened ? undefined : unmet;
  return isOpened;
}

/** Whether there is more than the bridges can reach. Chrome is asked in between, to know whether the page changes meanwhile. */
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
      // While it is enabled, Chrome tells of every change.
      client.send("DOM.disable"),
    ]),
  );
  return resultCount;
}

async function openAll(page: Page, frames: readonly Frame[]): Promise<boolean> {
  const { client } = frames[0] as Frame;
  // A flat list, however deep the page is.
  const { documents, strings } = await page.during(
    client.send("DOMSnapshot.captureSnapshot", { computedStyles: [] }),
  );
  const opened = await Promise.all(
    documents.map(async ({ frameId, nodes }) => {
      const world = frames.find(({ id }) => id === strings[frameId])?.world;
      return world !== undefined && (await open(page, client, world, insideClosed(nodes, strings)));
    }),
  );
  return opened.includes(true);
}

/**
 * Nodes by which all closed roots are found. The list marks what is in such roots, not the roots; what a host holds and
 * what its root does have the host as their parent, one after the other: the first and the last of each parent tell.
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

async function openLikely(page: Page, { client, world }: Frame): Promise<boolean> {
  if (!world) return false;
  const list = await page.during(
    client.send("Runtime.callFunctionOn", {
      functionDeclaration: "() => globalThis.__troupe.likelyHosts()",
      uniqueContextId: world.uniqueId,
    }),
  );
  const { result } = await page.during(
    client.send("Runtime.getProperties", { objectId: list.result.objectId ?? "", ownProperties: true }),
  );
  const hosts = result.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
  const described = await page.during(
    Promise.all(
      hosts.map((objectId) => client.send("DOM.describeNode", { objectId, depth: 0, pierce: true })),
    ),
  );
  const roots = described.flatMap(({ node }) => node.shadowRoots ?? []);
  const closed = roots.filter(({ shadowRootType }) => shadowRootType === "closed");
  return await open(
    page,
    client,
    world,
    closed.map(({ backendNodeId }) => backendNodeId),
  );
}

/** Hands closed roots, or what is in them, to the bridge of their document. */
async function open(
  page: Page,
  client: CDPSession,
  { contextId }: World,
  nodes: readonly Protocol.DOM.BackendNodeId[],
): Promise<boolean> {
  const opened = await page.during(
    Promise.all(
      nodes.map(async (backendNodeId) => {
        const resolved = await client.send("DOM.resolveNode", {
          backendNodeId,
          executionContextId: contextId,
        });
        const { result } = await client.send("Runtime.callFunctionOn", {
          functionDeclaration: "function () { return globalThis.__troupe.openRoot(this); }",
          objectId: resolved.object.objectId,
          returnByValue: true,
        });
        return result.value === true;
      }),
    ),
  );
  return opened.includes(true);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
