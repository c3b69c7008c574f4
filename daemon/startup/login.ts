// Runs `troupe login ROLE`: reads the role's configuration, then becomes the worker program that drives the browser.

import { parseArgs } from "node:util";
import { ownPath } from "../../proto/machine/program.ts";
import { nearest } from "../../proto/text/nearest.ts";
import type { Flags, RoleFlag } from "../config/command-line.ts";
import { loadConfig, type RoleSettings } from "../config/load.ts";
import { StartupError } from "../core/startup-error.ts";
import { workerConfig } from "../worker-process/worker-config.ts";

const PROGRAM = ownPath("worker/login/main.ts");

try {
  becomeLogin(process.argv.slice(2), process.env);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`troupe: ${error.message}\n`);
  process.exitCode = error.exitCode;
}

/** Replaces this process by the worker's program. */
function becomeLogin(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { config: { type: "string" }, script: { type: "string" } },
    allowPositionals: true,
  });
  const { config, script } = values;
  const [name = "", auth, url] = positionals;
  const roles = auth === undefined ? [] : [{ name, auth, ...(url !== undefined && { url }) }];
  const role = workerConfig(roleNamed(name, config, roles, env), 0);
  if (!process.execve) throw new StartupError("unavailable", "logging in works on Linux and macOS only");
  const argv = [process.execPath, PROGRAM, JSON.stringify(role), ...(script === undefined ? [] : [script])];
  process.execve(process.execPath, argv, env);
}

/** `roles` are the roles that the command line defines. */
function roleNamed(
  name: string,
  config: string | undefined,
  roles: RoleFlag[],
  env: NodeJS.ProcessEnv,
): RoleSettings {
  const flags: Flags = { ...(config !== undefined && { config }), listen: [], roles, example: false };
  // The login does not use the daemon's addresses.
  const { TROUPE_ADDRESS: _address, TROUPE_HTTP: _http, ...rest } = env;
  const read = loadConfig({ flags, env: rest, cwd: process.cwd() });
  const role = read.roles.find((each) => each.name === name);
  if (!role) throw new StartupError("usage", unknownRole(name, read));
  if (!role.auth)
    throw new StartupError(
      "configuration",
      `role ${name} has no auth, the file for its login: name one in the configuration, such as auth: auth/${name}.json, or here: troupe login ${name} auth/${name}.json`,
    );
  return role;
}

function unknownRole(
  name: string,
  { file, roles }: Pick<ReturnType<typeof loadConfig>, "file" | "roles">,
): string {
  if (!file)
    return `there is no troupe.yaml here or in a parent folder to say what role ${name} is: --config names one`;
  const names = roles.map((each) => each.name);
  const meant = nearest(name, names);
  return `there is no role ${name}; ${meant ? `did you mean ${meant}? ` : ""}the configuration has ${names.join(", ")}`;
}
