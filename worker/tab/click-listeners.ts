// Which elements listen for clicks, asked of Chrome where its count of listeners moved, and handed to the bridge.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Frame, Heard, World } from "./frames.ts";
import { isGone } from "./gone.ts";
import { handOver } from "./hand-over.ts";
import type { Page } from "./page.ts";

/** A process with more listeners than this is not asked: its answer would be too large. */
const LISTENERS_MAX = 20_000;
/** So many elements are handed over at a look; the rest at the next ones. */
const HANDED_MAX = 1_000;
/** What listens to so many kinds of events does so for what it holds. */
const KINDS_MAX = 12;

/** Has the bridge know which elements listen for clicks; true where the tree may be another by that. `count`: Chrome's, of its process. */
export async function hearClicks(page: Page, frame: Frame, count: number): Promise<boolean> {
  const { world, client } = frame;
  if (!world || !(count > 0 && count <= LISTENERS_MAX) || world.heard?.count === count) return false;
  world.heard ??= { count: undefined, documentId: documentOf(client, world), known: new Set() };
  try {
    return await hear(page, frame, world.heard, count);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

async function hear(page: Page, frame: Frame, heard: Heard, count: number): Promise<boolean> {
  const { client } = frame;
  const objectId = await page.during(heard.documentId);
  const { listeners } = await page.during(
    client.send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce: true }),
  );
  const now = pressed(listeners);
  const gone = [...heard.known].filter((node) => !now.has(node));
  const fresh = [...now].filter((node) => !heard.known.has(node));
  const some = fresh.slice(0, HANDED_MAX);
  heard.count = some.length === fresh.length ? count : undefined;
  if (gone.length === 0 && some.length === 0) return false;
  for (const node of gone) heard.known.delete(node);
  for (const node of some) heard.known.add(node);
  const hand = `(numbers, ...nodes) => globalThis.__troupe.hearClicks(numbers, nodes, ${JSON.stringify(gone)})`;
  return (await handOver(page, frame, some, hand)) === true;
}

/** Those that listen for clicks, and not for all kinds of events. */
function pressed(listeners: readonly Protocol.DOMDebugger.EventListener[]): Set<Protocol.DOM.BackendNodeId> {
  const kinds = new Map<Protocol.DOM.BackendNodeId, Set<string>>();
  for (const { backendNodeId, type } of listeners) {
    if (backendNodeId === undefined) continue;
    const known = kinds.get(backendNodeId);
    if (known) known.add(type);
    else kinds.set(backendNodeId, new Set([type]));
  }
  const nodes = new Set<Protocol.DOM.BackendNodeId>();
  for (const [node, types] of kinds) if (types.has("click") && types.size < KINDS_MAX) nodes.add(node);
  return nodes;
}

/** Held for as long as the document is there. */
async function documentOf(client: CDPSession, { uniqueId }: World): Promise<string> {
  const { result } = await client.send("Runtime.evaluate", {
    expression: "document",
    uniqueContextId: uniqueId,
  });
  const { node } = await client.send("DOM.describeNode", { objectId: result.objectId ?? "" });
  // Chrome crashes the page where it is asked for the listeners of all worlds from any but the page's own.
  const { object } = await client.send("DOM.resolveNode", { backendNodeId: node.backendNodeId });
  return object.objectId ?? "";
}
