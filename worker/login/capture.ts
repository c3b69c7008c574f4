// What a browser holds of a login: the cookies, and the storage of every origin that its pages came from.
import type { Browser, CDPSession, Frame, HTTPRequest, Page, Protocol, Target } from "puppeteer-core";
import { z } from "zod";
import { withinTime } from "../tab/frame-time.ts";

/** Whoever opens more is not logging in any more. */
const ORIGINS_MAX = 100;
/** A page that hangs, or asks something. */
const READ_MS_MAX = 5_000;

const items = z.array(z.object({ name: z.string(), value: z.string() }));
const held = z.object({ localStorage: items, sessionStorage: items });
type Held = z.infer<typeof held>;

/** A login as it is written down: Playwright's storageState. */
export interface CapturedLogin {
  cookies: object[];
  origins: ({ origin: string } & Held)[];
}

export interface Captured {
  login: CapturedLogin;
  /** The origins whose storage could not be read. */
  unread: string[];
}

/** Notes every origin that pages and frames of the browser come from, from now on. */
export function watchOrigins(browser: Browser): ReadonlySet<string> {
  const origins = new Set<string>();
  const note = (url: string) => {
    if (/^https?:/.test(url) && origins.size < ORIGINS_MAX) origins.add(new URL(url).origin);
  };
  const noteFrame = (frame: Frame) => note(frame.url());
  const watch = (page: Page | null) => {
    for (const frame of page?.frames() ?? []) noteFrame(frame);
    page?.on("framenavigated", noteFrame);
  };
  const created = (target: Target) => {
    if (target.type() !== "page") return;
    note(target.url());
    // Of a page that is closed at once, its address is all that is known.
    target.page().then(watch, () => undefined);
  };
  browser.on("targetcreated", created);
  browser.on("targetchanged", (target) => target.type() === "page" && note(target.url()));
  for (const target of browser.targets()) created(target);
  return origins;
}

/**
 * Reads cookies and storage. `browser`: with the pages still open, as sessionStorage goes with them, and their own is
 * all of it that is read; `visited`: the origins to ask besides.
 */
export async function captureLogin(
  browser: Browser,
  session: CDPSession,
  visited: Iterable<string>,
): Promise<Captured> {
  const { cookies } = await session.send("Storage.getCookies");
  const read: Read = { storage: new Map(), unread: new Set() };
  for (const page of await browser.pages()) {
    if (/^https?:/.test(page.url())) await readAt(new URL(page.url()).origin, read, () => storageOf(page));
  }
  const others = [...visited, ...read.unread].filter((origin) => !read.storage.has(origin));
  if (others.length > 0) await readEach(new Set(others), read, browser);
  const origins = [...read.storage].map(([origin, held]) => ({ origin, ...held })).filter(holdsAnything);
  return { login: { cookies: cookies.map(cookieOf), origins }, unread: [...read.unread] };
}

interface Read {
  storage: Map<string, Held>;
  unread: Set<string>;
}

async function readAt(origin: string, { storage, unread }: Read, work: () => Promise<Held>): Promise<void> {
  try {
    storage.set(origin, await withinTime(work, READ_MS_MAX));
    unread.delete(origin);
  } catch {
    // It is told with the others, and the rest of the login is worth saving.
    unread.add(origin);
  }
}

async function readEach(origins: Iterable<string>, read: Read, browser: Browser): Promise<void> {
  const reader = await openReader(browser);
  try {
    for (const origin of origins) {
      await readAt(origin, read, async () => {
        await reader.goto(`${origin}/`, { waitUntil: "domcontentloaded", timeout: READ_MS_MAX });
        return await storageOf(reader);
      });
    }
  } finally {
    await reader.close();
  }
}

function holdsAnything({ localStorage, sessionStorage }: Held): boolean {
  return localStorage.length + sessionStorage.length > 0;
}

/** A page in which each origin is an empty document: nothing goes over the network, and no script of the site runs. */
async function openReader(browser: Browser): Promise<Page> {
  const reader = await browser.newPage();
  await reader.setBypassServiceWorker(true);
  await reader.setRequestInterception(true);
  const headers = { "content-security-policy": "default-src 'none'" };
  reader.on("request", (request: HTTPRequest) => {
    // A request that was given up meanwhile needs no answer.
    request.respond({ status: 200, contentType: "text/html", headers, body: "" }).catch(() => undefined);
  });
  return reader;
}

/** In a world of its own: pages can replace what is asked here. */
async function storageOf(page: Page): Promise<Held> {
  const session = await page.createCDPSession();
  try {
    const { frameTree } = await session.send("Page.getFrameTree");
    const { executionContextId } = await session.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
    });
    const { result } = await session.send("Runtime.evaluate", {
      contextId: executionContextId,
      expression: READ,
      returnByValue: true,
    });
    return held.parse(result.value);
  } finally {
    await session.detach();
  }
}

const READ = `(() => {
  const read = (area) => Object.entries(area).map(([name, value]) => ({ name, value }));
  return { localStorage: read(localStorage), sessionStorage: read(sessionStorage) };
})()`;

function cookieOf(cookie: Protocol.Network.Cookie): object {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  return {
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    sameSite: sameSite ?? "Lax",
    ...(partitionKey && { partitionKey: partitionKey.topLevelSite }),
  };
}
