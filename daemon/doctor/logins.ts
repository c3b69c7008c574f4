// Whether each role's login is there, readable, and still valid by its cookies' dates.
import { readFileSync } from "node:fs";
import { type Finding, unwell, well } from "../../proto/finding.ts";
import type { RoleSettings } from "../config/load.ts";

const SOON_MS = 24 * 3_600_000;

interface LoginFile {
  cookies?: { expires?: number; httpOnly?: boolean }[];
  origins?: unknown[];
}

export function loginFinding({ name, auth }: Pick<RoleSettings, "name" | "auth">, nowMs: number): Finding {
  const check = `login of ${name}`;
  if (!auth) return well(check, "none is configured");
  const mend = `Log in anew: troupe login ${name}`;
  try {
    const state = JSON.parse(readFileSync(auth.file, "utf8")) as LoginFile;
    const { ok, found } = judged(state, nowMs);
    return ok ? well(check, `${auth.shown}, ${found}`) : unwell(check, `${auth.shown} ${found}`, mend);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      error instanceof SyntaxError
        ? "holds no JSON"
        : code === "ENOENT"
          ? "is missing"
          : `cannot be read (${code})`;
    return unwell(check, `${auth.shown} ${why}`, mend);
  }
}

/** What the dates of its cookies say: those that scripts cannot read carry logins, where there are any. */
export function judged(
  { cookies = [], origins = [] }: LoginFile,
  nowMs: number,
): { ok: boolean; found: string } {
  const guarded = cookies.filter(({ httpOnly }) => httpOnly);
  const telling = guarded.length > 0 ? guarded : cookies;
  const ends = telling.flatMap(({ expires = -1 }) => (expires > 0 ? [expires * 1000] : []));
  if (telling.length === 0 && origins.length === 0)
    return { ok: false, found: "holds no login: it is empty" };
  // One without a date, and what storage holds, may be the login.
  const last = Math.max(...ends);
  if (ends.length === 0 || ends.length < telling.length)
    return { ok: true, found: "no date at which it ends" };
  const when = new Date(last).toISOString();
  if (last <= nowMs) return { ok: false, found: `has expired: its last cookie ended at ${when}` };
  if (last <= nowMs + SOON_MS) return { ok: false, found: `expires soon: at ${when}` };
  return { ok: true, found: `valid until ${when} at most` };
}
