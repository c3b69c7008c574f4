// browser_snapshot: shows the page as text, or what changed since it was last delivered.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { SnapshotRequest } from "../../../proto/gen/troupe.ts";
import type { SnapshotRecord } from "../../refs/delivered.ts";
import { type Asking, afterSnapshot, knowsPage } from "../../refs/shown.ts";
import { notes } from "../../snapshot/notes.ts";
import { tokensFor } from "../../snapshot/profile-words.ts";
import { deltaText, pageText, roomFor, takeSnapshot } from "../../snapshot/reply.ts";
import { readTree, type Seen } from "../../snapshot/tree.ts";
import type { Page } from "../../tab/page.ts";
import type { SnapshotReply, ToolHandler } from "../tool.ts";

export const snapshot: ToolHandler<"Snapshot"> = async (request, context) => {
  if (request.offset !== undefined && request.ref === undefined) {
    throw fail("INVALID_ARGUMENT", {
      argument: "offset",
      problem: "offset skips children of ref, and there is no ref",
      hint: "with ref too",
      corrected: { offset: null },
    });
  }
  const page = await context.page();
  return isPart(request) ? await partOf(page, request) : await pageOrChanges(page, request);
};

function isPart({ ref, depth, interactiveOnly }: SnapshotRequest): boolean {
  return ref !== undefined || depth !== undefined || interactiveOnly === true;
}

async function pageOrChanges(page: Page, request: SnapshotRequest): Promise<SnapshotReply> {
  const { delivered } = page.tab;
  const before = request.full ? undefined : known(page, request);
  const { seen, now } = await takeSnapshot(page, before, { room: roomFor(page, [], request.maxTokens) });
  const isChange = before !== undefined && before.loaderId === now.loaderId && seen.kind !== "full";
  const asking = askingFor(page, request, now.loaderId);
  delivered.shown = afterSnapshot(delivered.shown, asking, isChange ? "changes" : "whole");
  return isChange ? changes(page, before, now, seen, request) : whole(page, seen, request);
}

/** Returns the snapshot that the session knows the page by, if it lacks nothing but later changes. */
function known(page: Page, request: SnapshotRequest): SnapshotRecord | undefined {
  const { snapshot, shown } = page.tab.delivered;
  const { loaderId } = page.main();
  return snapshot?.loaderId === loaderId && knowsPage(shown, askingFor(page, request, loaderId))
    ? snapshot
    : undefined;
}

/** Builds the key of a request. A budget given as a number equals the default budget of the same number. */
function askingFor({ call }: Page, request: SnapshotRequest, loaderId: string): Asking {
  const { ref, offset, depth, interactiveOnly, maxTokens } = request;
  const key = (tokens: number, ...parts: unknown[]) => JSON.stringify([tokens, ...parts]);
  return {
    loaderId,
    key: key(tokensFor(call, maxTokens), ref, offset, depth, interactiveOnly ?? false),
    usual: key(tokensFor(call), undefined, undefined, undefined, false),
  };
}

function changes(
  page: Page,
  before: SnapshotRecord,
  now: SnapshotRecord,
  { text: delta, elementCount }: Seen,
  { maxTokens }: SnapshotRequest,
): SnapshotReply {
  if (delta !== "") {
    const { text } = deltaText(page, before, now, delta, { maxTokens });
    return { text, elementCount, kind: "SNAPSHOT_KIND_DELTA" };
  }
  const line = `unchanged since snapshot ${before.id} (${elementCount.toLocaleString("en-US")} elements); browser_snapshot full=true shows all`;
  return { text: [line, ...notes(page)].join("\n"), elementCount, kind: "SNAPSHOT_KIND_UNCHANGED" };
}

function whole(page: Page, seen: Seen, { maxTokens }: SnapshotRequest): SnapshotReply {
  const { text } = pageText(page, seen, { maxTokens });
  return { text, elementCount: seen.elementCount, kind: "SNAPSHOT_KIND_FULL" };
}

async function partOf(page: Page, request: SnapshotRequest): Promise<SnapshotReply> {
  const { ref, offset, depth, maxTokens, interactiveOnly } = request;
  const at = ref === undefined ? undefined : await page.locate(ref);
  const room = roomFor(page, [], maxTokens);
  if (interactiveOnly) page.detail = "lines";
  const asked = { ...(at && { at }), offset, depth, interactiveOnly, room };
  const [seen] = await Promise.all([readTree(page, asked), page.tab.readTitle()]);
  const { delivered } = page.tab;
  delivered.shown = afterSnapshot(delivered.shown, askingFor(page, request, seen.loaderId), "part");
  return whole(page, seen, request);
}
