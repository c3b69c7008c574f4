// Finds the session and the tab of a request that Chrome holds back for the whole browser.
import type { CDPSession } from "puppeteer-core";
import type { Session } from "../session/session.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Tab } from "../tab/tab.ts";

/** The session that a request belongs to, and its tab if that is known. */
export interface RequestOwner {
  session: Session;
  tab: Tab | undefined;
  /** The address of a page's worker, or of a page that is just being opened. */
  address?: string;
}

export class RequestOwners {
  readonly #browser: CDPSession;
  readonly #sessions: () => readonly Session[];

  /** `browser`: the browser's own session. `sessions`: returns those of now. */
  constructor(browser: CDPSession, sessions: () => readonly Session[]) {
    this.#browser = browser;
    this.#sessions = sessions;
  }

  /** Returns the tab of a frame. `frame`: undefined before its first document. */
  tabOf(frameId: string): { session: Session; tab: Tab; frame: Frame | undefined } | undefined {
    for (const session of this.#sessions())
      for (const tab of session.tabs.open) {
        const frame = [tab.frames.main, ...tab.frames.children].find((each) => each?.id === frameId);
        if (frame || tab.targetId === frameId) return { session, tab, frame };
      }
    return undefined;
  }

  /** A page's worker, or a page that is just being opened, is known to Chrome alone. */
  async ownerOf(targetId: string): Promise<RequestOwner | undefined> {
    const found = await this.#browser.send("Target.getTargetInfo", { targetId }).catch(() => undefined);
    if (!found) return undefined;
    const { browserContextId, openerId, url: address } = found.targetInfo;
    const inContext = this.#sessions().filter(
      ({ context, key }) => context.id === browserContextId && key !== "",
    );
    const openedBy = inContext.find(({ tabs }) => tabs.open.some((tab) => tab.targetId === openerId));
    const session = openedBy ?? inContext[0];
    return session && { session, tab: undefined, address };
  }
}
