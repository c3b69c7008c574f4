// Puts the errors of the database into words.

import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { onceAMinute } from "../core/once-a-minute.ts";
import { StartupError } from "../core/startup-error.ts";
import { type Effect, storeUnavailable } from "../sessions/unavailable.ts";

/** Returns the StartupError for what the database said. */
export function unusable(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(
    "unavailable",
    `The database that \`store\` names cannot be used: ${reasonIn(error)}\nCheck that it runs, and the address, user, password and rights of \`store\` or TROUPE_STORE`,
  );
}

/** Returns what the database or the connection says, on one line, without the address's password. */
export function reasonIn(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  const text = message || code || String(error);
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\/\/[^@/\s]*@/g, "//…@")
    .slice(0, 200);
}

/** Returns a function that logs why the database failed. During an outage each call of each session may log that. */
export function failureLine(
  { clock, log }: { clock: Clock; log: Log },
  level: "warn" | "error",
  text: string,
) {
  return onceAMinute(clock, (error) => log[level]({ reason: reasonIn(error) }, text));
}

/**
 * Resolves with the database's answer to a question. Rejects with STORE_UNAVAILABLE, or with an error that has a type
 * already. `failed`: called with the database's error. `effect`: what an unanswered question may have changed.
 */
export async function databaseAnswer<T>(
  answer: Promise<T>,
  { failed, effect = "none" }: { failed?: (error: unknown) => void; effect?: Effect } = {},
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isTroupeError(error)) throw error;
    failed?.(error);
    throw storeUnavailable("the database does not answer", effect, error);
  }
}

/**
 * Returns the reason in words for clients, who learn neither the database's address nor its user. Codes and classes of
 * SQLSTATE: PostgreSQL's documentation, appendix A.
 */
export function clientReason(error: unknown): string {
  const { code = "" } = error as { code?: string };
  return CLIENT_REASONS[code] ?? CLIENT_REASONS[code.slice(0, 2)] ?? "the database does not answer";
}

const CLIENT_REASONS: Record<string, string> = {
  "25006": "the database is read-only",
  "28": "the database refuses this daemon",
  "40": "the database broke the change off",
  "42": "the database lacks a table or a right that is needed",
  "53100": "the database's disk is full",
  "53300": "the database has too many connections",
  "53": "the database has no room left",
  "55P03": "the database did not get a lock in time",
  "57014": "the database did not finish in time",
};
