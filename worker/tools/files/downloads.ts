// browser_downloads: lists, gets and removes what the session's pages have downloaded.

import { fail } from "../../../proto/errors/catalogue.ts";
import type { DownloadsRequest, FileContent } from "../../../proto/gen/troupe.ts";
import { within } from "../../../proto/machine/within.ts";
import { shownBytes } from "../../../proto/wire/file-bounds.ts";
import { timeLeftMs } from "../../core/time-left.ts";
import { type Download, shownAddress } from "../../files/downloads.ts";
import { contentOf } from "../../files/file-content.ts";
import { quote } from "../../snapshot/quote.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";

/** A download under way is waited for no longer than this. */
const WAIT_MS_MAX = 10_000;

export const downloads: ToolHandler<"Downloads"> = async (request, context) => {
  const { said, file = null } = await act(request, context);
  const { all } = context.session.files.downloads;
  return {
    text: [...said, ...(request.action === "DOWNLOAD_ACTION_GET" ? [] : linesOf(all))].join("\n"),
    downloads: all.map((download) => ({
      id: download.id,
      name: download.name,
      state: `DOWNLOAD_STATE_${download.state}` as const,
      received: download.received,
      size: download.size,
      url: shownAddress(download),
      reason: download.reason,
    })),
    file,
  };
};

interface Said {
  said: string[];
  file?: FileContent;
}

async function act({ action, id }: DownloadsRequest, context: ToolContext): Promise<Said> {
  const { downloads: list } = context.session.files;
  switch (action) {
    case "DOWNLOAD_ACTION_LIST":
      return { said: list.all.length > 0 ? [] : ["There are no downloads in this session and role."] };
    case "DOWNLOAD_ACTION_GET":
      return await get(downloadOf(id, context), context);
    case "DOWNLOAD_ACTION_REMOVE": {
      const download = downloadOf(id ?? "", context);
      list.remove(download);
      return { said: [`Removed ${download.id} ${quote(download.name)}`] };
    }
    default:
      throw fail("INVALID_ARGUMENT", {
        argument: "action",
        problem: "action is missing",
        allowed: ["list", "get", "remove"],
      });
  }
}

async function get(download: Download, { call, session }: ToolContext): Promise<Said> {
  const { id, name } = download;
  const waitedFor = `the download ${id} ${quote(name)} to end`;
  call.waitsFor = waitedFor;
  const timeMs = Math.max(0, Math.min(WAIT_MS_MAX, timeLeftMs(call, "wish")));
  const late = () =>
    fail("TIMEOUT", { waitedFor: `${waitedFor} (${progressOf(download)})`, afterMs: Math.round(timeMs) });
  if (download.state === "IN_PROGRESS")
    await within({ signal: call.signal, timeMs, late }, session.files.downloads.ended(download));
  if (download.held) {
    call.waitsFor = "a person's decision";
    await within(call, download.held);
  }
  if (download.state !== "COMPLETED") throw download.refusal ?? failed(download);
  const file = await contentOf(download.file, { id, name, mimeType: "", size: download.received });
  session.redactor.maskBytes(file.content);
  if (file.id === "") download.isFetched = true;
  return { said: [`Got ${id} ${quote(name)} (${shownBytes(file.size)})`], file };
}

/** Throws INVALID_ARGUMENT. */
function downloadOf(id: string | undefined, { session }: ToolContext): Download {
  const { downloads: list } = session.files;
  const download = list.get(id);
  if (download) return download;
  const ids = list.all.map((each) => each.id);
  throw fail("INVALID_ARGUMENT", {
    argument: "id",
    problem:
      ids.length > 0
        ? `${id === undefined || id === "" ? "id is missing" : `there is no download ${quote(id.slice(0, 40))}`}`
        : "there are no downloads in this session and role",
    ...(ids.length > 0 && { allowed: ids }),
    hint: ids.length > 0 ? "with id as one of the downloads" : "once a page has begun a download",
  });
}

function failed(download: Download) {
  const { id, address, reason } = download;
  const isThere = /^https?:/i.test(address);
  return fail("DOWNLOAD_FAILED", {
    id,
    url: shownAddress(download),
    reason,
    ...(isThere && { address }),
  });
}

function linesOf(all: readonly Download[]): string[] {
  return all.map(
    (download) => `${download.id} ${quote(download.name)} ${stateOf(download)} ${shownAddress(download)}`,
  );
}

function stateOf(download: Download): string {
  if (download.held) return "waits for a person's approval,";
  if (download.state === "COMPLETED") return shownBytes(download.received);
  return download.state === "FAILED" ? `failed: ${download.reason};` : `under way, ${progressOf(download)},`;
}

function progressOf({ received, size }: Download): string {
  return size > 0 ? `${shownBytes(received)} of ${shownBytes(size)}` : shownBytes(received);
}
