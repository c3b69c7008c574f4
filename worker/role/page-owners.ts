// Whose a page is that Chrome opens: the session's that asked for it, or whose page opened it.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Chrome } from "../chrome/launch.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Session } from "../session/session.ts";
import { Turns } from "../session/turn.ts";

const NEVER_ABORTED = new AbortController().signal;

/** What owners are told by. */
export interface PageOwnersParts {
  chrome: Chrome;
  failures: FailureLog;
  /** Those that there are, now and later. */
  sessions: ReadonlySet<Session>;
  /** Whether sessions have one context together. */
  areShared: boolean;
}

/** Brings each page to its session. */
export class PageOwners {
  readonly #parts: PageOwnersParts;
  /** Whose tab is being created in the shared context; one at a time, as the event does not say. */
  #creator: Session | undefined;
  readonly #creations = new Turns();

  constructor(parts: PageOwnersParts) {
    this.#parts = parts;
  }

  /** Opens a page in the session's context; its id. */
  async createTarget(session: Session): Promise<string> {
    const create = async () => {
      this.#creator = session;
      try {
        const { targetId } = await this.#parts.chrome.session.send("Target.createTarget", {
          url: "about:blank",
          browserContextId: session.context.id,
        });
        return targetId;
      } finally {
        // Chrome tells of the page before it answers.
        this.#creator = undefined;
      }
    };
    return this.#parts.areShared ? await this.#creations.take(NEVER_ABORTED, create) : await create();
  }

  /** Chrome has opened a page, and holds it until it has been handed over. */
  attached(sessionId: string, target: Protocol.Target.TargetInfo): void {
    const { chrome, failures, sessions } = this.#parts;
    const client = chrome.connection.session(sessionId);
    if (!client) return;
    const inContext = [...sessions].filter(({ context }) => context.id === target.browserContextId);
    const openers = inContext.filter(({ tabs }) => tabs.some(({ targetId }) => targetId === target.openerId));
    // Sessions that share a context: a popup belongs to its opener's, a new tab to who is creating one.
    const owner = inContext.length > 1 ? (openers[0] ?? this.#creator) : inContext[0];
    this.#handOver(client, target, owner, inContext.length > 0).catch(
      (error: Error) => isGone(error) || failures.framesNotDiscovered(error),
    );
  }

  /** A page whose owner cannot be told, as its opener is closed, goes to nobody; Chrome's own go their way. */
  async #handOver(
    client: CDPSession,
    target: Protocol.Target.TargetInfo,
    owner: Session | undefined,
    isOurs: boolean,
  ): Promise<void> {
    const { session } = this.#parts.chrome;
    if (owner) await owner.adopt(client, target);
    else if (isOurs) await session.send("Target.closeTarget", { targetId: target.targetId });
    else await client.send("Runtime.runIfWaitingForDebugger");
  }
}
