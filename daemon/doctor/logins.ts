// Checks that each role's login file exists, is readable, and is still valid by its cookies' dates.
import { readFileSync } from "node:fs";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { type DatedLogin, dateOf, loginEndMs, parseDatedLogin } from "../../proto/text/login-end.ts";
import type { RoleSettings } from "../config/load.ts";

const SOON_MS = 24 * 3_600_000;

export function loginFinding({ name, auth }: Pick<RoleSettings, "name" | "auth">, nowMs: number): Finding {
  const check = `login of ${name}`;
  if (!auth) return well(check, "none is configured");
  const mend = `Log in anew: troupe login ${name}`;
  try {
    const state = parseDatedLogin(readFileSync(auth.file, "utf8"));
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

/** Judges a login by the dates of its cookies. */
export function judged(login: DatedLogin, nowMs: number): { ok: boolean; found: string } {
  const { cookies = [], origins = [] } = login;
  if (cookies.length === 0 && origins.length === 0)
    return { ok: false, found: "holds no login: it is empty" };
  const endMs = loginEndMs(login);
  if (endMs === undefined) return { ok: true, found: "no date at which it ends" };
  const when = dateOf(endMs);
  if (endMs <= nowMs) return { ok: false, found: `has expired: its last cookie ended at ${when}` };
  if (endMs <= nowMs + SOON_MS) return { ok: false, found: `expires soon: at ${when}` };
  return { ok: true, found: `valid until ${when} at most` };
}
