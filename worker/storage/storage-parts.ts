// Divides a session's storage into parts. They go to the daemon one by one, and come back together in another worker.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import { areRelated } from "./load-storage.ts";
import type { Login } from "./role-login.ts";
import type { StoredCookie, StoredOrigin } from "./storage-state.ts";

/**
 * Names the content of a part. Session storage belongs to a tab, as do the delivered lines of its elements. Steps and
 * typed secrets belong to the session, and the rest to the context.
 */
export type PartOf =
  | { area: "told"; tab: string }
  | { area: "steps"; number: number }
  | { area: "secret"; of: string }
  | { area: "cookies" | "login" }
  | { area: "local" | "databases"; origin: string }
  | { area: "session"; tab: string; origin: string };

/** The content of an area of web storage. */
export type Items = StoredOrigin["localStorage"];

/** A text that was typed into a field for secrets. An agent knows its own, so it is kept out of records alone. */
export interface TypedSecret {
  by: "agent" | "person";
  text: string;
}

/** A session's storage, as a dead worker last reported it. */
export interface StoredParts {
  cookies: StoredCookie[];
  /** When the login file that the context was given last had been written, or 0 if it was given none. */
  loginWrittenAtMs: number;
  /** By origin. */
  local: Map<string, Items>;
  databases: Map<string, StoredOrigin["indexedDB"]>;
  /** By tab, then by origin. */
  session: Map<string, Map<string, Items>>;
  /** By tab: the delivered lines of its elements. */
  delivered: Map<string, string[]>;
  /** The recorded steps, by the number of their part. */
  steps: Map<number, object[]>;
  /** The typed secrets, by the name of their part. */
  secrets: Map<string, TypedSecret>;
}

export function partName(of: PartOf): string {
  if (of.area === "steps") return `steps ${of.number}`;
  if (of.area === "secret") return `secret ${of.of}`;
  if (of.area === "told") return `told ${of.tab}`;
  if (of.area === "session") return `session ${of.tab} ${of.origin}`;
  return "origin" in of ? `${of.area} ${of.origin}` : of.area;
}

/** Puts the parts together. Throws if a part's name is unknown. */
export function storedParts(parts: readonly StoragePart[]): StoredParts {
  const stored: StoredParts = {
    cookies: [],
    loginWrittenAtMs: 0,
    local: new Map(),
    databases: new Map(),
    session: new Map(),
    delivered: new Map(),
    steps: new Map(),
    secrets: new Map(),
  };
  for (const { name, data } of parts) {
    const held = JSON.parse(Buffer.from(data).toString("utf8"));
    const [area, one = "", other = ""] = name.split(" ");
    if (area === "cookies") stored.cookies = held;
    else if (area === "login") stored.loginWrittenAtMs = held;
    else if (area === "local") stored.local.set(one, held);
    else if (area === "databases") stored.databases.set(one, held);
    else if (area === "told") stored.delivered.set(one, held);
    else if (area === "steps") stored.steps.set(Number(one), held);
    else if (area === "secret") stored.secrets.set(one, held);
    else if (area === "session") tabOf(stored, one).set(other, held);
    else throw new Error("a part of a storage that is none of ours");
  }
  return stored;
}

/** Returns what persons typed into the session that the parts are of. */
export function personsSecretsIn(parts: readonly StoragePart[]): string[] {
  const secrets = parts.filter(({ name }) => name.startsWith("secret "));
  return [...storedParts(secrets).secrets.values()].flatMap(({ by, text }) => (by === "person" ? text : []));
}

function tabOf({ session }: StoredParts, tab: string): Map<string, Items> {
  const found = session.get(tab) ?? new Map<string, Items>();
  session.set(tab, found);
  return found;
}

/** Returns true if the role's login was replaced after the session got its own. */
export function isReplaced(stored: StoredParts, login: Login | undefined): login is Login {
  return login !== undefined && login.writtenAtMs !== stored.loginWrittenAtMs;
}

/**
 * Returns the context's former cookies. A login that was replaced meanwhile replaces all cookies of its hosts. The
 * session's own login may no longer be valid.
 */
export function cookiesOf(stored: StoredParts, login: Login | undefined): StoredCookie[] {
  if (!isReplaced(stored, login)) return stored.cookies;
  const { cookies } = login.state;
  const hosts = cookies.map(({ domain, url }) => domain ?? new URL(url ?? "").hostname);
  const others = stored.cookies.filter(({ domain = "" }) => !hosts.some((host) => areRelated(domain, host)));
  return [...others, ...cookies];
}

/**
 * Returns the former storage of all origins, in the context and in the tab. A replaced login's storage is laid over it.
 */
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

/** Returns the storage that belongs to one tab. */
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
