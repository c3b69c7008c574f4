// Files as programs give them to a page.

import { MESSAGE_FILE_BYTES_MAX } from "../../proto/wire/file-bounds.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Transfer } from "../files/with-files.ts";
import type { FilePlace } from "../session/named-sessions.ts";
import type { ToolArguments } from "./tool-methods.ts";

export type { FilePlace };

/** A file with its content, or the id of one that the daemon has. */
export type GivenFile = { name: string; content: Uint8Array } | { id: string };

export type FileUploadArguments = Omit<ToolArguments<"FileUpload">, "files"> & {
  files?: readonly GivenFile[];
};

/** Sends large files ahead. Small ones travel in the call. */
export async function sendFiles(files: readonly GivenFile[], transfer: Transfer): Promise<JsonObject[]> {
  const sent: JsonObject[] = [];
  for (const file of files) {
    if ("id" in file) sent.push({ id: file.id });
    else if (files.length === 1 && file.content.length <= MESSAGE_FILE_BYTES_MAX)
      sent.push({ name: file.name, content: Buffer.from(file.content).toString("base64") });
    else sent.push({ id: await transfer.put(file.name, onePart(file.content)) });
  }
  return sent;
}

async function* onePart(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}
