// Reads when a login file ends, by its cookies' dates.
import { readFileSync, statSync } from "node:fs";
import { type DatedLogin, loginEndMs, parseDatedLogin } from "../../proto/text/login-end.ts";

/** A larger file is left to the role's worker, which reports an expired login itself. */
const READ_BYTES_MAX = 2 ** 20;
/** The last moment that a timestamp can name. */
const DATE_MS_MAX = Date.UTC(9999, 11, 31);

/** Returns the dates of the file; undefined if it cannot be read. The role's start reports that. */
export function datedLogin(file: string): DatedLogin | undefined {
  try {
    const { size } = statSync(file);
    return size > READ_BYTES_MAX ? undefined : parseDatedLogin(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Returns the latest end; undefined if the file does not say. */
export function loginFileEndMs(file: string): number | undefined {
  const login = datedLogin(file);
  const endMs = login && loginEndMs(login);
  return endMs !== undefined && endMs <= DATE_MS_MAX ? endMs : undefined;
}
