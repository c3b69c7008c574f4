// browser_snapshot: the page as text, or what changed since it was last told.
import type { SnapshotRequest } from "../../proto/gen/troupe.ts";
import type { Page } from "../page.ts";
import { deltaText, look, notes, pageText } from "../reply.ts";
import type { Look } from "../told.ts";
import type { SnapshotReply, ToolHandler } from "../tool.ts";
import { readTree, type Seen } from "../tree.ts";

export const snapshot: ToolHandler<"Snapshot"> = async (request, context) => {
  const page = await context.page();
  const { told } = page.tab;
  const key = keyOf(request);
  const again = told.snapshotKey === key && !request.full;
  await page.tab.readTitle();
  if (request.ref !== undefined || request.depth !== undefined || request.interactiveOnly) {
    told.snapshotKey = key;
    return await partOf(page, request);
  }
  const before = again && told.look?.loaderId === page.main().loaderId ? told.look : undefined;
  const { seen, now } = await look(page, before);
  const isChange = before !== undefined && before.loaderId === now.loaderId && seen.kind !== "full";
  // Asked again straight after it was told that nothing, or what, changed: the reader may have lost the whole.
  told.snapshotKey = isChange ? "" : key;
  return isChange ? changes(page, before, now, seen, request) : whole(page, seen, request);
};

function changes(
  page: Page,
  before: Look,
  now: Look,
  { lines, elementCount }: Seen,
  { maxTokens }: SnapshotRequest,
): SnapshotReply {
  if (lines.length > 0) {
    const text = deltaText(page, before, now, lines, { maxTokens });
    return { text, elementCount, kind: "SNAPSHOT_KIND_DELTA" };
  }
  const line = `unchanged since snapshot ${before.id} (${elementCount.toLocaleString("en-US")} elements); browser_snapshot full=true shows all`;
  return { text: [line, ...notes(page)].join("\n"), elementCount, kind: "SNAPSHOT_KIND_UNCHANGED" };
}

function whole(
  page: Page,
  { lines, elementCount }: Seen,
  { maxTokens, offset }: SnapshotRequest,
): SnapshotReply {
  const text = pageText(page, lines.slice(offset ?? 0), { maxTokens });
  return { text, elementCount, kind: "SNAPSHOT_KIND_FULL" };
}

async function partOf(
  page: Page,
  { ref, offset, depth, maxTokens, interactiveOnly }: SnapshotRequest,
): Promise<SnapshotReply> {
  const at = ref === undefined ? undefined : await page.locate(ref);
  const { lines, elementCount } = await readTree(page, { ...(at && { at }), depth, interactiveOnly });
  const kept = withoutFirstChildren(lines, offset ?? 0);
  const text = pageText(page, kept, { maxTokens });
  return { text, elementCount, kind: "SNAPSHOT_KIND_FULL" };
}

/** The first line is the element; its children stand one level deeper. */
export function withoutFirstChildren(lines: readonly string[], count: number): string[] {
  let children = 0;
  return lines.filter((line, index) => {
    if (index > 0 && line.startsWith("  - ")) children++;
    return index === 0 || children > count;
  });
}

function keyOf({ ref, offset, depth, maxTokens, interactiveOnly }: SnapshotRequest): string {
  return JSON.stringify([ref, offset, depth, maxTokens, interactiveOnly]);
}
