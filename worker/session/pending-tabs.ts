// Matches new pages with the calls that wait for them. Chrome reports a page before or after it answers the command
// that opened it.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { DocumentGone } from "../core/gone.ts";
import type { Tab } from "../tab/tab.ts";

/** Holds, by target, the tabs of a session that are being set up or have been. */
export class PendingTabs {
  readonly #byTarget = new Map<string, PromiseWithResolvers<Tab>>();
  /** Set when the session has ended. */
  ended: TroupeError | undefined;

  /** Resolves when the tab is set up. */
  of(targetId: string): PromiseWithResolvers<Tab> {
    const arrival = this.#byTarget.get(targetId) ?? Promise.withResolvers<Tab>();
    // No call may be waiting for a popup, so a rejection must count as handled.
    arrival.promise.catch(() => undefined);
    this.#byTarget.set(targetId, arrival);
    // A tab that comes after the session's end is rejected.
    if (this.ended) arrival.reject(this.ended);
    return arrival;
  }

  /** Handles a page that Chrome has closed. */
  lost(targetId: string): void {
    this.#byTarget.get(targetId)?.reject(new DocumentGone("the tab was closed while it was being opened"));
    this.#byTarget.delete(targetId);
  }

  /** Ends with the session: all tabs that still come are rejected. */
  end(error: TroupeError): void {
    this.ended = error;
    for (const arrival of this.#byTarget.values()) arrival.reject(error);
  }
}
