// Checks each role's credentials: their sources, who may read them, and where they are typed.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import type { RoleSettings } from "../config/load.ts";
import { credentialFaults } from "../credentials/credential-faults.ts";
import type { Ground } from "../credentials/read-source.ts";

/** Returns nothing for a role without credentials. */
export function credentialFindings(
  role: Pick<RoleSettings, "name" | "credentials">,
  ground: Ground,
): Finding[] {
  const names = Object.keys(role.credentials ?? {});
  if (names.length === 0) return [];
  const faults = credentialFaults(role, ground);
  if (faults.length === 0) return [well(`credentials of ${role.name}`, names.join(", "))];
  return faults.map(({ name, found, mend }) => unwell(`credential ${name}`, found, mend));
}
