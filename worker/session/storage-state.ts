// A login as a file: Playwright's storageState. Read and checked whole, then put into a context without any request.
import { open as openFile } from "node:fs/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { z } from "zod";
import { FrameTimeout, withinTime } from "../tab/frame-time.ts";
import { isGone } from "../tab/gone.ts";

/** Its pages are answered here: one that takes longer never comes. */
const ORIGIN_MS_MAX = 5_000;

const item = z.object({ name: z.string(), value: z.string() });
const cookie = z
  .object({
    name: z.string(),
    value: z.string(),
    domain: z.string().min(1).optional(),
    url: z.url({ protocol: /^https?$/ }).optional(),
    path: z.string().default("/"),
    /** Seconds since the epoch; -1 for a session's cookie. */
    expires: z.number().default(-1),
    httpOnly: z.boolean().default(false),
    secure: z.boolean().default(false),
    sameSite: z.enum(["Strict", "Lax", "None"]).optional(),
    partitionKey: z.string().optional(),
  })
  .refine(({ domain, url }) => domain || url, { error: "a cookie needs a domain or a url" });
const schema = z.object({
  cookies: z.array(cookie).default([]),
  origins: z
    .array(
      z.object({
        origin: z.url({ protocol: /^https?$/, error: "an origin is such as https://example.com" }),
        localStorage: z.array(item).default([]),
        sessionStorage: z.array(item).default([]),
      }),
    )
    .default([]),
});

export type StorageState = z.infer<typeof schema>;

/** A login's file as it was read. */
export interface StoredLogin {
  state: StorageState;
  /** When it was last written. */
  writtenAtMs: number;
}

/** Reads the file. Rejects with an Error that says what is wrong with it, and never what is in it. */
export async function readStorageState(file: string, shown: string): Promise<StoredLogin> {
  try {
    await using handle = await openFile(file);
    const { mtimeMs } = await handle.stat();
    const text = await handle.readFile("utf8");
    return { state: parseStorageState(text, shown), writtenAtMs: mtimeMs };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `Failed to load auth from ${shown}: ${READ_PROBLEMS[code] ?? "it cannot be read"} (${code})`,
      { cause: error },
    );
  }
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: "file not found",
  EACCES: "the daemon's user may not read it",
  EISDIR: "it is a folder",
};

/** Checks a file's text. Throws an Error that says what is wrong with it, and never what is in it. */
export function parseStorageState(text: string, shown: string): StorageState {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Its message would quote the file.
    throw new Error(`Failed to load auth from ${shown}: it is not JSON`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `Failed to load auth from ${shown}: no storageState: ${issue?.path.join(".") || "the whole"}: ${issue?.message}`,
  );
}

/** Puts the cookies into a browser context. `browser`: the browser target's session. */
export async function loadCookies(
  browser: CDPSession,
  browserContextId: string,
  { cookies }: StorageState,
): Promise<void> {
  if (cookies.length === 0) return;
  await browser.send("Storage.setCookies", { browserContextId, cookies: cookies.map(toChrome) });
}

/** Puts a newer login's cookies in the place of all that its hosts have set. `tab`: any of the context. */
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

/** One host is the other, or below it. */
function areRelated(a: string, b: string): boolean {
  const [one, other] = [a, b].map((domain) => `.${domain.replace(/^\./, "").toLowerCase()}`) as [
    string,
    string,
  ];
  return one.endsWith(other) || other.endsWith(one);
}

function toChrome({
  expires,
  partitionKey,
  ...cookie
}: StorageState["cookies"][number]): Protocol.Network.CookieParam {
  return {
    ...cookie,
    ...(expires > 0 && { expires }),
    ...(partitionKey && { partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor: false } }),
  };
}

/**
 * Fills localStorage and sessionStorage of all origins, in a tab that shows nothing yet. Each origin is opened as an
 * empty page that is answered here: nothing goes over the network.
 */
export async function loadWebStorage(tab: CDPSession, { origins }: StorageState): Promise<void> {
  const filled = origins.filter(
    ({ localStorage, sessionStorage }) => localStorage.length + sessionStorage.length > 0,
  );
  if (filled.length === 0) return;
  const refused: Error[] = [];
  const answer = ({ requestId }: Protocol.Fetch.RequestPausedEvent) => {
    // A request that its page has given up meanwhile needs no answer.
    tab.send("Fetch.fulfillRequest", { requestId, ...EMPTY_PAGE }).catch(() => undefined);
  };
  tab.on("Fetch.requestPaused", answer);
  try {
    await tab.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
    for (const each of filled) {
      try {
        await open(tab, `${new URL(each.origin).origin}/`);
        await fill(tab, each);
      } catch (error) {
        if (isGone(error) || error instanceof FrameTimeout) throw error;
        // The other origins get theirs all the same.
        refused.push(error as Error);
      }
    }
    await open(tab, "about:blank");
    await tab.send("Page.resetNavigationHistory");
  } finally {
    tab.off("Fetch.requestPaused", answer);
    await tab.send("Fetch.disable");
  }
  if (refused[0]) throw refused[0];
}

const EMPTY_PAGE = {
  responseCode: 200,
  responseHeaders: [
    { name: "content-type", value: "text/html" },
    { name: "content-security-policy", value: "default-src 'none'" },
    { name: "cache-control", value: "no-store" },
  ],
};

/** Rejects with FrameTimeout where the page never comes. */
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

async function fill(
  tab: CDPSession,
  { origin, localStorage, sessionStorage }: StorageState["origins"][number],
): Promise<void> {
  const { exceptionDetails } = await tab.send("Runtime.evaluate", {
    expression: `for (const { name, value } of ${JSON.stringify(localStorage)}) localStorage.setItem(name, value);
      for (const { name, value } of ${JSON.stringify(sessionStorage)}) sessionStorage.setItem(name, value);`,
  });
  // Only the kind of the exception: its words would quote the file.
  if (exceptionDetails)
    throw new Error(
      `${origin} refused its storage: ${exceptionDetails.exception?.className ?? "an exception"}`,
    );
}
