// Reads the daemon's command line.
import { Command, CommanderError } from "commander";
import { DAEMON_OPTIONS } from "../../proto/machine/daemon-options.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { parseDurationMs, ROLE_NAME } from "../config-schema/values.ts";
import { StartupError } from "../core/startup-error.ts";

export interface RoleFlag {
  name: string;
  auth?: string;
  url?: string;
}

export interface Flags {
  config?: string;
  listen: string[];
  http?: string;
  stateDir?: string;
  roles: RoleFlag[];
  example: boolean;
  /** The time in milliseconds after the last session's end at which the daemon ends. */
  idleExitMs?: number;
}

const EXAMPLES = `
Examples:
  troupe daemon                                        the nearest troupe.yaml, else one role without login
  troupe daemon --config team.yaml --listen 127.0.0.1:7420
  troupe daemon --role customer auth/customer.json https://shop.example/ --role visitor
  troupe daemon --state-dir /tmp/troupe --http off     beside another one

Exit codes: 0 ended, 64 wrong usage, 69 the address or state folder is taken, 78 wrong configuration.`;

/** Reads the arguments after the program's name. Returns undefined if they only ask for help or the version. */
export function parseFlags(argv: readonly string[], print: (text: string) => void): Flags | undefined {
  const { roles, rest } = takeRoles(argv);
  const command = program(print);
  try {
    command.parse(rest, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new StartupError("usage", `${error.message.replace(/^error: /, "")}\nSee troupe daemon --help`);
  }
  const {
    idleExit,
    example = false,
    ...options
  } = command.opts<
    Omit<Flags, "roles" | "idleExitMs" | "example"> & { idleExit?: string; example?: boolean }
  >();
  return {
    ...options,
    example,
    roles,
    ...(idleExit !== undefined && { idleExitMs: idleExitMsOf(idleExit) }),
  };
}

function program(print: (text: string) => void): Command {
  const command = new Command("troupe daemon")
    .description("Runs the daemon in the foreground: a supervised browser for each role.")
    .version(VERSION)
    .allowExcessArguments(false)
    .addHelpText("after", EXAMPLES)
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .exitOverride();
  for (const [flags, description, repeatable] of DAEMON_OPTIONS) {
    if (repeatable) command.option(flags, description, collect, []);
    else command.option(flags, description);
  }
  return command;
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** Reads `--role NAME [AUTH_FILE] [URL]`, because commander does not know how many values one role has. */
function takeRoles(argv: readonly string[]): { roles: RoleFlag[]; rest: string[] } {
  const roles: RoleFlag[] = [];
  const rest: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? "";
    if (argument !== "--role" && !argument.startsWith("--role=")) {
      rest.push(argument);
      continue;
    }
    const values = argument.startsWith("--role=") ? [argument.slice("--role=".length)] : [];
    while (values.length < 3 && index + 1 < argv.length && !argv[index + 1]?.startsWith("-")) {
      values.push(argv[++index] ?? "");
    }
    roles.push(roleOf(values));
  }
  return { roles, rest };
}

function roleOf([name = "", ...values]: string[]): RoleFlag {
  if (!ROLE_NAME.test(name)) {
    throw new StartupError(
      "usage",
      `--role wants a name of letters, digits, - and _ (at most 64, a letter or digit first), not ${JSON.stringify(name)}\nSee troupe daemon --help`,
    );
  }
  const url = values.find((value) => /^https?:\/\//.test(value));
  const auth = values.find((value) => value !== url);
  return { name, ...(auth && { auth }), ...(url && { url }) };
}

function idleExitMsOf(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    throw new StartupError(
      "usage",
      `--idle-exit wants a duration such as 30s, 30m or 1h, not ${JSON.stringify(text)}`,
    );
  }
  return ms;
}
