// Hands Chrome's reports of downloads to their sessions. They name only the frame that began the download.
import type { CDPSession, Protocol } from "puppeteer-core";
import { quote } from "../../proto/text/quote.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { type Approvals, deniedError, tooMuchWaits } from "../approvals/approvals.ts";
import { isGone } from "../core/gone.ts";
import type { Download } from "../files/downloads.ts";
import type { Session } from "../session/session.ts";
import type { Tab } from "../tab/tab.ts";

/** A popup may be gone when its download is reported. So many are remembered. */
const CLOSED_MAX = 200;

const NO_SUCH = /No download item|Failed to find browser context/i;

/** The frames of pages that have closed lately, each with the session and the tab that reports for it. */
type Closed = Map<string, { session: Session; reporter: Tab | undefined }>;

/** Follows the downloads of all sessions. `open`: returns the sessions of now. */
export function followDownloads(
  browser: CDPSession,
  open: () => readonly Session[],
  approvals: Approvals | undefined,
): DownloadOwners {
  const owners = new DownloadOwners(open, approvals);
  browser.on("Browser.downloadWillBegin", (event) => owners.began(browser, event));
  browser.on(
    "Browser.downloadProgress",
    (event) => void open().some(({ files }) => files.downloads.progressed(event)),
  );
  return owners;
}

export class DownloadOwners {
  readonly #open: () => readonly Session[];
  readonly #approvals: Approvals | undefined;
  readonly #closed: Closed = new Map();

  /** `approvals`: each download waits there for a person. */
  constructor(open: () => readonly Session[], approvals?: Approvals) {
    this.#open = open;
    this.#approvals = approvals;
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
    const download = session.files.downloads.began(event, session.context);
    const { id, name } = download;
    if (this.#approvals) hold(download, session, reporter, this.#approvals);
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

/** Chrome fetches the file, and no client gets it before a person has approved that. */
function hold(download: Download, session: Session, tab: Tab | undefined, approvals: Approvals): void {
  const { downloads } = session.files;
  const waiting = approvals.ask({
    session: session.key,
    tab: tab?.id ?? "",
    action: "download",
    what: `download of ${quote(download.name, NAME_MAX)} from ${redactedAddress(download.address)}`,
    page: redactedAddress(tab?.url ?? ""),
  });
  if (!waiting) {
    downloads.refuse(download, "too many actions wait for a person's approval", tooMuchWaits());
    return;
  }
  download.held = waiting.over.then((outcome) => {
    download.held = undefined;
    if (outcome.outcome !== "approved")
      downloads.refuse(download, "no person has approved it", deniedError({ ...waiting, ...outcome }));
    tab?.activity.wake();
  });
}

const NAME_MAX = 100;
