// Reads the names of the configuration's roles for a shell that completes them.
import { readFileSync, statSync } from "node:fs";
import { parse } from "yaml";
import { findConfigFile, type Surroundings } from "../../../proto/machine/locations.ts";

/** The configuration's own bound. */
const BYTES_MAX = 2 ** 20;
/** Only a name of this form is a role. Any other text may mean something to the shell. */
const ROLE_NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/** Returns no names if there is no readable configuration: a shell in the middle of a line shows no errors. */
export function roleNames(surroundings: Pick<Surroundings, "cwd" | "env">): string[] {
  const file = findConfigFile(surroundings);
  try {
    if (file === undefined) return [];
    const stats = statSync(file);
    // A link to a device has no size and no end.
    if (!stats.isFile() || stats.size > BYTES_MAX) return [];
    const { roles } = parse(readFileSync(file, "utf8")) as { roles?: object };
    return Object.keys(roles ?? {}).filter((name) => ROLE_NAME.test(name));
  } catch {
    return [];
  }
}
