// Finds a role by its name.
import { fail } from "../../proto/errors/catalogue.ts";
import { nearest } from "../../proto/text/nearest.ts";

/** Returns the name if such a role exists. Throws UNKNOWN_ROLE with the nearest name. */
export function roleNamed(name: string, roles: readonly string[]): string {
  if (roles.includes(name)) return name;
  const meant = nearest(name, roles);
  throw fail("UNKNOWN_ROLE", {
    role: name.slice(0, 64),
    roles: [...roles],
    ...(meant && { nearest: meant }),
  });
}
