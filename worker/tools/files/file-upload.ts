// browser_file_upload: gives files to a file field, a chooser or a drop zone.

import { fail } from "../../../proto/errors/catalogue.ts";
import type { FileContent, FileUploadRequest } from "../../../proto/gen/troupe.ts";
import { counted } from "../../../proto/text/counted.ts";
import { named } from "../../../proto/text/named.ts";
import { redactedAddress } from "../../../proto/text/redact.ts";
import { PUT_ID, shownBytes } from "../../../proto/wire/file-bounds.ts";
import { perform } from "../../actions/perform.ts";
import type { StoredFile } from "../../files/stored-files.ts";
import type { Session } from "../../session/session.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";
import { type Given, giveTo, giveToOpenChooser } from "./give-files.ts";

/** Files beyond this number are counted, not named. */
const NAMED_MAX = 5;

export const fileUpload: ToolHandler<"FileUpload"> = async (request, context) => {
  const { session, call } = context;
  const files = await filesOf(request, session);
  // A plan repeats the call with the files that are here by now.
  if (request.files.length > 0 && request.paths.length === 0)
    call.arguments = { ...call.arguments, paths: files.map(({ id }) => id), files: null };
  const page = await context.page();
  await approved(files, request, page, context);
  const { ref } = request;
  const reply = await perform(page, session, async (send) => {
    const giving = { page, files, send };
    const given = ref === undefined ? await giveToOpenChooser(giving) : await giveTo(giving, ref);
    const { tab } = page;
    const loaderId = tab.frames.main?.loaderId;
    for (const file of files) file.isNeeded = () => tab.isOpen && tab.frames.main?.loaderId === loaderId;
    return { said: saidOf(given, files), fields: { element: given.element ?? null, way: given.way } };
  });
  return reply;
};

/** Waits for a person where files are given only with a person's approval. The same files are approved once. */
async function approved(
  files: readonly StoredFile[],
  { ref = "" }: FileUploadRequest,
  { tab }: Page,
  { role, session, call }: ToolContext,
): Promise<void> {
  const asked = {
    session: session.key,
    tab: tab.id,
    action: "upload" as const,
    what: `upload of ${namesOf(files)} to ${redactedAddress(tab.url)}`,
    page: redactedAddress(tab.url),
  };
  const sameAs = JSON.stringify([tab.id, tab.frames.main?.loaderId, ref, files.map(({ id }) => id)]);
  await role.approvals.ofUploads?.approved(asked, call, sameAs);
}

/** Returns the files, stored for the page. Throws INVALID_ARGUMENT or FILE_NOT_ALLOWED. */
async function filesOf({ paths, files }: FileUploadRequest, session: Session): Promise<StoredFile[]> {
  if (files.length === 0 && paths.length === 0)
    throw fail("INVALID_ARGUMENT", { argument: "paths", problem: "paths is missing: the files to give" });
  // A client that reads the paths sends the content of each.
  if (files.length === 0) return paths.map((path) => fromId(path, session));
  const stored: StoredFile[] = [];
  for (const file of files) stored.push(await storedOf(file, session));
  return stored;
}

async function storedOf({ id, name, mimeType, content }: FileContent, session: Session): Promise<StoredFile> {
  return id === "" ? await session.files.stored.put(name, content, mimeType) : fromId(id, session);
}

function fromId(id: string, { files: { stored } }: Session): StoredFile {
  if (!PUT_ID.test(id)) throw fail("FILE_NOT_ALLOWED", { path: id, allowed: [], problem: "remote" });
  const file = stored.get(id);
  if (!file)
    throw fail("INVALID_ARGUMENT", {
      argument: "paths",
      problem: `there is no file ${id} in this session and role`,
      hint: "with the id that PUT /v1/files or PutFile answered in this session and role",
    });
  return file;
}

function saidOf({ way, element }: Given, files: readonly StoredFile[]): string {
  const what = namesOf(files);
  const to = element ? `${element.ref} ${named(element)}` : "the open file chooser";
  switch (way) {
    case "FILE_WAY_DROP":
      return `Dropped ${what} onto ${to}`;
    case "FILE_WAY_CHOOSER":
      return element ? `Chose ${what} in the chooser of ${to}` : `Chose ${what} in ${to}`;
    default:
      return `Gave ${what} to ${to}`;
  }
}

function namesOf(files: readonly StoredFile[]): string {
  const names = files.slice(0, NAMED_MAX).map(({ name, size }) => `${quote(name)} (${shownBytes(size)})`);
  const more = files.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${counted(more, "more file")}` : ""}`;
}
