// Freezes a session's pages a while after its last call, and resumes them for the next one.
import type { Tab } from "../tab/tab.ts";

/** The session's side of freezing. */
export interface FreezerParts {
  /** The session was hibernated, and no reply has said so yet. */
  isUnreported: boolean;
  /** The pages are frozen after this many milliseconds without a call; 0 means never. */
  afterMs: number;
  tabs(): readonly Tab[];
  /** Work to do while the pages still answer. */
  beforehand(): Promise<unknown>;
}

/** Freezes and resumes a session's pages. Ended by {@link Freezer.close}. */
export class Freezer {
  readonly #parts: FreezerParts;
  #isUnreported: boolean;
  #uses = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Pages are frozen and resumed one change after the other. */
  #changing: Promise<unknown> = Promise.resolve();
  #isStill = false;
  #isClosed = false;

  constructor(parts: FreezerParts) {
    this.#parts = parts;
    this.#isUnreported = parts.isUnreported;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns true, once, if the session was hibernated and no reply has said so yet. */
  takeUnreported(): boolean {
    const isUnreported = this.#isUnreported;
    this.#isUnreported = false;
    return isUnreported;
  }

  /** Notes a use of the session until the signal aborts. Resolves when its pages run. */
  async use(signal: AbortSignal): Promise<void> {
    if (this.#parts.afterMs === 0 || signal.aborted) return;
    this.#uses++;
    clearTimeout(this.#timer);
    const over = () => {
      this.#uses--;
      this.#soon();
    };
    signal.addEventListener("abort", over, { once: true });
    if (this.#isStill) await this.#change("wake", this.#parts.tabs());
  }

  /** Handles the crash of a frozen page: it is opened again running, and is frozen again later. */
  async crashed(tab: Tab): Promise<void> {
    if (!tab.lifecycle.isFrozen) return;
    await this.#change("wake", [tab]);
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
    const running = this.#parts.tabs().filter(({ lifecycle }) => !lifecycle.isFrozen);
    // Freezing a page now could leave its dialog, its pause or its navigation half done.
    const quiet = running.filter(({ halt, activity }) => !halt && !activity.navigating);
    this.#isStill = true;
    await this.#change("freeze", quiet);
    if (quiet.length < running.length) this.#soon();
  }

  async #change(how: "freeze" | "wake", tabs: readonly Tab[]): Promise<void> {
    this.#changing = this.#changing.then(() => Promise.all(tabs.map(({ lifecycle }) => lifecycle[how]())));
    await this.#changing;
  }
}
