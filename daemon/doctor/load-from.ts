// Finds the configuration to check: the one of the daemon that runs on the state folder, unless the person names another.

import { stateFiles } from "../../proto/machine/locations.ts";
import { ownPath } from "../../proto/machine/program.ts";
import { type Flags, parseFlags } from "../config/command-line.ts";
import type { LoadFrom } from "../config/load.ts";
import { readNote } from "../state/state-dir.ts";

/** The flags of the doctor's own command line. */
type DoctorFlags = Pick<Flags, "config" | "stateDir">;

/** Returns where the configuration is loaded from. A daemon that ends in order removes its note. */
export function loadFrom(given: DoctorFlags, { env, cwd }: Pick<LoadFrom, "env" | "cwd">): LoadFrom {
  const named = given.config ?? env.TROUPE_CONFIG;
  const { dir, note } = stateFiles({ cwd, env, ...given });
  const running = named ? undefined : readNote(note)?.started;
  const flags = running && parseFlags(running.arguments, () => undefined);
  if (!running || !flags) return { flags: { ...NO_FLAGS, ...given }, env, cwd };
  return {
    flags: { ...flags, stateDir: dir },
    env,
    cwd: running.cwd,
    ...(flags.example && { fallbackFile: EXAMPLE }),
  };
}

const NO_FLAGS: Flags = { listen: [], roles: [], example: false };
const EXAMPLE = ownPath("deploy/example/troupe.yaml");
