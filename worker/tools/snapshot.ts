// browser_snapshot: the page as text, or what changed since it was last told.
import { fail } from "../../proto/errors.ts";
import type { SnapshotRequest } from "../../proto/gen/troupe.ts";
import { notes } from "../look/notes.ts";
import { deltaText, look, pageText, roomFor } from "../look/reply.ts";
import { readTree, type Seen } from "../look/tree.ts";
import type { Page } from "../tab/page.ts";
import type { Look } from "../tab/told.ts";
import type { SnapshotReply, ToolHandler } from "./tool.ts";

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
  const { told } = page.tab;
  const key = keyOf(request);
  const again = told.snapshotKey === key && !request.full;
  if (request.ref !== undefined || request.depth !== undefined || request.interactiveOnly) {
    told.snapshotKey = key;
    return await partOf(page, request);
  }
  const before = again && told.look?.loaderId === page.main().loaderId ? told.look : undefined;
  const { offset, maxTokens } = request;
  const { seen, now } = await look(page, before, { offset, room: roomFor(page, [], maxTokens) });
  const isChange = before !== undefined && before.loaderId === now.loaderId && seen.kind !== "full";
  // Asked again straight after it was told that nothing, or what, changed: the reader may have lost the whole.
  told.snapshotKey = isChange ? "" : key;
  return isChange ? changes(page, before, now, seen, request) : whole(page, seen, request);
};

function changes(
  page: Page,
  before: Look,
  now: Look,
  { text: delta, elementCount }: Seen,
  { maxTokens }: SnapshotRequest,
): SnapshotReply {
  if (delta !== "") {
    const text = deltaText(page, before, now, delta, { maxTokens });
    return { text, elementCount, kind: "SNAPSHOT_KIND_DELTA" };
  }
  const line = `unchanged since snapshot ${before.id} (${elementCount.toLocaleString("en-US")} elements); browser_snapshot full=true shows all`;
  return { text: [line, ...notes(page)].join("\n"), elementCount, kind: "SNAPSHOT_KIND_UNCHANGED" };
}

function whole(page: Page, seen: Seen, { maxTokens }: SnapshotRequest): SnapshotReply {
  const text = pageText(page, seen, { maxTokens });
  return { text, elementCount: seen.elementCount, kind: "SNAPSHOT_KIND_FULL" };
}

async function partOf(
  page: Page,
  { ref, offset, depth, maxTokens, interactiveOnly }: SnapshotRequest,
): Promise<SnapshotReply> {
  const at = ref === undefined ? undefined : await page.locate(ref);
  const room = roomFor(page, [], maxTokens);
  if (interactiveOnly) page.tells = "lines";
  const asked = { ...(at && { at }), offset, depth, interactiveOnly, room };
  const [seen] = await Promise.all([readTree(page, asked), page.tab.readTitle()]);
  const text = pageText(page, seen, { maxTokens });
  return { text, elementCount: seen.elementCount, kind: "SNAPSHOT_KIND_FULL" };
}

function keyOf({ ref, offset, depth, maxTokens, interactiveOnly }: SnapshotRequest): string {
  return JSON.stringify([ref, offset, depth, maxTokens, interactiveOnly]);
}
