// Holds all files of a session in a role: those that it was given, and those that its pages have downloaded.
import type { CDPSession } from "puppeteer-core";
import type { FailureLog } from "../failures/failure-log.ts";
import { Downloads } from "./downloads.ts";
import type { FileFolder } from "./file-folder.ts";
import { StoredFiles } from "./stored-files.ts";

export interface SessionFilesParts {
  browser: CDPSession;
  failures: FailureLog;
  fileFolder: FileFolder;
}

/** A session's files. {@link SessionFiles.close} removes them. */
export class SessionFiles {
  readonly downloads: Downloads;
  readonly stored: StoredFiles;
  readonly #failures: FailureLog;

  constructor({ browser, failures, fileFolder }: SessionFilesParts) {
    this.#failures = failures;
    this.downloads = new Downloads({ browser, failures, othersBytes: () => this.stored.bytes });
    this.stored = new StoredFiles(fileFolder, () => this.downloads.bytes);
  }

  async close(): Promise<void> {
    this.downloads.close();
    try {
      await this.stored.close();
    } catch (error) {
      this.#failures.cleanup("remove-files", error as Error);
    }
  }
}
