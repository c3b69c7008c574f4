// Holds the files that a session was given for its pages, and the documents that were made of its pages.
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import path from "node:path";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { safeFileName } from "../../proto/text/file-name.ts";
import {
  FILE_BYTES_MAX,
  SESSION_BYTES_MAX,
  STORED_FILES_MAX,
  shownBytes,
} from "../../proto/wire/file-bounds.ts";
import type { FileFolder } from "./file-folder.ts";

/** A file that is whole. */
export interface StoredFile {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  /** Absolute. Its last part is the name that pages see. */
  path: string;
  /** Returns false once neither a page nor the client needs it. It then makes room for others. */
  isNeeded: () => boolean;
  /** A client has read it whole. */
  wasSent: boolean;
}

/** Takes a file's bytes. It is finished, or given up. */
export interface FileWriter {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<StoredFile>;
  giveUp(): Promise<void>;
}

/** A session's files. {@link StoredFiles.close} removes them. */
export class StoredFiles {
  readonly #folder: FileFolder;
  readonly #files = new Map<string, StoredFile>();
  /** The bytes of downloads, which share the session's bound. */
  readonly #othersBytes: () => number;
  #own: Promise<string> | undefined;
  #bytes = 0;
  #isClosed = false;

  constructor(folder: FileFolder, othersBytes: () => number) {
    this.#folder = folder;
    this.#othersBytes = othersBytes;
  }

  get(id: string): StoredFile | undefined {
    return this.#files.get(id);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a file. `size`: as announced; 0 if it is not known. Throws FILE_NOT_ALLOWED or BUSY. */
  async begin(given: string, { mimeType = "", size = 0 } = {}): Promise<FileWriter> {
    const name = safeFileName(given);
    await this.#clear();
    if (this.#files.size >= STORED_FILES_MAX) throw full(`${STORED_FILES_MAX} files`);
    this.#checkRoom(name, size, 0);
    // Each file has a folder of its own, because pages see its name.
    const file = path.join(await this.#folder.makeReadable(await this.#folderMade()), name);
    const handle = await open(file, "wx", 0o600);
    const id = `upload-${randomUUID()}`;
    const isNeeded = () => true;
    return this.#writer(handle, { id, name, mimeType, size: 0, path: file, isNeeded, wasSent: false });
  }

  /** Stores a whole file. */
  async put(name: string, content: Uint8Array, mimeType = ""): Promise<StoredFile> {
    const writer = await this.begin(name, { mimeType, size: content.length });
    try {
      await writer.write(content);
      return await writer.finish();
    } catch (error) {
      await writer.giveUp();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#files.clear();
    const folder = await this.#own;
    if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #writer(handle: FileHandle, file: StoredFile): FileWriter {
    let isOpen = true;
    const end = async () => {
      if (isOpen) await handle.close();
      isOpen = false;
    };
    return {
      write: async (chunk) => {
        this.#checkRoom(file.name, file.size + chunk.length, file.size);
        file.size += chunk.length;
        this.#bytes += chunk.length;
        await handle.writeFile(chunk);
      },
      finish: async () => {
        await end();
        await this.#folder.shareFile(file.path);
        if (this.#isClosed) throw fail("SESSION_EXPIRED", { session: "", reason: "it was closed" });
        this.#files.set(file.id, file);
        return file;
      },
      giveUp: async () => {
        if (!isOpen) return;
        await end();
        this.#bytes -= file.size;
        await rm(path.dirname(file.path), { recursive: true, force: true });
      },
    };
  }

  /** Removes files that are not needed any more. */
  async #clear(): Promise<void> {
    for (const { id, path: file, size } of [...this.#files.values()].filter(({ isNeeded }) => !isNeeded())) {
      this.#files.delete(id);
      this.#bytes -= size;
      await rm(path.dirname(file), { recursive: true, force: true });
    }
  }

  /** `had`: how many bytes of the file the sum has already. */
  #checkRoom(name: string, size: number, had: number): void {
    if (size > FILE_BYTES_MAX)
      throw fail("FILE_NOT_ALLOWED", {
        path: name,
        allowed: [],
        problem: "too-large",
        bytesMax: FILE_BYTES_MAX,
      });
    if (this.#bytes - had + size + this.#othersBytes() > SESSION_BYTES_MAX)
      throw full(shownBytes(SESSION_BYTES_MAX));
  }

  #folderMade(): Promise<string> {
    this.#own ??= this.#folder.makeReadable();
    return this.#own;
  }
}

/** The session's files have a bound, and only its end or the removal of downloads makes room. */
function full(bound: string): TroupeError {
  const limit = `a session's files take at most ${bound} in a role`;
  return fail("BUSY", { limit, holders: [], own: "files" });
}
