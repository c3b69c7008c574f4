// Copies a login out of a browser context in a form that another context can load. It is bounded and sends no request.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { LeftOut, ReadStorage } from "../bridge/storage/api.ts";
import { visitBlank } from "./blank-origins.ts";
import type { StorageState, StoredCookie, StoredOrigin } from "./storage-state.ts";
import { askStorage } from "./storage-world.ts";

/** Bounds in characters of JSON. A file of this many can always be read again. */
const CONTEXT_CHARS_MAX = 20_000_000;
const ORIGIN_CHARS_MAX = 8_000_000;
const DATABASE_CHARS_MAX = 4_000_000;
const ORIGIN_MS_MAX = 5_000;

/** How much may be copied, and how long it may take. */
export interface CaptureBounds {
  originChars?: number;
  databaseChars?: number;
  timeMs?: number;
}

/** An origin's stored data, and the parts that were left out. */
export interface CapturedOrigin {
  origin: StoredOrigin;
  leftOut: LeftOut[];
}

/** The storage to read. */
export interface CaptureFrom extends CaptureBounds {
  /** The storage script, as it was bundled. */
  script: string;
  /**
   * Undefined for the session's main frame. A frame of another site than its page has its own storage, which belongs to
   * no login.
   */
  frameId?: string;
}

/**
 * Reads localStorage, sessionStorage and IndexedDB of a page's origin. Returns undefined if the page has no storage for
 * a login, such as `about:blank`. Rejects with FrameTimeout if the page hangs.
 */
export async function captureOrigin(
  page: CDPSession,
  {
    script,
    frameId,
    originChars = ORIGIN_CHARS_MAX,
    databaseChars = DATABASE_CHARS_MAX,
    timeMs = ORIGIN_MS_MAX,
  }: CaptureFrom,
): Promise<CapturedOrigin | undefined> {
  const args = [JSON.stringify({ originChars, databaseChars, timeMs })];
  const read = await askStorage(page, { script, method: "read", args, timeMs, frameId });
  const { leftOut, ...origin } = read as ReadStorage;
  return /^https?:/.test(origin.origin) ? { origin, leftOut } : undefined;
}

/** A whole context, and the parts that could not be copied. */
export interface CapturedContext {
  state: StorageState;
  leftOut: (LeftOut & { origin: string })[];
  /** Origins that could not be opened, and why. */
  errors: Error[];
}

/** The context to copy a login from. */
export interface CaptureContext extends CaptureBounds {
  /** The browser target's session. */
  browser: CDPSession;
  /** Undefined for the browser's default context. */
  contextId?: string;
  /** A tab of the context that shows nothing. The origins are opened in it, and it is left empty. */
  tab: CDPSession;
  origins: readonly string[];
  /** CDP sessions of open pages. Their origins are read there, because sessionStorage belongs to a tab. */
  pages?: readonly CDPSession[];
  script: string;
}

/** Reads the cookies, and the storage of the given origins and of the pages' origins. */
export async function captureContext({
  browser,
  contextId,
  tab,
  origins,
  pages = [],
  ...bounds
}: CaptureContext): Promise<CapturedContext> {
  const taken = new Map<string, CapturedOrigin>();
  const { originChars = ORIGIN_CHARS_MAX } = bounds;
  let left = CONTEXT_CHARS_MAX;
  const take = async (page: CDPSession) => {
    const captured = await captureOrigin(page, { ...bounds, originChars: Math.min(originChars, left) });
    if (!captured || taken.has(captured.origin.origin)) return;
    left -= JSON.stringify(captured.origin).length;
    taken.set(captured.origin.origin, captured);
  };
  const errors: Error[] = [];
  for (const page of pages)
    await take(page).catch((error: Error) => {
      // A closed page has no sessionStorage any more, and its origin is read with the others.
      if (!page.detached) errors.push(error);
    });
  const others = new Set(origins.map((each) => new URL(each).origin).filter((each) => !taken.has(each)));
  const at = [...others].map((origin) => `${origin}/`);
  errors.push(...(await visitBlank(tab, { at, visit: () => take(tab) })));
  const { cookies } = await browser.send("Storage.getCookies", { browserContextId: contextId });
  const all = [...taken.values()];
  return {
    state: {
      cookies: cookies.map(toStored),
      origins: all.map(({ origin }) => origin).filter((each) => holdsAnything(each)),
    },
    leftOut: all.flatMap(({ origin: { origin }, leftOut }) => leftOut.map((each) => ({ ...each, origin }))),
    errors,
  };
}

export function toStored({
  name,
  value,
  domain,
  path,
  expires,
  httpOnly,
  secure,
  sameSite,
  partitionKey,
}: Protocol.Network.Cookie): StoredCookie {
  return {
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    ...(sameSite && { sameSite }),
    ...(partitionKey && {
      partitionKey: partitionKey.topLevelSite,
      _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor,
    }),
  };
}

export function holdsAnything({ localStorage, sessionStorage, indexedDB }: StoredOrigin): boolean {
  return localStorage.length + sessionStorage.length + indexedDB.length > 0;
}
