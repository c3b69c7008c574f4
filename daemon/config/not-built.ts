// Keys that the configuration knows and this version does not act on: said where that is safe, refused where not.
import type { Configuration } from "./definition.ts";
import type { RoleDefinition } from "./role-definition.ts";

/** What is to be said at start, and what is no start. */
export interface NotBuilt {
  warnings: string[];
  refusals: string[];
}

export function notBuilt(configuration: Configuration): NotBuilt {
  const roles = Object.entries(configuration.roles);
  const warnings = [
    configuration.stateKeys && "stateKeys: nothing of logins is written to the state folder",
    configuration.browser.connect && "browser.connect: the role starts a browser of its own",
    ...roles.flatMap(([name, role]) => roleWarnings(role).map((text) => `roles.${name}.${text}`)),
  ];
  const refusals = [
    configuration.tls && "tls: listen at unix:default or on loopback and leave tls out",
    configuration.tokens &&
      "tokens: nobody would be asked for one; listen at unix:default alone and leave tokens out",
  ];
  return {
    warnings: warnings.filter(isText).map((text) => `configured but not built yet: ${text}`),
    refusals: refusals.filter(isText),
  };
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
