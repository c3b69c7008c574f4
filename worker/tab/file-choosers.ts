// Remembers the file chooser that a page has opened. Chrome shows none, because the session gives the files instead.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Unreported } from "./unreported.ts";

/** An open chooser. */
export interface FileChooser {
  client: CDPSession;
  /** The file field that it is for. Undefined for a chooser without one, to which no files can be given. */
  field: Protocol.DOM.BackendNodeId | undefined;
  takesSeveral: boolean;
}

export class FileChoosers {
  readonly #unreported: Unreported;
  readonly #waiting = new Set<() => void>();
  #open: FileChooser | undefined;

  constructor(unreported: Unreported) {
    this.#unreported = unreported;
  }

  /** The chooser that opened last and has not got its files. */
  get open(): FileChooser | undefined {
    return this.#open;
  }

  /** Follows one process of the page. */
  watch(client: CDPSession): void {
    client.on("Page.fileChooserOpened", ({ backendNodeId: field, mode }) => {
      this.#open = { client, field, takesSeveral: mode === "selectMultiple" };
      this.#unreported.note({ askedForFiles: true });
      for (const heard of this.#waiting) heard();
    });
  }

  /** Resolves to true when a chooser is open, and to false after `timeMs`. */
  async opened(timeMs: number): Promise<boolean> {
    if (this.#open) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const heard = () => resolve(true);
    const timer = setTimeout(() => resolve(false), timeMs);
    this.#waiting.add(heard);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(heard);
    }
  }

  /** Forgets the chooser: it has its files, or its page is gone. */
  forget(): void {
    this.#open = undefined;
    this.#unreported.take("askedForFiles");
  }
}
