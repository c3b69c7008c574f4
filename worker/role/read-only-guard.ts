// Keeps the pages of origins that may only be looked at from changing anything, whatever a script of theirs sends.
import type { CDPSession } from "puppeteer-core";
import { isUnsafe } from "../approvals/approval-rules.ts";
import { isListed } from "../policy/origins.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Answer, HeldRequest, Interception } from "../tab/interception.ts";
import type { Tab } from "../tab/tab.ts";
import type { RequestOwners } from "./request-owners.ts";

const REASON = "its origin may only be looked at";

/** Gets each refused request of a tab. `isMain`: it is for the tab's own document. */
type Refused = (tab: Tab, request: { url: string; isMain: boolean; reason: string }) => void;

export class ReadOnlyGuard {
  readonly #origins: readonly string[];
  readonly #refused: Refused;

  /** `origins`: as the configuration writes them. */
  constructor(origins: readonly string[], refused: Refused) {
    this.#origins = origins;
    this.#refused = refused;
  }

  /** Resolves when requests are held. A method is no pattern of Chrome's, so all of them are. */
  async begin(interception: Interception, owners: RequestOwners): Promise<void> {
    if (this.#origins.length === 0) return;
    await interception.hold({
      patterns: [{ urlPattern: "*" }],
      answer: (request) => (isUnsafe(request.request.method) ? this.#answer(request, owners) : undefined),
    });
  }

  /** Chrome holds no messages of sockets, so documents of these origins open none. */
  async follow(client: CDPSession): Promise<void> {
    if (this.#origins.length === 0) return;
    const source = `(${WITHOUT_SOCKETS})(${JSON.stringify(this.#origins)})`;
    await client.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true });
  }

  async #answer(
    { frameId, resourceType, request }: HeldRequest,
    owners: RequestOwners,
  ): Promise<Answer | undefined> {
    const at = owners.tabOf(frameId);
    const known = at ? urlsOf(at.frame) : [(await owners.ownerOf(frameId))?.address ?? ""];
    const asks = Object.entries(request.headers)
      .filter(([name]) => /^(?:origin|referer)$/i.test(name))
      .map(([, value]) => String(value));
    if (![request.url, ...known, ...asks].some((url) => this.#covers(url))) return undefined;
    const isDocument = resourceType === "Document";
    const isMain = isDocument && at?.tab.targetId === frameId;
    if (at) this.#refused(at.tab, { url: request.url, isMain, reason: REASON });
    return { refused: isDocument ? "Aborted" : "AccessDenied" };
  }

  #covers(url: string): boolean {
    return URL.canParse(url) && isListed(new URL(url), this.#origins);
  }
}

/** A document without an address of its own has its parent's origin. */
function urlsOf(frame: Frame | undefined): string[] {
  return frame ? [frame.url, ...urlsOf(frame.parent)] : [];
}

/** Runs first in each document, before any script of the page. */
const WITHOUT_SOCKETS = `(listed) => {
  const own = location.origin === "null" ? (parent === self ? "" : document.referrer) : location.origin;
  if (!URL.canParse(own)) return;
  const { protocol, host } = new URL(own);
  const covers = (text) => {
    const below = text.includes("://*.");
    if (!URL.canParse(text.replace("://*.", "://"))) return false;
    const { protocol: scheme, host: place } = new URL(text.replace("://*.", "://"));
    return scheme === protocol && (host === place || (below && host.endsWith("." + place)));
  };
  if (!listed.some(covers)) return;
  for (const name of ["WebSocket", "WebSocketStream", "WebTransport"]) delete globalThis[name];
}`;
