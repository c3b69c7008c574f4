// Asks Chrome for the listeners of a document, which none of its scripts can list.
import type { CDPSession } from "puppeteer-core";
import type { Frame, Heard, Listeners, World } from "./frame.ts";

/** A document with more listeners is not listed ahead. It has them at its rows or buttons; pages that delegate have fewer. */
export const DELEGATED_MAX = 1_000;

/**
 * Returns what is known of a document's listeners, or undefined if it has no bridge yet. The first call asks for the
 * document's object id, so that one more question suffices to list them.
 */
export function heardIn(frame: Frame): Heard | undefined {
  const { world } = frame;
  if (!world || world.heard) return world?.heard;
  const documentId = documentOf(frame, world);
  // A caller that needs the id gets the failure itself.
  documentId.catch(() => undefined);
  world.heard = {
    count: undefined,
    documentId,
    listed: undefined,
    isListedBefore: false,
    known: new Set(),
    controls: new Set(),
    isTooMuch: false,
    isLarge: false,
    transitions: false,
  };
  return world.heard;
}

/**
 * Lists the listeners of a document before its first snapshot, which then need not wait for them. `count`: Chrome's
 * number of listeners in the process. It moves with every listener that comes, and with those that Chrome collects.
 */
export async function listAhead(frame: Frame, count: number): Promise<void> {
  const heard = frame.world?.heard;
  if (!heard || heard.count !== undefined || !(count > 0 && count <= DELEGATED_MAX)) return;
  const listeners = await listenersOf(frame.client, await heard.documentId);
  if (heard.count !== undefined) return;
  heard.listed = { count, listeners: listeners.map(({ type, backendNodeId }) => ({ type, backendNodeId })) };
}

/** Lists the listeners of a window, or of all nodes of a document. */
export async function listenersOf(client: CDPSession, objectId: string): Promise<Listeners> {
  const asked = { objectId, depth: -1, pierce: true };
  return (await client.send("DOMDebugger.getEventListeners", asked)).listeners;
}

/**
 * Returns the document's object id, which stays valid as long as the document. Chrome crashes the page if the listeners
 * of all worlds are asked for from any world but the page's own.
 */
async function documentOf({ client, ownWorldId }: Frame, { uniqueId }: World): Promise<string> {
  const uniqueContextId = ownWorldId ?? uniqueId;
  const { result } = await client.send("Runtime.evaluate", { expression: "document", uniqueContextId });
  if (ownWorldId !== undefined) return result.objectId ?? "";
  const { node } = await client.send("DOM.describeNode", { objectId: result.objectId ?? "" });
  const { object } = await client.send("DOM.resolveNode", { backendNodeId: node.backendNodeId });
  return object.objectId ?? "";
}
