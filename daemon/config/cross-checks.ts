// Finds keys that contradict each other, which a check of single keys cannot find.
import { nearest } from "../../proto/text/nearest.ts";
import { tokenProblems } from "../admission/listener-checks.ts";
import type { Configuration } from "../config-schema/definition.ts";
import type { Path } from "../config-schema/schema-walk.ts";
import { attachedProblems } from "./attached-roles.ts";

/** Returns the contradictions, each at its key. */
export function crossProblems(configuration: Configuration): { path: Path; text: string }[] {
  const roles = Object.keys(configuration.roles);
  const { tokens = [], oidc } = configuration;
  const unknownRoles = [
    ...unknownRolesIn(["tokens"], tokens, roles),
    ...unknownRolesIn(["oidc", "grants"], oidc?.grants ?? [], roles),
  ];
  const withoutLogin = Object.entries(configuration.roles)
    .filter(([, role]) => role.authRequired && !role.auth)
    .map(([name]) => ({
      path: ["roles", name, "authRequired"],
      text: "is true, but the role has no auth; allowed: true beside auth, the login's file",
    }));
  const requestsAlone = Object.entries(configuration.roles)
    .filter(([, role]) => role.allowRequests && !role.allow?.length)
    .map(([name]) => ({
      path: ["roles", name, "allowRequests"],
      text: "is given, but no allow: pages of any origin could be opened all the same; give allow too, the origins of documents",
    }));
  const longerThanCap = configuration.restart.backoff > configuration.restart.cap;
  return [
    ...unknownRoles,
    ...tokenProblems(configuration.tokens),
    ...withoutLogin,
    ...requestsAlone,
    ...attachedProblems(configuration),
    ...(longerThanCap ? [{ path: ["restart", "backoff"], text: "is longer than restart.cap" }] : []),
  ];
}

/** Finds roles of tokens or grants that are not configured. */
function unknownRolesIn(path: Path, holders: readonly { roles?: string[] | undefined }[], roles: string[]) {
  return holders.flatMap(({ roles: named = [] }, index) =>
    named
      .filter((role) => !roles.includes(role))
      .map((role) => ({
        path: [...path, index, "roles"],
        text: `names the role ${role}; the roles are ${roles.join(", ")}${near(role, roles)}`,
      })),
  );
}

function near(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found ? `. Did you mean ${found}?` : "";
}
