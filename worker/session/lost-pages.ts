// Notes pages that a session lost between two of its calls. The next call on the tab reports that once.

import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Effect } from "../../proto/errors/steps/effect.ts";
import type { Tab } from "../tab/tab.ts";

/** The reason why a tab lost its page. `lost`: the fields that held typed text, in words. */
export interface LostPage {
  type: "PAGE_CRASHED" | "TAB_CLOSED";
  url: string;
  lost: readonly string[];
}

/** The losses that the session does not know yet, by tab. */
export class LostPages {
  readonly #byTab = new Map<string, LostPage>();

  /**
   * Notes that a tab is about to lose its page. If a script blocked the page, a call has already reported that. Then
   * only typed text is noted.
   */
  add(tab: Tab, type: LostPage["type"], url: string): LostPage {
    const loss = { type, url, lost: tab.touched.names };
    if (!tab.lifecycle.freeing || loss.lost.length > 0) this.#byTab.set(tab.id, loss);
    return loss;
  }

  /** Throws the tab's loss once. `effect`: the call's own. */
  report(tab: string | undefined, effect: Effect): void {
    const id = (tab ?? "").trim().toLowerCase();
    const loss = this.#byTab.get(id);
    if (!loss) return;
    this.forget(id);
    throw lossError(id, loss, effect);
  }

  /** Lists what was typed into lost pages, by tab, in words. */
  get lostInput(): { tab: string; field: string }[] {
    return [...this.#byTab].flatMap(([tab, { lost }]) => lost.map((field) => ({ tab, field })));
  }

  /** Drops a loss, because a call has failed with it or the tab is closed. */
  forget(tab: string): void {
    this.#byTab.delete(tab);
  }
}

/** Returns the error that reports a loss. */
export function lossError(tab: string, { type, url, lost }: LostPage, effect: Effect): TroupeError {
  const named = lost.length > 0 ? { lost } : {};
  if (type === "TAB_CLOSED") return fail("TAB_CLOSED", { tab, url, effect, ...named });
  return fail("PAGE_CRASHED", { url, effect, ...named });
}
