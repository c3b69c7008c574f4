// Follows the shared workers of a role's contexts. They belong to no page: Chrome reports them only to the browser's
// own session.
import { type CDPSession, CDPSessionEvent, type Protocol } from "puppeteer-core";
import { PageWorkers } from "../activity/page-workers.ts";
import type { Chrome } from "../chrome/chrome.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";

export class SharedWorkers {
  readonly #chrome: Chrome;
  readonly #failures: FailureLog;
  readonly #byContext = new Map<string, PageWorkers>();

  constructor(chrome: Chrome, failures: FailureLog) {
    this.#chrome = chrome;
    this.#failures = failures;
    chrome.session.on(CDPSessionEvent.SessionDetached, (client) => this.#ended(client));
  }

  /** Returns the shared workers that the pages of a context may have posted a message to. */
  in(contextId: string): PageWorkers | undefined {
    return this.#byContext.get(contextId);
  }

  /** Handles a shared worker that Chrome has started. */
  appeared(target: Protocol.Target.TargetInfo): void {
    this.#add(target).catch((error: Error) => isGone(error) || this.#failures.framesNotDiscovered(error));
  }

  async #add({ targetId, browserContextId = "" }: Protocol.Target.TargetInfo): Promise<void> {
    const { session, connection } = this.#chrome;
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: true });
    const client = connection.session(sessionId);
    if (!client) return;
    const workers = this.#byContext.get(browserContextId) ?? new PageWorkers();
    this.#byContext.set(browserContextId, workers);
    workers.add(client);
  }

  #ended(client: CDPSession): void {
    for (const [contextId, workers] of this.#byContext) {
      workers.remove(client);
      if (workers.size === 0) this.#byContext.delete(contextId);
    }
  }
}
