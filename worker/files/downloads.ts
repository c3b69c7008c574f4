// Follows a session's downloads by Chrome's events, within bounds, and keeps their files until they are removed.
import { rm } from "node:fs/promises";
import path from "node:path";
import type { CDPSession, Protocol } from "puppeteer-core";
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { safeFileName } from "../../proto/text/file-name.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import {
  DOWNLOADS_MAX,
  FILE_BYTES_MAX,
  SESSION_BYTES_MAX,
  shownBytes,
} from "../../proto/wire/file-bounds.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";

/** Chrome's own name of a download, which its file has too. */
type Guid = string;

/** A download as it is now. */
export interface Download {
  readonly id: string;
  readonly guid: Guid;
  /** Safe as a file's name. */
  readonly name: string;
  /** As Chrome reports it. */
  readonly address: string;
  readonly file: string;
  /** The browser context that it belongs to. */
  readonly contextId: string;
  state: "IN_PROGRESS" | "COMPLETED" | "FAILED";
  received: number;
  /** 0 if it is not known. */
  size: number;
  reason: string;
  /** Its client has its content. */
  isFetched: boolean;
  /** It waits for a person until this resolves. No client gets its content before. */
  held?: Promise<unknown> | undefined;
  /** The error of a client that wants its content, which a person has refused. */
  refusal?: TroupeError;
}

export interface DownloadsParts {
  browser: CDPSession;
  failures: FailureLog;
  /** The bytes of the session's other files, which share its bound. */
  othersBytes(): number;
}

/** A session's downloads. {@link Downloads.close} ends and removes them. */
export class Downloads {
  readonly #parts: DownloadsParts;
  readonly #byId = new Map<string, Download>();
  readonly #ends = new Map<Download, PromiseWithResolvers<void>>();
  #count = 0;

  constructor(parts: DownloadsParts) {
    this.#parts = parts;
  }

  /** All of them, oldest first. */
  get all(): Download[] {
    return [...this.#byId.values()];
  }

  /** Those whose content would be lost with the session. */
  get unfetched(): Download[] {
    return this.all.filter(({ state, isFetched }) => state !== "FAILED" && !isFetched);
  }

  get bytes(): number {
    return this.all.reduce((sum, { received }) => sum + received, 0);
  }

  /** Returns the download of that id; without one, the newest. */
  get(id: string | undefined): Download | undefined {
    return id === undefined ? this.all.at(-1) : this.#byId.get(id);
  }

  /** Notes that Chrome began a download in a context. */
  began(
    { guid, url, suggestedFilename }: Protocol.Browser.DownloadWillBeginEvent,
    { id: contextId, downloadFolder }: { id: string; downloadFolder: string },
  ): Download {
    const download: Download = {
      id: `d${++this.#count}`,
      guid,
      name: safeFileName(suggestedFilename),
      address: url,
      file: path.join(downloadFolder, path.basename(guid)),
      contextId,
      state: "IN_PROGRESS",
      received: 0,
      size: 0,
      reason: "",
      isFetched: false,
    };
    this.#makeRoom();
    this.#byId.set(download.id, download);
    this.#ends.set(download, Promise.withResolvers());
    if (this.#byId.size > DOWNLOADS_MAX)
      this.#cancel(download, `the session has ${DOWNLOADS_MAX} downloads already`);
    return download;
  }

  /** Notes Chrome's progress. Returns false for a download of another session. */
  progressed({ guid, receivedBytes, totalBytes, state }: Protocol.Browser.DownloadProgressEvent): boolean {
    const download = this.all.find((each) => each.guid === guid);
    if (!download) return false;
    if (download.state !== "IN_PROGRESS") return true;
    download.received = receivedBytes;
    download.size = totalBytes;
    if (state === "completed") this.#end(download, "COMPLETED", "");
    else if (state === "canceled") this.#end(download, "FAILED", "the connection broke, or it was cancelled");
    else if (Math.max(receivedBytes, totalBytes) > FILE_BYTES_MAX)
      this.#cancel(download, `it is larger than ${shownBytes(FILE_BYTES_MAX)}`);
    else if (this.bytes + this.#parts.othersBytes() > SESSION_BYTES_MAX)
      this.#cancel(download, `the session's files are larger than ${shownBytes(SESSION_BYTES_MAX)}`);
    return true;
  }

  /** Resolves when it has ended. */
  async ended(download: Download): Promise<void> {
    await this.#ends.get(download)?.promise;
  }

  /** Ends a download that a person has refused, and removes its file. */
  refuse(download: Download, reason: string, refusal: TroupeError): void {
    download.refusal = refusal;
    if (download.state === "IN_PROGRESS") this.#cancel(download, reason);
    else this.#end(download, "FAILED", reason);
  }

  /** Removes it from the list, with its file. One under way is cancelled. */
  remove(download: Download): void {
    if (download.state === "IN_PROGRESS") this.#cancel(download, "it was removed");
    else this.#erase(download);
    this.#byId.delete(download.id);
    this.#ends.delete(download);
  }

  /** Ends all of them. Their folder may be another session's too, so each file is removed by itself. */
  close(): void {
    for (const download of this.all) this.remove(download);
  }

  /** Failed ones have no content, and fetched ones are with their client. */
  #makeRoom(): void {
    const over = this.all.filter(({ state, isFetched }) => state === "FAILED" || isFetched);
    for (const download of over.slice(0, Math.max(0, this.#byId.size + 1 - DOWNLOADS_MAX)))
      this.remove(download);
  }

  #cancel(download: Download, reason: string): void {
    this.#end(download, "FAILED", reason);
    const { guid, contextId: browserContextId } = download;
    this.#parts.browser
      .send("Browser.cancelDownload", { guid, browserContextId })
      .catch((error: Error) => isGone(error) || this.#parts.failures.cleanup("cancel-download", error));
  }

  #end(download: Download, state: Download["state"], reason: string): void {
    Object.assign(download, { state, reason });
    if (state === "FAILED") {
      download.received = 0;
      this.#erase(download);
    }
    this.#ends.get(download)?.resolve();
  }

  /** A cancelled download's file is Chrome's own to remove, and may be gone. */
  #erase({ file }: Download): void {
    rm(file, { force: true }).catch((error: Error) => this.#parts.failures.cleanup("remove-download", error));
  }
}

/** Returns the address as texts may show it. */
export function shownAddress({ address }: Pick<Download, "address">): string {
  return redactedAddress(address);
}
