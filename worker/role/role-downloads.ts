// Hands Chrome's reports of downloads to their sessions. They name only the frame that began the download.
import type { CDPSession, Protocol } from "puppeteer-core";
import { isGone } from "../core/gone.ts";
import type { Session } from "../session/session.ts";
import type { Tab } from "../tab/tab.ts";

/** A popup may be gone when its download is reported. So many are remembered. */
const CLOSED_MAX = 200;

const NO_SUCH = /No download item|Failed to find browser context/i;

/** The frames of pages that have closed lately, each with the session and the tab that reports for it. */
type Closed = Map<string, { session: Session; reporter: Tab | undefined }>;

/** Follows the downloads of all sessions. `open`: returns the sessions of now. */
export function followDownloads(browser: CDPSession, open: () => readonly Session[]): DownloadOwners {
  const owners = new DownloadOwners(open);
  browser.on("Browser.downloadWillBegin", (event) => owners.began(browser, event));
  browser.on(
    "Browser.downloadProgress",
    (event) => void open().some(({ files }) => files.downloads.progressed(event)),
  );
  return owners;
}

export class DownloadOwners {
  readonly #open: () => readonly Session[];
  readonly #closed: Closed = new Map();

  constructor(open: () => readonly Session[]) {
    this.#open = open;
  }

  /** Remembers a page that is about to be forgotten. */
  closes(targetId: string): void {
    const session = this.#open().find(({ tabs }) => tabs.all.some((tab) => tab.targetId === targetId));
    const tab = session?.tabs.all.find((each) => each.targetId === targetId);
    if (!session || !tab) return;
    this.#closed.set(targetId, { session, reporter: session.tabs.openerOf(tab) });
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > CLOSED_MAX && oldest !== undefined) this.#closed.delete(oldest);
  }

  began(browser: CDPSession, event: Protocol.Browser.DownloadWillBeginEvent): void {
    const { session, reporter } = this.#ownerOf(event.frameId);
    if (!session) {
      this.#cancel(browser, event.guid);
      return;
    }
    const { id, name } = session.files.downloads.began(event, session.context);
    reporter?.unreported.noteDownloads([{ id, name }]);
    reporter?.activity.wake();
  }

  /** Cancels a download that no session can fetch. Chrome does not say in which context it is. */
  #cancel(browser: CDPSession, guid: string): void {
    for (const browserContextId of new Set(this.#open().map(({ context }) => context.id)))
      browser.send("Browser.cancelDownload", { guid, browserContextId }).catch((error: unknown) => {
        // In all contexts but one there is no such download.
        if (!isGone(error) && !NO_SUCH.test(String(error))) throw error;
      });
  }

  #ownerOf(frameId: string): { session?: Session; reporter?: Tab | undefined } {
    for (const session of this.#open()) {
      const reporter = session.tabs.all.find(
        ({ targetId, frames }) => targetId === frameId || frames.numberOf(frameId) !== undefined,
      );
      if (reporter) return { session, reporter };
    }
    const closed = this.#closed.get(frameId);
    return closed && this.#open().includes(closed.session) ? closed : {};
  }
}
