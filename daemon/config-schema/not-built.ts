// Finds keys that the schema has but this version ignores.
import type { Configuration } from "./definition.ts";
import type { RoleDefinition } from "./role-definition.ts";

/** Returns the warnings for the daemon's start. */
export function notBuilt(configuration: Configuration): string[] {
  const roles = Object.entries(configuration.roles);
  const warnings = [
    configuration.browser.connect && "browser.connect: the role starts a browser of its own",
    ...roles.flatMap(([name, role]) => roleWarnings(role).map((text) => `roles.${name}.${text}`)),
  ];
  return warnings.filter(isText).map((text) => `configured but not built yet: ${text}`);
}

function roleWarnings(role: RoleDefinition): string[] {
  return [
    role.evaluate && "evaluate: there is no such tool yet",
    role.debugger && "debugger: there is no such profile yet",
    role.saveAuth && "saveAuth: there is no such tool yet",
    role.credentials && "credentials: {{…}} is typed as it is",
    role.browser.connect && "browser.connect: the role starts a browser of its own",
  ].filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
