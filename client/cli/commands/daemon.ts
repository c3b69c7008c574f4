// `troupe daemon`: this process becomes the daemon, so that its id and the signals sent to it are the daemon's.
import { fileURLToPath } from "node:url";
import { SMALL_HEAP } from "../../../proto/machine/small-heap.ts";
import type { ExitCode } from "../../connection/exit-code.ts";
import type { CommandDefinition, World } from "../terminal/command.ts";
import { replaceProcess } from "../terminal/exec.ts";

const PROGRAM = fileURLToPath(new URL("../../../daemon/main.ts", import.meta.url));

/** For the list of commands; its flags and their help are the daemon's own. */
export const daemon: CommandDefinition = {
  usage: "daemon",
  summary: "run the daemon in the foreground (troupe daemon --help tells its flags)",
  json: false,
  examples: ["troupe daemon", "troupe daemon --config team.yaml", "troupe daemon --help"],
  run: (invocation) => runDaemon(invocation.words, invocation),
};

/** Becomes the daemon; returns only where the system cannot replace a process. */
export function runDaemon(args: readonly string[], { env }: World): Promise<ExitCode> {
  return replaceProcess(PROGRAM, args, env, SMALL_HEAP);
}
