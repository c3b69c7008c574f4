// What a session has seen of its login: on which pages, and what each tab showed after the last call.
import type { Tab } from "../tab/tab.ts";
import { pageOf } from "./auth-check.ts";

/** The oldest pages make room for new ones. */
const PAGES_MAX = 500;
/** Longer addresses are documents themselves. */
const URL_LENGTH_MAX = 2_000;

/** A tab's document and address, and whether it showed the logged-in text. */
interface Shown {
  loaderId: string;
  url: string;
  showsText: boolean;
}

/** What a session has seen. */
export class LoginSight {
  readonly #withText = new Set<string>();
  readonly #shown = new WeakMap<Tab, Shown>();

  /** What the tab showed after the last call; undefined for a tab that no call has shown. */
  shown(tab: Tab): Shown | undefined {
    return this.#shown.get(tab);
  }

  /** The call has ended with what the tab shows now. */
  remember(tab: Tab, showsText: boolean): void {
    if (showsText) this.#sawText(tab.url);
    this.#shown.set(tab, { loaderId: loaderOf(tab), url: tab.url, showsText });
  }

  /** Whether the tab shows another document or address than after the last call. */
  isNew(tab: Tab): boolean {
    const before = this.#shown.get(tab);
    return before?.loaderId !== loaderOf(tab) || before.url !== tab.url;
  }

  /** Whether the page is one that showed the text: before it was left, or until this call. */
  expectsText(tab: Tab): boolean {
    return (
      this.#withText.has(pageOf(tab.url)) && (this.isNew(tab) || this.#shown.get(tab)?.showsText === true)
    );
  }

  #sawText(url: string): void {
    const page = pageOf(url);
    if (page.length > URL_LENGTH_MAX) return;
    this.#withText.delete(page);
    this.#withText.add(page);
    const [oldest] = this.#withText;
    if (this.#withText.size > PAGES_MAX && oldest !== undefined) this.#withText.delete(oldest);
  }
}

function loaderOf({ activity }: Tab): string {
  return activity.document?.loaderId ?? "";
}
