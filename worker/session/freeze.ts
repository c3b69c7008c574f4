// A session at rest: its pages stand still from a while after its last call until its next.
import { freeze, isBusy, wake } from "../tab/freeze.ts";
import type { Tab } from "../tab/tab.ts";

/** Whose rest it is. */
export interface FreezerParts {
  /** It was put to rest altogether, and no reply has told so yet. */
  isUntold: boolean;
  /** How long nobody must have used the session; 0: its pages never stand still. */
  afterMs: number;
  tabs(): readonly Tab[];
  /** What is to be done while the pages still answer. */
  beforehand(): Promise<unknown>;
}

/** Stops and wakes a session's pages. Ended by {@link Freezer.close}. */
export class Freezer {
  readonly #parts: FreezerParts;
  /** As it begins with; for whoever tells of it. */
  isUntold: boolean;
  #uses = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Pages are stopped and woken one after the other. */
  #changing: Promise<unknown> = Promise.resolve();
  #isStill = false;
  #isClosed = false;

  constructor(parts: FreezerParts) {
    this.#parts = parts;
    this.isUntold = parts.isUntold;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Somebody uses the session until the signal aborts. Resolves when its pages run. */
  async use(signal: AbortSignal): Promise<void> {
    if (this.#parts.afterMs === 0 || signal.aborted) return;
    this.#uses++;
    clearTimeout(this.#timer);
    const over = () => {
      this.#uses--;
      this.#soon();
    };
    signal.addEventListener("abort", over, { once: true });
    if (this.#isStill) await this.#change(wake, this.#parts.tabs());
  }

  /** A page that stood still when it crashed is opened again, running: it has its turn once more. */
  async crashed(tab: Tab): Promise<void> {
    if (!tab.isFrozen) return;
    await this.#change(wake, [tab]);
    this.#soon();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #soon(): void {
    clearTimeout(this.#timer);
    if (this.#uses > 0 || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#begin(), this.#parts.afterMs);
    this.#timer.unref();
  }

  async #begin(): Promise<void> {
    await this.#parts.beforehand();
    if (this.#uses > 0 || this.#isClosed) return;
    const running = this.#parts.tabs().filter(({ isFrozen }) => !isFrozen);
    const quiet = running.filter((tab) => !isBusy(tab));
    this.#isStill = true;
    await this.#change(freeze, quiet);
    // A page that was on its way, or asked something, has its turn later.
    if (quiet.length < running.length) this.#soon();
  }

  async #change(how: (tab: Tab) => Promise<void>, tabs: readonly Tab[]): Promise<void> {
    this.#changing = this.#changing.then(() => Promise.all(tabs.map(how)));
    await this.#changing;
  }
}
