// Reads the ElementInternals of custom elements from Chrome's accessibility tree and hands them to the bridge.
import type { CDPSession, Protocol } from "puppeteer-core";
import { unlessGone } from "../core/gone.ts";
import type { Frame, World } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { innerAttributes } from "./ax-attributes.ts";
import { listElements } from "./hand-over.ts";

/** One snapshot asks at most this many elements. Elements that were asked before keep their values. */
const ASKED_MAX = 300;

/** Asks all elements with internals again. Returns true if that may change the tree. `count`: how many there are. */
export async function readInternals(page: Page, frame: Frame, count: number): Promise<boolean> {
  return count > 0 && (await unlessGone(askElements(page, frame))) === true;
}

/** Asks the elements of newly met kinds, if these have internals. Returns true if that may change the tree. */
export async function meetKinds(page: Page, frame: Frame, kinds: readonly string[]): Promise<boolean> {
  if (kinds.length === 0) return false;
  return (await unlessGone(meet(page, frame, kinds))) === true;
}

/** Asks the elements that have been shown since the last snapshot, on a page with any internals. */
export async function meetShown(page: Page, frame: Frame): Promise<void> {
  if (!frame.world?.hasInternals) return;
  const kinds = await page.ask(frame, "newKinds");
  if (!(await meetKinds(page, frame, kinds))) await unlessGone(askElements(page, frame));
}

async function meet(page: Page, frame: Frame, kinds: readonly string[]): Promise<boolean> {
  const { world } = frame;
  const having = await withInternals(page, frame, kinds);
  if (having.length === 0 || !world) return false;
  world.hasInternals = true;
  await page.ask(frame, "noteKinds", having);
  return await askElements(page, frame);
}

/** Returns the kinds that have internals, judging by the text of their classes. */
async function withInternals(page: Page, frame: Frame, kinds: readonly string[]): Promise<string[]> {
  const { client, ownWorldId } = frame;
  if (ownWorldId === undefined) return [];
  const { result } = await page.during(
    client.send("Runtime.callFunctionOn", {
      functionDeclaration: HAVING_INTERNALS,
      arguments: [{ value: kinds }],
      uniqueContextId: ownWorldId,
      returnByValue: true,
    }),
  );
  const having: unknown = result.value;
  return Array.isArray(having) ? kinds.filter((kind) => having.includes(kind)) : [];
}

/** A class that is written as functions has its methods on its prototype. */
const HAVING_INTERNALS = `(kinds) => {
  const textOf = (value) => typeof value === "function" ? Function.prototype.toString.call(value) : "";
  const uses = (made) => textOf(made).includes("attachInternals")
    || Object.values(Object.getOwnPropertyDescriptors(made.prototype ?? {}))
      .some(({ value, get }) => value !== made && (textOf(value) + textOf(get)).includes("attachInternals"));
  return kinds.filter((kind) => {
    try {
      const own = customElements.get(kind);
      if (own?.formAssociated) return true;
      for (let made = own; typeof made === "function" && made !== HTMLElement; made = Object.getPrototypeOf(made))
        if (made !== Function.prototype && uses(made)) return true;
      return false;
    } catch {
      return false;
    }
  });
}`;

async function askElements(page: Page, frame: Frame): Promise<boolean> {
  const { client, world } = frame;
  if (!world) return false;
  return await page.holding(client, async (objectGroup) => {
    const elements = await listElements(page, frame, TO_ASK, { count: ASKED_MAX, objectGroup });
    if (elements.length === 0) return false;
    const nodes = await page.during(nodesOf(client, elements));
    const said = nodes.map(innerAttributes);
    for (const [index, kept] of await keptIn(page, frame, nodes, objectGroup))
      said[index] = { ...said[index], ...kept };
    return await handOver(page, client, world, { elements, said });
  });
}

const TO_ASK = "(count) => globalThis.__troupe.toAsk(count)";

/** Chrome keeps its accessibility tree while the domain is enabled. Otherwise it builds one for each question. */
async function nodesOf(
  client: CDPSession,
  elements: readonly string[],
): Promise<(Protocol.Accessibility.AXNode | undefined)[]> {
  const [, nodes] = await Promise.all([
    client.send("Accessibility.enable"),
    Promise.all(elements.map((objectId) => nodeOf(client, objectId))),
    client.send("Accessibility.disable"),
  ]);
  return nodes;
}

/** Returns undefined for an element that has gone meanwhile. */
async function nodeOf(
  client: CDPSession,
  objectId: string,
): Promise<Protocol.Accessibility.AXNode | undefined> {
  const asked = client.send("Accessibility.getPartialAXTree", { objectId, fetchRelatives: false });
  return (await unlessGone(asked))?.nodes[0];
}

type Said = Record<string, string>;

/**
 * Chrome drops a role whose context is around a slot, such as an option's in a custom listbox. Such an element is asked
 * in the page's own world, because most keep their internals in a property there. The result is keyed by index.
 */
async function keptIn(
  page: Page,
  { client, ownWorldId }: Frame,
  nodes: readonly (Protocol.Accessibility.AXNode | undefined)[],
  objectGroup: string,
): Promise<Map<number, Said>> {
  const dropped = [...nodes.entries()].flatMap(([index, node]) =>
    node && !node.ignored && node.role?.value === "generic" && node.backendDOMNodeId !== undefined
      ? [{ index, backendNodeId: node.backendDOMNodeId }]
      : [],
  );
  if (dropped.length === 0 || ownWorldId === undefined) return new Map();
  const resolved = await page.during(
    Promise.all(
      dropped.map(({ backendNodeId }) => client.send("DOM.resolveNode", { backendNodeId, objectGroup })),
    ),
  );
  const { result } = await page.during(
    client.send("Runtime.callFunctionOn", {
      functionDeclaration: KEPT,
      arguments: resolved.map(({ object }) => ({ objectId: object.objectId ?? "" })),
      uniqueContextId: ownWorldId,
      returnByValue: true,
    }),
  );
  const kept: unknown = result.value;
  return new Map(
    dropped.flatMap(({ index }, at) => (Array.isArray(kept) ? [[index, textsOf(kept[at])] as const] : [])),
  );
}

/** Returns the valid part of the page's answer. */
function textsOf(kept: unknown): Said {
  const entries = Object.entries(kept ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

/** Reads no getters except those of ElementInternals. */
const KEPT = `(...elements) => elements.map((element) => {
  const own = Object.values(Object.getOwnPropertyDescriptors(element));
  const internals = own.find(({ value }) => value instanceof ElementInternals)?.value;
  const kept = {};
  if (!internals?.role || internals.role === "none" || internals.role === "presentation") return kept;
  kept.role = internals.role;
  for (const name of ["Checked", "Disabled", "Expanded", "Label", "Level", "Pressed", "Selected"]) {
    const value = internals["aria" + name];
    if (value !== null) kept["aria-" + name.toLowerCase()] = value;
  }
  return kept;
})`;

async function handOver(
  page: Page,
  client: CDPSession,
  { uniqueId }: World,
  { elements, said }: { elements: readonly string[]; said: readonly unknown[] },
): Promise<boolean> {
  const { result } = await page.during(
    client.send("Runtime.callFunctionOn", {
      functionDeclaration: "(said, ...elements) => globalThis.__troupe.hearInternals(said, elements)",
      arguments: [{ value: said }, ...elements.map((objectId) => ({ objectId }))],
      uniqueContextId: uniqueId,
      returnByValue: true,
    }),
  );
  return result.value === true;
}
