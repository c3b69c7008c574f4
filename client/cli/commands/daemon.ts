// `troupe daemon` replaces this process with the daemon. The daemon then has its id and gets the signals sent to it.

import { DAEMON_ARGUMENTS } from "../../../proto/machine/daemon-arguments.ts";
import { DAEMON_OPTIONS } from "../../../proto/machine/daemon-options.ts";
import { ownPath } from "../../../proto/machine/program.ts";
import type { ExitCode } from "../../connection/exit-code.ts";
import type { CommandDefinition, World } from "../terminal/command.ts";
import { replaceProcess } from "../terminal/exec.ts";

const PROGRAM = ownPath("daemon/main.ts");

/** An entry for the list of commands. The daemon itself reads the flags and prints their help. */
export const daemon: CommandDefinition = {
  usage: "daemon",
  summary: "run the daemon in the foreground (troupe daemon --help tells its flags)",
  ownOptions: DAEMON_OPTIONS.map(([flags, description]) => [flags, description] as const),
  json: false,
  examples: ["troupe daemon", "troupe daemon --config team.yaml", "troupe daemon --help"],
  run: (invocation) => runDaemon(invocation.words, invocation),
};

/** Replaces this process with the daemon. Returns only if the system cannot replace a process. */
export function runDaemon(args: readonly string[], { env }: World): Promise<ExitCode> {
  return replaceProcess(PROGRAM, args, env, DAEMON_ARGUMENTS);
}
