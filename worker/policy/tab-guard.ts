// Holds the tabs of sessions to their role's rules, in a browser whose other tabs are a person's own.
import type { CDPSession, Protocol } from "puppeteer-core";
import { isListed } from "./origins.ts";
import { admit, NOT_LISTED, type WallRules } from "./wall.ts";

/**
 * Runs first in each document. WebRTC connects past the proxy of a context, and only an argument of Chrome's start
 * prevents that.
 */
const NO_WEBRTC = `for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name];`;

/** Holds requests of one process or of the whole browser back, see `Interception`. */
export interface Holds {
  hold(holder: {
    patterns: readonly Protocol.Fetch.RequestPattern[];
    answer(request: Protocol.Fetch.RequestPausedEvent): { refused: "Aborted" } | undefined;
  }): Promise<unknown>;
}

interface Rules extends Pick<WallRules, "listed" | "daemonPorts"> {
  /** Origins of documents; if empty, any http(s). */
  allow: readonly string[];
}

type Refused = (document: { frameId: string; url: string; reason: string }) => void;

export class TabGuard {
  readonly #rules: Rules;
  readonly #refused: Refused;

  constructor(rules: Rules, refused: Refused) {
    this.#rules = rules;
    this.#refused = refused;
  }

  /**
   * Begins with a process of a tab before its page runs, and sends all at once. `isWalled`: the tab's context has the
   * role's proxy, so only the list of documents is left to check. Held documents cost every request a millisecond.
   */
  async begin(client: CDPSession, interception: Holds, isWalled: boolean): Promise<void> {
    const script = { source: NO_WEBRTC, runImmediately: true };
    await Promise.all([
      client.send("Page.addScriptToEvaluateOnNewDocument", script),
      isWalled && this.#rules.allow.length === 0 ? undefined : this.#hold(interception),
    ]);
  }

  async #hold(interception: Holds): Promise<void> {
    await interception.hold({
      patterns: [{ urlPattern: "*", resourceType: "Document" }],
      answer: ({ frameId, request: { url } }) => {
        const reason = this.#whyNot(url);
        if (reason === undefined) return undefined;
        this.#refused({ frameId, url, reason });
        return { refused: "Aborted" };
      },
    });
  }

  #whyNot(address: string): string | undefined {
    if (!URL.canParse(address)) return NOT_LISTED;
    const url = new URL(address);
    const { allow, listed, daemonPorts } = this.#rules;
    if (allow.length > 0 && !isListed(url, allow)) return NOT_LISTED;
    if (!/^https?:$/.test(url.protocol)) return undefined;
    const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
    // Chrome itself resolves these names so. Other names are resolved only by the proxy.
    const host = /(?:^|\.)localhost\.?$/.test(name) ? "127.0.0.1" : name;
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const admission = admit({ host, port }, { origins: undefined, listed, daemonPorts });
    return admission.admitted ? undefined : admission.reason;
  }
}
