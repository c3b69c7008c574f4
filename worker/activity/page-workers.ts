// Follows the workers of a tab's pages, dedicated or shared. Once a worker answers, it has handled the messages that
// pages had posted.
import type { CDPSession } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";

/** Workers beyond this number count as idle. */
const ASKED_MAX = 16;

interface PageWorker {
  client: CDPSession;
  /** The worker has not answered the last question yet. A worker that was once busy for too long is not waited for. */
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
   * Resolves when each worker has handled the messages posted before, or when the time is up. A worker answers Chrome's
   * question only after its earlier tasks.
   */
  async idle(timeMs: number): Promise<void> {
    const asked = [...this.#workers.values()].filter(({ isBusy }) => !isBusy).slice(0, ASKED_MAX);
    if (asked.length > 0) await within({ timeMs }, Promise.all(asked.map(answered)));
  }
}

async function answered(worker: PageWorker): Promise<void> {
  worker.isBusy = true;
  // A worker that ends or has not begun cannot be asked. It counts as idle, because the page's action has not failed by
  // that.
  await Promise.allSettled([worker.client.send("Runtime.evaluate", { expression: "0" })]);
  worker.isBusy = false;
}
