// Finds when logins end. A scrape reads only files that have changed since the one before.
import { statSync } from "node:fs";
import type { RoleSettings } from "../config/load.ts";
import { loginFileEndMs } from "../config/login-file.ts";

type Auth = NonNullable<RoleSettings["auth"]>;

/** Returns a function for the end of a role's login; undefined if its file does not say, or cannot be read. */
export function loginEnds(): (auth: Auth) => number | undefined {
  const known = new WeakMap<Auth, { state: string; endMs: number | undefined }>();
  return (auth) => {
    const state = stateOf(auth.file);
    const before = known.get(auth);
    if (before?.state === state) return before.endMs;
    const endMs = loginFileEndMs(auth.file);
    known.set(auth, { state, endMs });
    return endMs;
  };
}

/** Returns a text that changes with the file. The role's start reports a file that cannot be read. */
function stateOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return [mtimeMs, size, ino].join();
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
