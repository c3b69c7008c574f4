// The tabs that a worker died with, until they are open again.
import type { SessionRecord } from "../../proto/gen/troupe.ts";

type LostTab = SessionRecord["tabs"][number];

/** What is left to be opened again, in order. */
export class LostTabs {
  #left: readonly LostTab[];
  #idNext: string | undefined;

  constructor(left: readonly LostTab[]) {
    this.#left = left;
  }

  get left(): readonly LostTab[] {
    return this.#left;
  }

  /** The tab that was the current one. */
  get currentId(): string | undefined {
    return this.#left.find(({ current }) => current)?.id;
  }

  /** The id that the tab which is being opened again had. */
  get idNext(): string | undefined {
    return this.#idNext;
  }

  /** Opens one after the other; what could not be opened is left. `open`: with the address, "" for an empty page. */
  async reopen(open: (url: string) => Promise<unknown>): Promise<void> {
    for (let [next] = this.#left; next; [next] = this.#left) {
      this.#idNext = next.id;
      try {
        await open(next.url === "about:blank" ? "" : next.url);
      } finally {
        this.#idNext = undefined;
      }
      this.#left = this.#left.slice(1);
    }
  }
}
