// Finds when a login ends, by the dates of its cookies (RFC 6265, 4.1.2.1).

/** The parts of a storageState that say when it ends. */
export interface DatedLogin {
  /** `expires`: seconds since the epoch; -1 for none. */
  cookies?: readonly { expires?: number; httpOnly?: boolean }[];
  origins?: readonly unknown[];
}

/** Reads the dates from a file's text. Throws a SyntaxError if it is not JSON. */
export function parseDatedLogin(text: string): DatedLogin {
  const { cookies, origins } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  return { cookies: objectsIn(cookies), origins: objectsIn(origins) };
}

function objectsIn(value: unknown): object[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}

/** Returns the latest end in milliseconds since the epoch; undefined if the cookies do not say. */
export function loginEndMs({ cookies = [], origins = [] }: DatedLogin): number | undefined {
  const guarded = cookies.filter(({ httpOnly }) => httpOnly);
  // Logins are carried by cookies that scripts cannot read. Without such cookies, storage may be the login.
  const telling = guarded.length > 0 || origins.length > 0 ? guarded : cookies;
  const ends = telling.map(({ expires = -1 }) => (expires > 0 ? expires * 1000 : Number.POSITIVE_INFINITY));
  const last = Math.max(...ends);
  return Number.isFinite(last) ? last : undefined;
}

/** Returns why the login has expired; undefined while it may be valid. */
export function expiredByDate(login: DatedLogin, nowMs: number): string | undefined {
  const endMs = loginEndMs(login);
  if (endMs === undefined || endMs > nowMs) return undefined;
  return `its last cookie ended at ${dateOf(endMs)}`;
}

/** Returns the time until a login ends, in words: `in 3 d`. */
export function untilText(endMs: number, nowMs: number): string {
  const minutes = Math.floor((endMs - nowMs) / 60_000);
  if (endMs <= nowMs) return "over";
  if (minutes < 60) return `in ${Math.max(1, minutes)} min`;
  return minutes < 48 * 60 ? `in ${Math.floor(minutes / 60)} h` : `in ${Math.floor(minutes / 1440)} d`;
}

/** A cookie may give any number as its end. */
export function dateOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.valueOf()) ? "a date beyond all calendars" : date.toISOString();
}
