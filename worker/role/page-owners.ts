// Decides which session owns a page that Chrome opens: the one that asked for it, or its opener's.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Chrome } from "../chrome/chrome.ts";
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
  #creating: { session: Session; targetId: Promise<string | undefined> } | undefined;
  readonly #creations = new Turns();

  constructor(parts: PageOwnersParts) {
    this.#parts = parts;
  }

  /** Opens a page in the session's context and returns its id. */
  async createTarget(session: Session): Promise<string> {
    const create = async () => {
      const created = this.#create(session);
      // The caller gets the failure itself.
      this.#creating = { session, targetId: created.catch(() => undefined) };
      try {
        return await created;
      } finally {
        // Chrome reports the page before it answers, so the creator is no longer needed.
        this.#creating = undefined;
      }
    };
    return this.#parts.areShared ? await this.#creations.take(NEVER_ABORTED, create) : await create();
  }

  async #create({ context }: Session): Promise<string> {
    const { session, endpoint } = this.#parts.chrome;
    const { targetId } = await session.send("Target.createTarget", {
      url: "about:blank",
      browserContextId: context.id,
      // The tab that a person looks at stays in front.
      ...(endpoint !== undefined && { background: true }),
    });
    return targetId;
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
    const isPersonal = chrome.personalContext === target.browserContextId;
    const handedOver = isPersonal
      ? this.#handOverPersonal(client, target, openers[0])
      : this.#handOver(client, target, openers[0], inContext);
    handedOver.catch((error: Error) => isGone(error) || failures.framesNotDiscovered(error));
  }

  /**
   * If sessions share a context, a popup belongs to its opener's session. A new tab belongs to the session that is
   * creating one. A page without a known owner is closed, such as one whose opener is closed. Chrome's own pages just run.
   */
  async #handOver(
    client: CDPSession,
    target: Protocol.Target.TargetInfo,
    opener: Session | undefined,
    inContext: readonly Session[],
  ): Promise<void> {
    const { session } = this.#parts.chrome;
    const owner = inContext.length > 1 ? (opener ?? this.#creating?.session) : inContext[0];
    if (owner) await owner.opener.adopt(client, target);
    else if (inContext.length > 0) await session.send("Target.closeTarget", { targetId: target.targetId });
    else await this.#letGo(client);
  }

  /** A page in the person's own context is a session's only if the session, or a page of it, has opened it. */
  async #handOverPersonal(
    client: CDPSession,
    target: Protocol.Target.TargetInfo,
    opener: Session | undefined,
  ): Promise<void> {
    const creating = this.#creating;
    const isCreated = opener === undefined && (await creating?.targetId) === target.targetId;
    const owner = opener ?? (isCreated ? creating?.session : undefined);
    if (owner) await owner.opener.adopt(client, target);
    else await this.#letGo(client);
  }

  /** Another page just runs. In an attached browser, the worker keeps no session with it. */
  async #letGo(client: CDPSession): Promise<void> {
    const { session, endpoint } = this.#parts.chrome;
    await client.send("Runtime.runIfWaitingForDebugger");
    if (endpoint !== undefined) await session.send("Target.detachFromTarget", { sessionId: client.id() });
  }
}
