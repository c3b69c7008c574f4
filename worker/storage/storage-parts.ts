// A session's storage in parts, as it is told to the daemon piece by piece and comes back whole in another worker.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import { areRelated } from "./load-storage.ts";
import type { Login } from "./role-login.ts";
import type { StoredCookie, StoredOrigin } from "./storage-state.ts";

/**
 * What a part is of. Session storage is a tab's own, and so is what replies have said of its elements; the rest is the
 * context's.
 */
export type PartOf =
  | { area: "told"; tab: string }
  | { area: "cookies" | "login" }
  | { area: "local" | "databases"; origin: string }
  | { area: "session"; tab: string; origin: string };

/** What an area of web storage holds. */
export type Items = StoredOrigin["localStorage"];

/** A session's storage as a worker that died told it last. */
export interface StoredParts {
  cookies: StoredCookie[];
  /** When the file of the login that the context was given last had been written; 0 where it was given none. */
  loginWrittenAtMs: number;
  /** By origin. */
  local: Map<string, Items>;
  databases: Map<string, StoredOrigin["indexedDB"]>;
  /** By tab, then by origin. */
  session: Map<string, Map<string, Items>>;
  /** By tab: what replies have said of its elements. */
  told: Map<string, string[]>;
}

export function partName(of: PartOf): string {
  if (of.area === "told") return `told ${of.tab}`;
  if (of.area === "session") return `session ${of.tab} ${of.origin}`;
  return "origin" in of ? `${of.area} ${of.origin}` : of.area;
}

/** Puts the parts together. Throws where one is none of ours. */
export function storedParts(parts: readonly StoragePart[]): StoredParts {
  const stored: StoredParts = {
    cookies: [],
    loginWrittenAtMs: 0,
    local: new Map(),
    databases: new Map(),
    session: new Map(),
    told: new Map(),
  };
  for (const { name, data } of parts) {
    const held = JSON.parse(Buffer.from(data).toString("utf8"));
    const [area, one = "", other = ""] = name.split(" ");
    if (area === "cookies") stored.cookies = held;
    else if (area === "login") stored.loginWrittenAtMs = held;
    else if (area === "local") stored.local.set(one, held);
    else if (area === "databases") stored.databases.set(one, held);
    else if (area === "told") stored.told.set(one, held);
    else if (area === "session") tabOf(stored, one).set(other, held);
    else throw new Error("a part of a storage that is none of ours");
  }
  return stored;
}

function tabOf({ session }: StoredParts, tab: string): Map<string, Items> {
  const found = session.get(tab) ?? new Map<string, Items>();
  session.set(tab, found);
  return found;
}

/** Whether the role has another login than the one that the session was given last: somebody has replaced it since. */
export function isReplaced(stored: StoredParts, login: Login | undefined): login is Login {
  return login !== undefined && login.writtenAtMs !== stored.loginWrittenAtMs;
}

/**
 * The context's cookies as they were. A login that was replaced meanwhile comes in the place of all that its hosts have
 * set: the one that the session had may be good for nothing any more.
 */
export function cookiesOf(stored: StoredParts, login: Login | undefined): StoredCookie[] {
  if (!isReplaced(stored, login)) return stored.cookies;
  const { cookies } = login.state;
  const hosts = cookies.map(({ domain, url }) => domain ?? new URL(url ?? "").hostname);
  const others = stored.cookies.filter(({ domain = "" }) => !hosts.some((host) => areRelated(domain, host)));
  return [...others, ...cookies];
}

/** The storage of all origins as it was, in the context and in the tab; a replaced login's is laid over it. */
export function originsOf(stored: StoredParts, tab: string, login: Login | undefined): StoredOrigin[] {
  const session = stored.session.get(tab) ?? new Map<string, Items>();
  const over = new Map(
    isReplaced(stored, login) ? login.state.origins.map((each) => [each.origin, each]) : [],
  );
  const names = new Set([
    ...stored.local.keys(),
    ...stored.databases.keys(),
    ...session.keys(),
    ...over.keys(),
  ]);
  return [...names].map((origin) => {
    const fresh = over.get(origin);
    return {
      origin,
      localStorage: laidOver(stored.local.get(origin), fresh?.localStorage),
      sessionStorage: laidOver(session.get(origin), fresh?.sessionStorage),
      indexedDB: laidOver(stored.databases.get(origin), fresh?.indexedDB),
    };
  });
}

/** What a tab alone has. */
export function ofTab(session: StoredParts["session"], tab: string): StoredOrigin[] {
  return [...(session.get(tab) ?? [])].map(([origin, sessionStorage]) => ({
    origin,
    localStorage: [],
    sessionStorage,
    indexedDB: [],
  }));
}

function laidOver<T extends { name: string }>(below: T[] = [], over: T[] = []): T[] {
  const names = new Set(over.map(({ name }) => name));
  return [...below.filter(({ name }) => !names.has(name)), ...over];
}
