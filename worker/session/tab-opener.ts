// Opens the tabs of a session: a page of Chrome, its share of the login, and its address.
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { SessionLogin } from "../session-login/session-login.ts";
import type { Tab } from "../tab/tab.ts";
import type { PendingTabs } from "./pending-tabs.ts";

/** The parts that tabs are opened with. */
export interface TabOpenerParts {
  /** Makes Chrome open a page in the session's context. Resolves to the target's id. */
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
   * Opens a tab that begins to load the address, or stays empty without one. It is closed again if it cannot have its
   * login, or if the signal has aborted. `prepared`: an open tab with its login.
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
   * Begins a navigation. Calls on the tab wait for the page. If it does not come, the tab's content shows that.
   * `isThere`: the tab has the address already, with nothing loaded yet.
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

/**
 * Loads the address that the empty document already has. If no document comes, the tab goes to about:blank, because
 * that address is not the empty document's own.
 */
async function loadAnew(tab: Tab): Promise<void> {
  const { client, activity, frames } = tab;
  const standIn = frames.main?.loaderId;
  activity.expected();
  // Chrome answers before it requests the page.
  await client.send("Page.reload");
  await arrived(tab);
  if (!tab.isOpen || frames.main?.loaderId !== standIn) return;
  await load(tab, "about:blank");
  await arrived(tab);
}

/** Resolves when the navigation under way has ended, with or without a document. */
async function arrived(tab: Tab): Promise<void> {
  while (tab.isOpen && tab.activity.navigating) await tab.activity.changed();
}
