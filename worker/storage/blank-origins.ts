// Opens empty documents of any origin, answered by the worker. They give access to an origin's storage without a
// request to its server.
import type { CDPSession } from "puppeteer-core";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { Interception } from "../tab/interception.ts";

/** The worker answers for these pages, so a page that takes longer never comes. */
const ORIGIN_MS_MAX = 5_000;

/** The empty documents to open. */
export interface BlankVisits {
  /** Addresses, one of each origin. */
  at: readonly string[];
  visit(at: number): Promise<void>;
  /** The owner of the tab's requests. Undefined for a tab that has none yet. */
  interception?: Interception | undefined;
  /** If nothing fails, the tab stays at the last address, so that the caller can reload it. */
  staysAtLast?: boolean;
}

/**
 * Opens an empty document at each address in turn, in a tab that shows nothing yet. Afterwards the tab has no history,
 * and is empty unless it is to stay. Resolves to the errors of single origins: Chrome refused to open one, or its visit
 * failed. The other origins go on. Rejects if the tab is gone or hangs.
 */
export async function visitBlank(
  tab: CDPSession,
  { at: addresses, visit, interception = new Interception(tab), staysAtLast = false }: BlankVisits,
): Promise<Error[]> {
  if (addresses.length === 0) return [];
  const errors: Error[] = [];
  const held = await interception.hold({ patterns: [{ urlPattern: "*" }], answer: () => EMPTY_PAGE });
  try {
    // A service worker of the context would otherwise answer instead.
    await tab.send("Network.setBypassServiceWorker", { bypass: true });
    for (const [at, address] of addresses.entries()) {
      try {
        await open(tab, address);
        await visit(at);
      } catch (error) {
        if (isGone(error) || error instanceof FrameTimeout) throw error;
        errors.push(error as Error);
      }
    }
    if (!staysAtLast || errors.length > 0) await open(tab, "about:blank");
    await tab.send("Page.resetNavigationHistory");
    return errors;
  } finally {
    await Promise.all([held.release(), tab.send("Network.setBypassServiceWorker", { bypass: false })]);
  }
}

const EMPTY_PAGE = {
  response: {
    responseCode: 200,
    responseHeaders: [
      { name: "content-type", value: "text/html" },
      { name: "content-security-policy", value: "default-src 'none'" },
      { name: "cache-control", value: "no-store" },
    ],
  },
};

/** Rejects with FrameTimeout if the page never comes. */
async function open(tab: CDPSession, url: string): Promise<void> {
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  const onLoad = () => resolve();
  tab.on("Page.loadEventFired", onLoad);
  const navigated = async () => {
    const { errorText } = await tab.send("Page.navigate", { url });
    if (errorText) throw new Error(`${new URL(url).origin} cannot be given its storage: ${errorText}`);
    await loaded;
  };
  try {
    await withinTime(navigated, ORIGIN_MS_MAX, `${url} did not load in time`);
  } finally {
    tab.off("Page.loadEventFired", onLoad);
  }
}
