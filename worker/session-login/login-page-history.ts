// Remembers on which pages a session has seen its login, and what each tab showed after the last call.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Tab } from "../tab/tab.ts";
import { pageOf } from "./auth-check.ts";

/** The oldest pages make room for new ones. */
const PAGES_MAX = 500;
/** Longer addresses are documents themselves. */
const URL_LENGTH_MAX = 2_000;

/** A tab's document and address. */
interface Shown {
  loaderId: string;
  url: string;
}

/** The pages that a session has seen. */
export class LoginPageHistory {
  readonly #withText = new Map<string, true>();
  readonly #shown = new WeakMap<Tab, Shown>();

  /** Returns what the tab showed after the last call. Undefined for a tab that no call has shown. */
  shown(tab: Tab): Shown | undefined {
    return this.#shown.get(tab);
  }

  /** Remembers what the tab shows at the end of a call. */
  remember(tab: Tab, showsText: boolean): void {
    if (showsText) for (const page of [pageOf(tab.url), tab.url]) this.#sawText(page);
    this.#shown.set(tab, { loaderId: loaderOf(tab), url: tab.url });
  }

  /** Returns true if the tab's document or address has changed since the last call. */
  isNew(tab: Tab): boolean {
    const before = this.#shown.get(tab);
    return before?.loaderId !== loaderOf(tab) || before.url !== tab.url;
  }

  /**
   * Returns true if the tab shows a page again that had the text. Within a document, only the whole address identifies
   * the page. A document that stays at its address may fold the text away.
   */
  expectsText(tab: Tab): boolean {
    if (!this.isNew(tab)) return false;
    const isSameDocument = this.#shown.get(tab)?.loaderId === loaderOf(tab);
    return this.#withText.has(isSameDocument ? tab.url : pageOf(tab.url));
  }

  #sawText(page: string): void {
    if (page.length > URL_LENGTH_MAX) return;
    keepNewest(this.#withText, page, true, PAGES_MAX);
  }
}

function loaderOf({ activity }: Tab): string {
  return activity.document?.loaderId ?? "";
}
