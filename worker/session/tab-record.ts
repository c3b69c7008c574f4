// Records what another worker needs to open a tab again.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Tab } from "../tab/tab.ts";

/**
 * All sessions of a role travel in one message. An address that is a document itself is too long for it, and is not
 * opened again.
 */
const URL_LENGTH_MAX = 2_000;
const TITLE_LENGTH_MAX = 200;

export function recordOf(
  { id, url, title }: Tab,
  currentId: string | undefined,
): SessionRecord["tabs"][number] {
  return {
    id,
    url: canReopen(url) ? url : "about:blank",
    title: title.slice(0, TITLE_LENGTH_MAX),
    current: id === currentId,
  };
}

/** Returns true if the record holds the whole address. */
export function canReopen(url: string): boolean {
  return url.length <= URL_LENGTH_MAX;
}

/** Lists the controls with the session's input in the tab, for the error of another worker. */
export function typedIn({ id, touched }: Tab): SessionRecord["typed"] {
  return touched.names.map((field) => ({ tab: id, field }));
}
