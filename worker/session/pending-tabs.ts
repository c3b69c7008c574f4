// Tabs on their way: Chrome tells of a page before or after it answers who had it opened.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { DocumentGone } from "../core/gone.ts";
import type { Tab } from "../tab/tab.ts";

/** By target, the tabs of a session that are being set up, and those that have been. */
export class PendingTabs {
  readonly #byTarget = new Map<string, PromiseWithResolvers<Tab>>();
  #ended: TroupeError | undefined;

  /** Set when the session has ended. */
  get ended(): TroupeError | undefined {
    return this.#ended;
  }

  /** Resolves when the tab is set up. */
  of(targetId: string): PromiseWithResolvers<Tab> {
    const arrival = this.#byTarget.get(targetId) ?? Promise.withResolvers<Tab>();
    // A popup's arrival may have nobody who waits for it.
    arrival.promise.catch(() => undefined);
    this.#byTarget.set(targetId, arrival);
    // What comes after the session's end has nobody to go to.
    if (this.#ended) arrival.reject(this.#ended);
    return arrival;
  }

  /** Chrome has closed the page. */
  lost(targetId: string): void {
    this.#byTarget.get(targetId)?.reject(new DocumentGone("the tab was closed while it was being opened"));
    this.#byTarget.delete(targetId);
  }

  /** The session has ended: nobody arrives any more. */
  end(error: TroupeError): void {
    this.#ended = error;
    for (const arrival of this.#byTarget.values()) arrival.reject(error);
  }
}
