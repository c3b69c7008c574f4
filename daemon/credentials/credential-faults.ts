// Checks a role's credentials without running a command: sources that cannot be read, or that others may read.
import { statSync } from "node:fs";
import { SECRET_LENGTH_MIN } from "../../proto/text/secret-length.ts";
import { type CredentialSettings, type Ground, readAtOnce, sourceOf } from "./read-source.ts";

/** A fault, and the way to mend it. */
export interface CredentialFault {
  name: string;
  /** For example: `the file secrets/customer is not there`. */
  found: string;
  mend: string;
}

/** Returns the faults of a role's credentials. */
export function credentialFaults(
  {
    name: role,
    credentials = {},
  }: { name: string; credentials?: Readonly<Record<string, CredentialSettings>> },
  ground: Ground,
): CredentialFault[] {
  return Object.entries(credentials).flatMap(([name, settings]) => {
    const faults = [bindingFault(role, name, settings), modeFault(settings), valueFault(settings, ground)];
    return faults.flatMap((fault) => (fault ? { name: `${role}.${name}`, ...fault } : []));
  });
}

type Fault = Omit<CredentialFault, "name"> | undefined;

function bindingFault(role: string, name: string, { origins }: CredentialSettings): Fault {
  if (origins.length > 0) return undefined;
  return {
    found: "it is bound to no origin, so it is never typed",
    mend: `Give roles.${role}.credentials.${name}.origins, or the role's allow or startUrl`,
  };
}

function modeFault(settings: CredentialSettings): Fault {
  const { file } = settings.totp ?? settings;
  const mode = file && statSync(file.path, { throwIfNoEntry: false })?.mode;
  if (!file || mode === undefined || (mode & 0o077) === 0) return undefined;
  return { found: `the file ${file.shown} may be read by other users`, mend: `chmod 600 ${file.shown}` };
}

function valueFault(settings: CredentialSettings, ground: Ground): Fault {
  const read = readAtOnce(settings, ground);
  if (!read) return undefined;
  const mend = "Mend the source that the configuration names, for the user that runs the daemon";
  if ("problem" in read) return { found: `${sourceOf(settings)} ${read.problem}`, mend };
  if (read.value.replace(/\s/g, "").length >= SECRET_LENGTH_MIN) return undefined;
  return {
    found: `${sourceOf(settings)} has fewer than ${SECRET_LENGTH_MIN} characters`,
    mend: "Use a longer secret: a short one would be masked in every other text, so it is never typed",
  };
}
