// Carries out a call whose arguments name files of this machine: reads those for the page, and writes what came back.
import { fail } from "../../proto/errors/catalogue.ts";
import type { FileContent } from "../../proto/gen/troupe.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import {
  MESSAGE_FILE_BYTES_MAX,
  MESSAGE_FILES_BYTES_MAX,
  PUT_ID,
  shownBytes,
} from "../../proto/wire/file-bounds.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import type { Json } from "../../proto/wire/struct.ts";
import { type FileFence, type FilePlace, openInside, placeInside } from "./file-fence.ts";

/** Carries files that are too large for a message. */
export interface Transfer {
  /** Resolves to the id that stands for the file. */
  put(name: string, parts: AsyncIterable<Uint8Array>): Promise<string>;
  get(id: string): AsyncIterable<Uint8Array>;
}

export interface FileAccess {
  /** Called for each call, because a client may change its folders. */
  fence(): Promise<FileFence>;
  /** A model reads the reply, so a file must fit into it. Programs ask for larger ones themselves. */
  isForModel: boolean;
}

type Request = Record<string, Json>;

/** Sends the call with the files in it, and writes the file that comes. Throws FILE_NOT_ALLOWED. */
export async function withFiles(
  tool: Tool,
  request: Request,
  {
    access,
    transfer,
    send,
  }: { access: FileAccess; transfer: Transfer; send(request: Request): Promise<Reply> },
): Promise<Reply> {
  if (!tool.arguments.some(({ local }) => local)) return await send(request);
  const { paths, path } = request;
  const fence = await access.fence();
  const place = typeof path === "string" && path ? await placeInside(path, fence) : undefined;
  const hasPaths = Array.isArray(paths) && paths.length > 0;
  const files = hasPaths ? await readAll(paths.map(String), fence, transfer) : undefined;
  const reply = await send({ ...request, ...(files && { files }) });
  const file = fileIn(reply);
  if (!file) return reply;
  if (place) return await written(reply, file, place, transfer);
  if (file.id !== "" && access.isForModel)
    throw fail("RESULT_TOO_LARGE", { size: file.size, limit: MESSAGE_FILE_BYTES_MAX, file: file.name });
  return reply;
}

/** Small files travel in the call itself. */
async function readAll(paths: readonly string[], fence: FileFence, transfer: Transfer): Promise<Json[]> {
  const files: Json[] = [];
  let left = MESSAGE_FILES_BYTES_MAX;
  for (const path of paths) {
    if (PUT_ID.test(path)) {
      files.push({ id: path });
      continue;
    }
    await using file = await openInside(path, fence);
    const { name, size } = file;
    if (size > MESSAGE_FILE_BYTES_MAX || size > left) {
      files.push({ id: await transfer.put(name, file.parts()) });
      continue;
    }
    left -= size;
    files.push({ name, content: (await whole(file.parts())).toString("base64") });
  }
  return files;
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

/** Returns the file or picture in a reply. */
function fileIn({ response }: Reply): FileContent | undefined {
  const { file, image, mimeType } = response;
  if (file) return file as FileContent;
  if (!(image instanceof Uint8Array) || image.length === 0) return undefined;
  const name = mimeType === "image/jpeg" ? "picture.jpg" : "picture.png";
  return { name, mimeType: String(mimeType), size: image.length, content: Buffer.from(image), id: "" };
}

async function written(
  reply: Reply,
  file: FileContent,
  place: FilePlace,
  transfer: Transfer,
): Promise<Reply> {
  const parts = file.id === "" ? oncePart(file.content) : transfer.get(file.id);
  const path = await place.write(parts, file.name);
  const text = `${reply.text}\nWritten to ${path} (${shownBytes(file.size)})`;
  const { image: _image, file: _file, ...response } = reply.response;
  const told = { ...file, content: Buffer.alloc(0), id: "" };
  return { ...reply, text, response: { ...response, ...(reply.response.file ? { file: told } : {}), path } };
}

async function* oncePart(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}
