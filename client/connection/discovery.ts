// Where the daemon is, from flags, environment, and the note that a running daemon leaves in its state folder.
import { existsSync, readFileSync } from "node:fs";
import {
  type DaemonNote,
  findConfigFile,
  type StateFiles,
  type Surroundings,
  stateFiles,
} from "../../proto/machine/locations.ts";
import { type Address, DEFAULT_ADDRESS, isLoopback, parseAddress, readAddress } from "./address.ts";
import { type Credentials, type CredentialsFlags, credentialsOf } from "./credentials.ts";
import { CommandError, EXIT } from "./exit-code.ts";

/** What the flags that all commands share say. */
export interface CommonFlags extends CredentialsFlags {
  address?: string;
  config?: string;
  stateDir?: string;
}

export interface DaemonAddress {
  configFile: string | undefined;
  files: StateFiles;
  /** The address was named by a flag or the environment: no other daemon is meant. */
  named: boolean;
  access: Credentials;
  /** Where the daemon may be now, the likeliest first. */
  addresses(): Address[];
}

/** Throws a usage error where no address can be used, and a configuration error where the file named is not there. */
export function discoverDaemon(
  flags: CommonFlags,
  { cwd, env }: Pick<Surroundings, "cwd" | "env">,
): DaemonAddress {
  const configFile = findConfigFile({ cwd, env, ...flags });
  if (configFile !== undefined && !existsSync(configFile)) {
    const shown = flags.config ?? env.TROUPE_CONFIG;
    throw new CommandError(EXIT.configuration, `there is no configuration file ${shown}`);
  }
  const files = stateFiles({ cwd, env, ...flags }, configFile);
  const text = flags.address || env.TROUPE_ADDRESS;
  const named = text ? [parseAddress(text, cwd, files)] : undefined;
  // Where none can be used, a person hears of it now, not as the failure of a call.
  if (!named) addressesNow(files, cwd);
  return {
    configFile,
    files,
    named: named !== undefined,
    access: credentialsOf(flags, env, cwd),
    addresses: () => named ?? addressesNow(files, cwd),
  };
}

/** The note of the daemon that runs, or last ran, on a state folder. */
export function readNote(file: string): DaemonNote | undefined {
  try {
    const note: Partial<DaemonNote> | null = JSON.parse(readFileSync(file, "utf8"));
    return note?.addresses?.length ? (note as DaemonNote) : undefined;
  } catch (error) {
    // None is there, or none that could be read: in each case nothing is known.
    if (error instanceof SyntaxError || "syscall" in (error as Error)) return undefined;
    throw error;
  }
}

/** What the note names, as far as it can be used from here, and the socket in the state folder in any case. */
function addressesNow(files: StateFiles, cwd: string): Address[] {
  const noted = readNote(files.note)?.addresses ?? [];
  // The short name, because errors show no path that nobody wrote.
  const texts = noted.map((text) => (text === `unix:${files.socket}` ? DEFAULT_ADDRESS : text));
  const read = [...new Set([...texts, DEFAULT_ADDRESS])].map((text) => readAddress(text, cwd, files));
  // One that others reach too goes by a name that the note does not tell.
  const usable = read.filter(
    (address): address is Address =>
      !("problem" in address) && ("path" in address.socket || isLoopback(address.socket.host)),
  );
  return usable.length > 0 ? usable : [parseAddress(DEFAULT_ADDRESS, cwd, files)];
}
