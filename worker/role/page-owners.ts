// Decides which session owns a page that Chrome opens: the one that asked for it, or its opener's.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Chrome } from "../chrome/launch.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Session } from "../session/session.ts";
import { Turns } from "../session/turn.ts";

const NEVER_ABORTED = new AbortController().signal;

/** The parts that decide about owners. */
export interface PageOwnersParts {
  chrome: Chrome;
  failures: FailureLog;
  /** The open sessions. The set changes over time. */
  sessions: ReadonlySet<Session>;
  /** Is true if all sessions share one context. */
  areShared: boolean;
}

/** Hands each page to its session. */
export class PageOwners {
  readonly #parts: PageOwnersParts;
  /**
   * The session whose tab is being created in the shared context. Tabs are created one at a time, because Chrome's
   * event does not name the session.
   */
  #creator: Session | undefined;
  readonly #creations = new Turns();

  constructor(parts: PageOwnersParts) {
    this.#parts = parts;
  }

  /** Opens a page in the session's context and returns its id. */
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
        // Chrome reports the page before it answers, so the creator is no longer needed.
        this.#creator = undefined;
      }
    };
    return this.#parts.areShared ? await this.#creations.take(NEVER_ABORTED, create) : await create();
  }

  /** Handles a page that Chrome has opened, and holds until it has been handed over. */
  attached(sessionId: string, target: Protocol.Target.TargetInfo): void {
    const { chrome, failures, sessions } = this.#parts;
    const client = chrome.connection.session(sessionId);
    if (!client) return;
    const inContext = [...sessions].filter(({ context }) => context.id === target.browserContextId);
    const openers = inContext.filter(({ tabs }) =>
      tabs.open.some(({ targetId }) => targetId === target.openerId),
    );
    // If sessions share a context, a popup belongs to its opener's session. A new tab belongs to the session that is
    // creating one.
    const owner = inContext.length > 1 ? (openers[0] ?? this.#creator) : inContext[0];
    this.#handOver(client, target, owner, inContext.length > 0).catch(
      (error: Error) => isGone(error) || failures.framesNotDiscovered(error),
    );
  }

  /** Closes a page without a known owner, such as one whose opener is closed. Chrome's own pages just run. */
  async #handOver(
    client: CDPSession,
    target: Protocol.Target.TargetInfo,
    owner: Session | undefined,
    isOurs: boolean,
  ): Promise<void> {
    const { session } = this.#parts.chrome;
    if (owner) await owner.opener.adopt(client, target);
    else if (isOurs) await session.send("Target.closeTarget", { targetId: target.targetId });
    else await client.send("Runtime.runIfWaitingForDebugger");
  }
}
