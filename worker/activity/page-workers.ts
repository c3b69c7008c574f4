// The workers of a tab's pages, or those that they share: what a page posted to one has been dealt with once the worker answers.
import type { CDPSession } from "puppeteer-core";

/** Beyond so many, the others are taken to be at rest. */
const ASKED_MAX = 16;

interface PageWorker {
  client: CDPSession;
  /** It has not come to the last question yet. Nobody waits for a worker that was once busy for too long. */
  isBusy: boolean;
}

export class PageWorkers {
  readonly #workers = new Map<CDPSession, PageWorker>();

  get size(): number {
    return this.#workers.size;
  }

  add(client: CDPSession): void {
    this.#workers.set(client, { client, isBusy: false });
  }

  remove(client: CDPSession): void {
    this.#workers.delete(client);
  }

  /**
   * Resolves when each worker has dealt with what was posted to it before, or at the end of the time. A worker comes to a
   * question of Chrome's only after its earlier tasks.
   */
  async idle(timeMs: number): Promise<void> {
    const asked = [...this.#workers.values()].filter(({ isBusy }) => !isBusy).slice(0, ASKED_MAX);
    if (asked.length === 0) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeMs);
    try {
      await Promise.race([Promise.all(asked.map(answered)), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function answered(worker: PageWorker): Promise<void> {
  worker.isBusy = true;
  // A worker that cannot be asked, as it ends or has not begun, is at rest: the page's action has not failed by that.
  await Promise.allSettled([worker.client.send("Runtime.evaluate", { expression: "0" })]);
  worker.isBusy = false;
}
