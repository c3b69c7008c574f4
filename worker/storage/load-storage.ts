// Puts a login into a browser context, without any request over the network.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Refusal } from "../bridge/storage/api.ts";
import type { Interception } from "../tab/interception.ts";
import { visitBlank } from "./blank-origins.ts";
import type { StorageState, StoredCookie, StoredOrigin } from "./storage-state.ts";
import { askStorage } from "./storage-world.ts";

/** A part that is not in place by then is refused, such as a database that another page holds. */
const FILL_MS_MAX = 10_000;

/** Puts the cookies into a browser context. `browser`: the browser target's session. */
export async function loadCookies(
  browser: CDPSession,
  browserContextId: string,
  { cookies }: StorageState,
): Promise<void> {
  if (cookies.length === 0) return;
  await browser.send("Storage.setCookies", { browserContextId, cookies: cookies.map(toChrome) });
}

/** Replaces all cookies of a login's hosts with those of a newer login. `tab`: any of the context. */
export async function replaceCookies(
  browser: CDPSession,
  tab: CDPSession,
  browserContextId: string,
  state: StorageState,
): Promise<void> {
  const hosts = state.cookies.map(({ domain, url }) => domain ?? new URL(url ?? "").hostname);
  const { cookies } = await browser.send("Storage.getCookies", { browserContextId });
  const stale = cookies.filter(({ domain }) => hosts.some((host) => areRelated(domain, host)));
  await Promise.all(
    stale.map(({ name, domain, path, partitionKey }) =>
      tab.send("Network.deleteCookies", { name, domain, path, ...(partitionKey && { partitionKey }) }),
    ),
  );
  await loadCookies(browser, browserContextId, state);
}

/** Returns true if one host is the other, or a subdomain of it. */
export function areRelated(a: string, b: string): boolean {
  const [one, other] = [a, b].map((domain) => `.${domain.replace(/^\./, "").toLowerCase()}`) as [
    string,
    string,
  ];
  return one.endsWith(other) || other.endsWith(one);
}

function toChrome({
  expires,
  partitionKey,
  _crHasCrossSiteAncestor: hasCrossSiteAncestor = false,
  ...cookie
}: StoredCookie): Protocol.Network.CookieParam {
  return {
    ...cookie,
    ...(expires > 0 && { expires }),
    ...(partitionKey && { partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor } }),
  };
}

/** Storage, and the tab through which it is loaded. */
export interface WebStorageLoad {
  /** A tab that shows nothing yet. */
  tab: CDPSession;
  /** The owner of the tab's requests. Undefined for a tab that has none yet. */
  interception?: Interception;
  origins: readonly StoredOrigin[];
  /** The storage script. */
  script: string;
  /** The address that the tab is opened for. */
  url?: string;
}

/**
 * Fills localStorage, sessionStorage and IndexedDB of all origins. It leaves the tab empty and resolves to false. If
 * the address's own origin is among them, the tab keeps an empty document there, to be reloaded. It then resolves to
 * true. Rejects if an origin refuses a part, after all others are filled.
 */
export async function loadWebStorage({
  tab,
  interception,
  origins,
  script,
  url = "",
}: WebStorageLoad): Promise<boolean> {
  const filled = origins.filter(
    ({ localStorage, sessionStorage, indexedDB }) =>
      localStorage.length + sessionStorage.length + indexedDB.length > 0,
  );
  const own = filled.find(({ origin }) => isAt(url, origin));
  const inOrder = own ? [...filled.filter((each) => each !== own), own] : filled;
  const [refused] = await visitBlank(tab, {
    interception,
    at: inOrder.map((each) => (each === own ? url : `${new URL(each.origin).origin}/`)),
    visit: (at) => fill(tab, inOrder[at] as StoredOrigin, script),
    staysAtLast: own !== undefined,
  });
  if (refused) throw refused;
  return own !== undefined;
}

/**
 * Returns true for pages that a server sends. A blob: has the origin of the page that made it, and is gone with that
 * page.
 */
function isAt(url: string, origin: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === new URL(origin).origin;
}

async function fill(tab: CDPSession, { origin, ...storage }: StoredOrigin, script: string): Promise<void> {
  const args = [JSON.stringify(storage), FILL_MS_MAX];
  const refusals = (await askStorage(tab, {
    script,
    method: "fill",
    args,
    timeMs: FILL_MS_MAX,
  })) as Refusal[];
  const [first] = refusals;
  if (first) throw new Error(`${origin} refused its storage: ${first.kind} (${first.area})`);
}
