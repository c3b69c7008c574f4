// The role that a name means.
import { fail } from "../../proto/errors/catalogue.ts";
import { nearest } from "../../proto/text/nearest.ts";

/** The name, where there is such a role. Throws UNKNOWN_ROLE with the one that was probably meant. */
export function roleNamed(name: string, roles: readonly string[]): string {
  if (roles.includes(name)) return name;
  const meant = nearest(name, roles);
  throw fail("UNKNOWN_ROLE", {
    role: name.slice(0, 64),
    roles: [...roles],
    ...(meant && { nearest: meant }),
  });
}
