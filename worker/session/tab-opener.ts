// Opens the tabs of a session: a page of Chrome's, its share of the login, and the address that it is opened for.
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { SessionLogin } from "../session-login/session-login.ts";
import type { Tab } from "../tab/tab.ts";
import type { PendingTabs } from "./pending-tabs.ts";

/** What tabs are opened with. */
export interface TabOpenerParts {
  /** Has Chrome open a page in the session's context; resolves to the target's id. */
  createTarget(): Promise<string>;
  arrivals: PendingTabs;
  login: SessionLogin;
  failures: FailureLog;
  /** Closes a tab that is not wanted. */
  discard(tab: Tab): Promise<void>;
}

export class TabOpener {
  readonly #parts: TabOpenerParts;

  constructor(parts: TabOpenerParts) {
    this.#parts = parts;
  }

  /**
   * A tab that begins to load the address, or stays empty where there is none. One that cannot have its login, or comes
   * when the signal has aborted, is closed again. `prepared`: one that is open already, with its login.
   */
  async open(address: string, signal?: AbortSignal, prepared?: Tab): Promise<Tab> {
    if (prepared) {
      if (address) this.begin(prepared, await prepared.credentials.takeFrom(address));
      return prepared;
    }
    const { createTarget, arrivals, login, discard } = this.#parts;
    const targetId = await createTarget();
    const tab = await arrivals.of(targetId).promise;
    try {
      const url = await tab.credentials.takeFrom(address);
      const isThere = await login.fill(tab, url);
      signal?.throwIfAborted();
      if (url) this.begin(tab, url, isThere);
      return tab;
    } catch (error) {
      await discard(tab);
      throw error;
    }
  }

  /**
   * Whoever looks at the tab waits for the page; that it does not come is told by what the tab shows then. `isThere`: it
   * stands at the address, with nothing loaded yet.
   */
  begin(tab: Tab, url: string, isThere = false): void {
    tab.firstUrl = url;
    const begun = isThere ? loadAnew(tab) : load(tab, url);
    tab.heldNavigation = begun;
    begun.catch((error: Error) => isGone(error) || this.#parts.failures.cleanup("open-first-page", error));
  }
}

async function load({ client, activity }: Tab, url: string): Promise<void> {
  activity.navigating = true;
  const { errorText } = await client.send("Page.navigate", { url });
  if (errorText) activity.failed();
}

/** Where nothing comes in the place of the empty document, that does not stay under an address that is not its own. */
async function loadAnew(tab: Tab): Promise<void> {
  const { client, activity, frames } = tab;
  const standIn = frames.main?.loaderId;
  activity.expected();
  // Chrome answers before it has asked anybody for the page.
  await client.send("Page.reload");
  await arrived(tab);
  if (!tab.isOpen || frames.main?.loaderId !== standIn) return;
  await load(tab, "about:blank");
  await arrived(tab);
}

/** Resolves when the navigation that is under way has brought a document, or none. */
async function arrived(tab: Tab): Promise<void> {
  while (tab.isOpen && tab.activity.navigating) await tab.activity.changed();
}
