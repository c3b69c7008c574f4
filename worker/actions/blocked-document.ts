// Reports a document that the role's policy blocked, in the call that it belongs to.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { withoutUserinfo } from "../../proto/text/quote.ts";
import type { Tab } from "../tab/tab.ts";

const URL_LENGTH_MAX = 500;

/** Returns NAVIGATION_BLOCKED if a document of the tab was blocked since the last check. */
export function takeBlocked(tab: Tab): TroupeError | undefined {
  const document = tab.unreported.take("blocked");
  return document && blocked(tab, document.url, document.reason);
}

/** Returns NAVIGATION_BLOCKED for an address that the tab was to show. */
export function blocked({ owner }: Tab, address: string, reason: string): TroupeError {
  const url = withoutUserinfo(address).slice(0, URL_LENGTH_MAX);
  return fail("NAVIGATION_BLOCKED", { url, allowed: [...owner.wall.allow], reason });
}
