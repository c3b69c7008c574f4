// Finds the daemon by flags, environment, and the note that a running daemon leaves in its state folder.
import { existsSync, readFileSync } from "node:fs";
import { isLoopback } from "../../proto/machine/address.ts";
import {
  type DaemonNote,
  findConfigFile,
  type StateFiles,
  type Surroundings,
  stateFiles,
} from "../../proto/machine/locations.ts";
import { type Address, DEFAULT_ADDRESS, parseAddress, readAddress } from "./address.ts";
import { type Credentials, type CredentialsFlags, credentialsOf } from "./credentials.ts";
import { CommandError, EXIT } from "./exit-code.ts";

/** The flags that all commands share. */
export interface CommonFlags extends CredentialsFlags {
  address?: string;
  config?: string;
  stateDir?: string;
}

export interface DaemonAddress {
  configFile: string | undefined;
  files: StateFiles;
  /** A flag or the environment named the address, so no other daemon is meant. */
  named: boolean;
  access: Credentials;
  /** Addresses where the daemon may be now, likeliest first. */
  addresses(): Address[];
}

/** Throws a usage error if no address can be used, and a configuration error if the named file does not exist. */
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
  // If no address can be used, the person gets a usage error now, not the failure of a later call.
  if (!named) addressesNow(files, cwd);
  return {
    configFile,
    files,
    named: named !== undefined,
    access: credentialsOf(flags, env, cwd),
    addresses: () => named ?? addressesNow(files, cwd),
  };
}

/** Reads the note of the daemon that runs, or last ran, on a state folder. */
export function readNote(file: string): DaemonNote | undefined {
  try {
    const note: Partial<DaemonNote> | null = JSON.parse(readFileSync(file, "utf8"));
    return note?.addresses?.length ? (note as DaemonNote) : undefined;
  } catch (error) {
    // The note is missing or unreadable. Either way nothing is known.
    if (error instanceof SyntaxError || "syscall" in (error as Error)) return undefined;
    throw error;
  }
}

/** The note's addresses that can be used from here, and always the socket in the state folder. */
function addressesNow(files: StateFiles, cwd: string): Address[] {
  const noted = readNote(files.note)?.addresses ?? [];
  // The short name stands for it, because errors show no path that the user did not write.
  const texts = noted.map((text) => (text === `unix:${files.socket}` ? DEFAULT_ADDRESS : text));
  const read = [...new Set([...texts, DEFAULT_ADDRESS])].map((text) => readAddress(text, cwd, files));
  // An address that other machines reach is known by a name that the note does not have.
  const usable = read.filter(
    (address): address is Address =>
      !("problem" in address) && ("path" in address.socket || isLoopback(address.socket.host)),
  );
  return usable.length > 0 ? usable : [parseAddress(DEFAULT_ADDRESS, cwd, files)];
}
