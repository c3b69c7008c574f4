// Roles whose login's file is not there.
import { existsSync } from "node:fs";
import type { RoleSettings } from "./load.ts";

/** A warning for each, as things are now. */
export function missingLogins(roles: readonly Pick<RoleSettings, "name" | "auth">[]): string[] {
  return roles.flatMap(({ name, auth }) =>
    auth && !existsSync(auth.file)
      ? [`role ${name}: its login ${auth.shown} is not there; troupe login ${name} makes one`]
      : [],
  );
}
