// Finds when a role's login ends. It is asked at each scrape and by each look at the roles, so a file is only read again
// after it has changed.
import { statSync } from "node:fs";
import type { RoleSettings } from "./load.ts";
import { loginFileEndMs } from "./login-file.ts";

type Auth = NonNullable<RoleSettings["auth"]>;

interface Read {
  state: string;
  endMs: number | undefined;
}

const read = new WeakMap<Auth, Read>();

/** Returns the time in milliseconds since 1970. Undefined if the file does not say it, or cannot be read. */
export function loginEndMs(auth: Auth): number | undefined {
  const state = stateOf(auth.file);
  let known = read.get(auth);
  if (known?.state !== state) {
    known = { state, endMs: loginFileEndMs(auth.file) };
    read.set(auth, known);
  }
  return known.endMs;
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
