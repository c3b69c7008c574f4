// Hands nodes, known by Chrome's numbers, to the bridge of their document.
import type { CDPSession, Protocol } from "puppeteer-core";
import { unlessGone } from "../core/gone.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";

/** A CDP session and the bridge's world. */
export type Recipient = Pick<Frame, "client" | "world">;

/**
 * Calls a function in the bridge's world and returns its answer. It gets the numbers of the nodes that still exist,
 * then these nodes. Returns undefined if the document has gone.
 */
export async function handOver(
  page: Page,
  { client, world }: Recipient,
  nodes: readonly Protocol.DOM.BackendNodeId[],
  functionDeclaration: string,
): Promise<unknown> {
  if (!world) return undefined;
  return await page.holding(client, async (objectGroup) => {
    const node = { executionContextId: world.contextId, objectGroup };
    const resolved = await page.during(
      Promise.all(nodes.map((backendNodeId) => resolve(client, { ...node, backendNodeId }))),
    );
    const there = nodes.filter((_node, index) => resolved[index] !== undefined);
    const objects = resolved.flatMap((objectId) => (objectId === undefined ? [] : { objectId }));
    const { result } = await page.during(
      client.send("Runtime.callFunctionOn", {
        functionDeclaration,
        arguments: [{ value: there }, ...objects],
        uniqueContextId: world.uniqueId,
        returnByValue: true,
      }),
    );
    return result.value as unknown;
  });
}

/** Returns references to the elements that a function in the bridge's world lists, at most `count`. */
export async function listElements(
  page: Page,
  { client, world }: Recipient,
  functionDeclaration: string,
  { count, objectGroup }: { count: number; objectGroup: string },
): Promise<Protocol.Runtime.RemoteObjectId[]> {
  if (!world) return [];
  const list = await page.during(
    client.send("Runtime.callFunctionOn", {
      functionDeclaration,
      arguments: [{ value: count }],
      uniqueContextId: world.uniqueId,
      objectGroup,
    }),
  );
  const { result } = await page.during(
    client.send("Runtime.getProperties", { objectId: list.result.objectId ?? "", ownProperties: true }),
  );
  return result.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
}

/** Returns undefined for a node that has gone meanwhile. */
async function resolve(
  client: CDPSession,
  node: Protocol.DOM.ResolveNodeRequest,
): Promise<string | undefined> {
  return (await unlessGone(client.send("DOM.resolveNode", node)))?.object.objectId;
}
