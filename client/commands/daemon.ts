// `troupe daemon`: this process becomes the daemon, so that its id and the signals sent to it are the daemon's.
import { fileURLToPath } from "node:url";
import { SMALL_HEAP } from "../../proto/small-heap.ts";
import { replaceProcess } from "../become.ts";
import type { CommandDefinition, World } from "../command.ts";
import type { ExitCode } from "../exit-code.ts";

const PROGRAM = fileURLToPath(new URL("../../daemon/main.ts", import.meta.url));

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
