// The command line: its commands, their help and their exit codes.
import { Command, CommanderError } from "commander";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import { linesSpelledOut, spelledOutJson } from "../../proto/text/quote.ts";
import { CallError, reportOf } from "../connection/call-error.ts";
import { CommandError, EXIT, type ExitCode, exitCodeOf, isNoDaemon } from "../connection/exit-code.ts";
import { approve } from "./commands/approve.ts";
import { call } from "./commands/call.ts";
import { daemon, runDaemon } from "./commands/daemon.ts";
import { doctor } from "./commands/doctor.ts";
import { drain } from "./commands/drain.ts";
import { exportTest } from "./commands/export.ts";
import { failures } from "./commands/failures.ts";
import { init } from "./commands/init.ts";
import { login } from "./commands/login.ts";
import { mcp } from "./commands/mcp.ts";
import { record } from "./commands/record.ts";
import { reload } from "./commands/reload.ts";
import { restart } from "./commands/restart.ts";
import { roles } from "./commands/roles.ts";
import { sessions } from "./commands/sessions.ts";
import { status } from "./commands/status.ts";
import { takeover } from "./commands/takeover.ts";
import { tools } from "./commands/tools.ts";
import { version } from "./commands/version.ts";
import { watch } from "./commands/watch.ts";
import { completionOf } from "./completion/completion.ts";
import { replayFile } from "./recording/replay-command.ts";
import { type CommandDefinition, type Invocation, nameAndWords, type World } from "./terminal/command.ts";
import { optionsOf } from "./terminal/common-options.ts";
import { roleFlags } from "./terminal/role-flags.ts";

const COMMANDS: readonly CommandDefinition[] = [
  daemon,
  mcp,
  status,
  roles,
  sessions,
  failures,
  tools,
  call,
  watch,
  record,
  replayFile,
  exportTest,
  takeover,
  approve,
  restart,
  reload,
  drain,
  init,
  login,
  doctor,
  completionOf(() => COMMANDS),
  version,
];

const EXIT_CODES =
  "Exit codes: 0 done, 1 the call failed, 64 wrong usage, 69 no daemon or role answers, 74 the daemon was lost\nduring a call that may have taken effect, 78 wrong configuration.";

/** Runs a command line, given without the program's name. Resolves to the process's exit code. */
export async function main(args: readonly string[], world: World): Promise<ExitCode> {
  // The daemon reads all further arguments itself, its --help too.
  if (args[0] === "daemon") return runDaemon(args.slice(1), world);
  let exitCode: ExitCode = EXIT.ok;
  const program = new Command("troupe")
    .description("Logged-in browser roles for teams of LLM agents.")
    .version(VERSION, "-V, --version")
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("after", `\n${EXIT_CODES}\nEach command tells more: troupe COMMAND --help`);
  ended(program, world);
  const isMcp = args[0] === "mcp";
  const { current, definitions, rest } = roleFlags(isMcp ? args : []);
  // The other commands are needed for the help, and where words make no sense. To define all takes milliseconds.
  const named = COMMANDS.filter((definition) => nameAndWords(definition)[0] === args[0]);
  for (const definition of named.length > 0 ? named : COMMANDS) {
    const command = commandOf(definition).action(async (...given: unknown[]) => {
      const flags = command.opts<Invocation["flags"]>();
      const words = given
        .slice(0, -2)
        .flat()
        .filter((word) => word !== undefined)
        .map(String);
      exitCode = await run(definition, { ...world, words, flags, roles: { current, definitions } });
    });
    program.addCommand(ended(command, world));
  }
  try {
    await program.parseAsync(isMcp ? rest : [...args], { from: "user" });
  } catch (error) {
    // The help for words that make no sense says so.
    if (error instanceof CommandError) return told(error, world);
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  return exitCode;
}

function commandOf(definition: CommandDefinition): Command {
  const { summary, examples } = definition;
  const [name, ...words] = nameAndWords(definition);
  const command = new Command(name).description(summary).allowExcessArguments(false);
  for (const word of words) command.argument(word);
  for (const [flags, description] of optionsOf(definition)) command.option(flags, description);
  const lines = examples.map((example) => `  ${example}`);
  const particular = () => definition.helpFor?.(command.args.filter((word) => !word.startsWith("-")));
  const general = command.helpInformation.bind(command);
  command.helpInformation = (context) => particular() ?? general(context);
  return command.addHelpText("after", () =>
    particular() === undefined ? ["", "Examples:", ...lines, "", EXIT_CODES].join("\n") : "",
  );
}

/** Makes commander throw instead of ending the process, and write to the given streams. */
function ended(command: Command, { print, complain }: World): Command {
  return command.exitOverride().configureOutput({ writeOut: print, writeErr: complain });
}

async function run(definition: CommandDefinition, invocation: Invocation): Promise<ExitCode> {
  try {
    return await definition.run(invocation);
  } catch (error) {
    if (error instanceof CommandError) return told(error, invocation);
    if (!(error instanceof CallError)) throw error;
    await tellFailure(error, invocation);
    return exitCodeOf(error.detail);
  }
}

function told({ message, exitCode }: CommandError, { complain }: World): ExitCode {
  complain(`troupe: ${linesSpelledOut(message)}\n`);
  return exitCode;
}

async function tellFailure(error: CallError, invocation: Invocation): Promise<void> {
  const { detail } = error;
  const report = reportOf(error);
  if (report) invocation.complain(`troupe: ${report}\n`);
  const text = isNoDaemon(detail) ? await noDaemon(detail, invocation) : planText(detail, "debug");
  if (invocation.flags.json) {
    invocation.print(`${spelledOutJson(JSON.stringify({ success: false, text, error: detail }, null, 2))}\n`);
  } else {
    invocation.complain(`${text}\n`);
  }
}

async function noDaemon({ message, details }: ErrorDetail, { flags, cwd, env }: Invocation): Promise<string> {
  if (typeof details.mend === "string") return `${message}\nWhat to do: ${details.mend}`;
  const { discoverDaemon: whereabouts } = await import("../connection/discovery.ts");
  const { named, files } = whereabouts(flags, { cwd, env });
  const looked = named
    ? []
    : [`Looked in the state folder ${files.dir}; --config or --state-dir name another`];
  return [
    message,
    ...looked,
    `Start one with: ${daemonLine(flags)}`,
    "What is wrong here says: troupe doctor",
  ].join("\n");
}

/** The line that starts the daemon that the flags meant. Without these flags it would be another daemon. */
function daemonLine({ config, stateDir }: Invocation["flags"]): string {
  const given = [...(config ? ["--config", config] : []), ...(stateDir ? ["--state-dir", stateDir] : [])];
  return ["troupe daemon", ...given.map(shellWord)].join(" ");
}

/** Quotes a word so that a POSIX shell reads it back unchanged. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
