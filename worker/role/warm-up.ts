// Decides when to prepare a warm session: while the role has nothing else to do, one at a time.

/** No call must be under way for this long. The time doubles after each preparation in vain. */
const QUIET_MS = { least: 250, most: 4_000 };

/** The thing that is prepared. */
export interface Prepared<T> {
  readonly isReady: boolean;
  open(): Promise<void>;
  /** Resolves when it is no longer usable. */
  whenLost(): Promise<void>;
  take(key: string): T;
  close(): Promise<void>;
}

/** The parts that a warm-up is made with. */
export interface WarmUpParts<T> {
  begin(): Prepared<T>;
  /** Called when one can be taken. */
  ready(): void;
  /** Called with the error that prevented one. */
  failed(error: Error): void;
}

/** Keeps one prepared until {@link WarmUp.close}. */
export class WarmUp<T> {
  readonly #parts: WarmUpParts<T>;
  #prepared: Prepared<T> | undefined;
  /** Settles when the present one is open, or could not be opened. */
  #opening: Promise<unknown> | undefined;
  /** The number of those that were given up and have not ended yet. */
  #ending = 0;
  /** The next one begins when those have ended. */
  #isDue = false;
  #calls = 0;
  #quietMs = QUIET_MS.least;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: WarmUpParts<T>) {
    this.#parts = parts;
    this.#soon();
  }

  /** Notes a call that is under way until the signal aborts. A half-prepared session is given up for it. */
  callBegan(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#calls++;
    clearTimeout(this.#timer);
    if (this.#prepared && !this.#prepared.isReady) this.#inVain();
    const over = () => {
      this.#calls--;
      this.#soon();
    };
    signal.addEventListener("abort", over, { once: true });
  }

  /** Returns what is prepared and gives it that key, or undefined if nothing is ready. */
  take(key: string): T | undefined {
    const prepared = this.#prepared;
    if (!prepared?.isReady) return undefined;
    this.#prepared = undefined;
    this.#quietMs = QUIET_MS.least;
    return prepared.take(key);
  }

  /** Replaces what is prepared, because it is out of date. */
  renew(): void {
    this.#giveUp();
    this.#soon();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #soon(): void {
    if (this.#calls > 0 || this.#prepared || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#isDue = this.#ending > 0;
    if (this.#isDue) return;
    this.#timer = setTimeout(() => void this.#prepare(), this.#quietMs);
    this.#timer.unref();
  }

  async #prepare(): Promise<void> {
    const prepared = this.#parts.begin();
    this.#prepared = prepared;
    try {
      const opening = prepared.open();
      this.#opening = opening;
      await opening;
      if (this.#prepared === prepared) this.#parts.ready();
      await prepared.whenLost();
      // A session that is lost may be lost again, so the next preparation waits for the next call.
    } catch (error) {
      if (this.#prepared === prepared) this.#parts.failed(error as Error);
    }
    if (this.#prepared === prepared) this.#inVain();
  }

  #inVain(): void {
    this.#quietMs = Math.min(this.#quietMs * 2, QUIET_MS.most);
    this.#giveUp();
  }

  #giveUp(): void {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    if (prepared) void this.#end(prepared, this.#opening);
  }

  /** A session that is given up half open goes on opening for a while. */
  async #end(prepared: Prepared<T>, opening: Promise<unknown> | undefined): Promise<void> {
    this.#ending++;
    try {
      await prepared.close();
    } catch (error) {
      this.#parts.failed(error as Error);
    }
    await Promise.allSettled([opening]);
    this.#ending--;
    if (this.#isDue) this.#soon();
  }
}
