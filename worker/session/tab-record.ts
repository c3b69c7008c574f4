// What another worker needs of a tab to open it again.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Tab } from "../tab/tab.ts";

/** All sessions of a role are told in one message: an address that is a document itself is not opened again. */
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

/** Whether the record holds the whole address. */
export function canReopen(url: string): boolean {
  return url.length <= URL_LENGTH_MAX;
}

/** What the session typed into the tab, and another worker's error would name. */
export function typedIn({ id, typed }: Tab): SessionRecord["typed"] {
  return typed.names.map((field) => ({ tab: id, field }));
}
