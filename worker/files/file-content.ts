// Reads a session's files for its client: small ones at once, others in parts.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { FileContent } from "../../proto/gen/troupe.ts";
import { MESSAGE_FILE_BYTES_MAX, PART_BYTES } from "../../proto/wire/file-bounds.ts";

/** The browser writes downloads. A link that it plants there leads nowhere. */
const PLAINLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type Described = Pick<FileContent, "id" | "name" | "mimeType" | "size">;

/** Returns the file with its content if that fits into a message. Otherwise its id stands for it. */
export async function contentOf(path: string, described: Described): Promise<FileContent> {
  await using handle = await openFile(path);
  const { size } = await handle.stat();
  const about = { ...described, size, mimeType: described.mimeType };
  if (size > MESSAGE_FILE_BYTES_MAX) return { ...about, content: Buffer.alloc(0) };
  return { ...about, id: "", content: await handle.readFile() };
}

/** Yields the file in parts, no faster than they are taken. */
export async function* partsOf(path: string): AsyncGenerator<Buffer, void> {
  await using handle = await openFile(path);
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, PLAINLY);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error("a session's file is no ordinary file");
}
