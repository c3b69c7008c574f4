// Takes a login out of a browser context, as it can be put into another one: bounded, and without any request.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { LeftOut, ReadStorage } from "../bridge/storage/api.ts";
import { visitBlank } from "./blank-origins.ts";
import type { StorageState, StoredCookie, StoredOrigin } from "./storage-state.ts";
import { askStorage } from "./storage-world.ts";

/** Characters of JSON. A file of this many can always be read again. */
const CONTEXT_CHARS_MAX = 20_000_000;
const ORIGIN_CHARS_MAX = 8_000_000;
const DATABASE_CHARS_MAX = 4_000_000;
const ORIGIN_MS_MAX = 5_000;

/** How much may be taken, and how long it may take. */
export interface CaptureBounds {
  originChars?: number;
  databaseChars?: number;
  timeMs?: number;
}

/** What an origin's storage holds, and what it holds beyond that. */
export interface CapturedOrigin {
  origin: StoredOrigin;
  leftOut: LeftOut[];
}

/** What is to be read. */
export interface CaptureFrom extends CaptureBounds {
  /** The storage program, as it was bundled. */
  script: string;
  /** Undefined for the session's main frame. A frame of another site than its page has a storage that is no login's. */
  frameId?: string;
}

/**
 * Reads localStorage, sessionStorage and IndexedDB of a page's origin. Undefined where the page has none that a login
 * could hold, such as `about:blank`. Rejects with FrameTimeout where the page hangs.
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

/** A whole context, and what of it could not be taken. */
export interface CapturedContext {
  state: StorageState;
  leftOut: (LeftOut & { origin: string })[];
  /** Origins that could not be opened, and why. */
  errors: Error[];
}

/** The context to take a login from. */
export interface CaptureContext extends CaptureBounds {
  /** The browser target's session. */
  browser: CDPSession;
  /** Undefined for the one that the browser began with. */
  contextId?: string;
  /** A tab of the context that shows nothing: the origins are opened in it, and it is left empty. */
  tab: CDPSession;
  origins: readonly string[];
  /** Sessions of open pages: these origins are read there, as sessionStorage is a tab's own. */
  pages?: readonly CDPSession[];
  script: string;
}

/** Reads cookies, and the storage of the origins given and of those that pages show. */
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
  for (const page of pages) await take(page).catch((error: Error) => errors.push(error));
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

function holdsAnything({ localStorage, sessionStorage, indexedDB }: StoredOrigin): boolean {
  return localStorage.length + sessionStorage.length + indexedDB.length > 0;
}
