// Keeps the delivered lines of elements in the daemon. With them, another worker finds the elements that old refs
// named.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import type { Tab } from "../tab/tab.ts";
import { partName } from "./storage-parts.ts";

/** Replies in quick succession are kept together, but the first one at once. */
const TOGETHER_MS = 1_000;
/** The bound for one tab, in characters. The oldest replies go first. */
const LENGTH_MAX = 20_000;

/** Follows the replies of a session. Ended by {@link TrackedLines.close}. */
export class TrackedLines {
  readonly #report: (part: StoragePart) => void;
  readonly #unreported = new Set<Tab>();
  #timer: NodeJS.Timeout | undefined;
  #notBeforeMs = 0;

  constructor(report: (part: StoragePart) => void) {
    this.#report = report;
  }

  /** Notes that the session gets a reply of this tab. Its lines are kept afterwards. */
  delivered(tab: Tab): void {
    this.#unreported.add(tab);
    const waitMs = Math.max(0, this.#notBeforeMs - performance.now());
    this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  /** Keeps all lines that are not kept yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#notBeforeMs = performance.now() + TOGETHER_MS;
    for (const { id, delivered } of this.#unreported) {
      const texts = newest(delivered.lines.condensed());
      if (texts.length > 0) this.#report({ name: nameOf(id), data: Buffer.from(JSON.stringify(texts)) });
    }
    this.#unreported.clear();
  }

  /** Forgets a tab that is closed for good. */
  forget(tabId: string): void {
    for (const tab of this.#unreported) if (tab.id === tabId) this.#unreported.delete(tab);
    this.#report({ name: nameOf(tabId), data: Buffer.alloc(0) });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unreported.clear();
  }
}

function nameOf(tab: string): string {
  return partName({ area: "told", tab });
}

function newest(texts: readonly string[]): string[] {
  let left = LENGTH_MAX;
  const from = texts.findLastIndex((text) => {
    left -= text.length;
    return left < 0;
  });
  return texts.slice(from + 1);
}
