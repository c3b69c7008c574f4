// Makes the folders that hold sessions' files. They are private to the worker and its browser, and go with the worker.
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { makeTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import type { OtherUser } from "../chrome/unprivileged.ts";

const PREFIX = "troupe-files-";
/** The browser's user may pass and read, but change nothing: no link of its own can lead the worker elsewhere. */
const FOR_BROWSER = { folder: 0o710, file: 0o640 };
const PRIVATE_FOLDER = 0o700;

/** The folder of a role's files. {@link FileFolder.open} makes it, {@link FileFolder.close} removes it. */
export class FileFolder {
  readonly #root: string;
  readonly #user: OtherUser | undefined;
  #made = 0;

  /** `user`: the browser runs as this user and not as the worker's. */
  static async open(user: OtherUser | undefined): Promise<FileFolder> {
    const folder = new FileFolder(makeTemporaryFolder(PREFIX, { isShared: user !== undefined }), user);
    await folder.#shareFolder(folder.#root);
    return folder;
  }

  private constructor(root: string, user: OtherUser | undefined) {
    this.#root = root;
    this.#user = user;
  }

  /** Makes a folder that the worker writes to and the browser reads, here or in another one of these. */
  async makeReadable(inside = this.#root): Promise<string> {
    const folder = path.join(inside, String(++this.#made));
    await mkdir(folder, { mode: PRIVATE_FOLDER });
    await this.#shareFolder(folder);
    return folder;
  }

  /** Makes a folder that the browser writes to. */
  async makeWritable(): Promise<string> {
    const folder = path.join(this.#root, String(++this.#made));
    await mkdir(folder, { mode: PRIVATE_FOLDER });
    if (this.#user) await chown(folder, this.#user.uid, this.#user.gid);
    return folder;
  }

  /** Lets the browser read a file that the worker has written. */
  async shareFile(file: string): Promise<void> {
    if (!this.#user) return;
    await chown(file, process.getuid?.() ?? 0, this.#user.gid);
    await chmod(file, FOR_BROWSER.file);
  }

  async close(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  async #shareFolder(folder: string): Promise<void> {
    if (!this.#user) return;
    await chown(folder, process.getuid?.() ?? 0, this.#user.gid);
    await chmod(folder, FOR_BROWSER.folder);
  }
}
