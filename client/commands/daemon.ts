// `troupe daemon`: this process becomes the daemon, so that its id and the signals sent to it are the daemon's.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import type { CommandDefinition, World } from "../command.ts";
import type { ExitCode } from "../exit-code.ts";

const PROGRAM = fileURLToPath(new URL("../../daemon/main.ts", import.meta.url));
const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const;

/** For the list of commands; its flags and their help are the daemon's own. */
export const daemon: CommandDefinition = {
  usage: "daemon",
  summary: "run the daemon in the foreground (troupe daemon --help tells its flags)",
  json: false,
  examples: ["troupe daemon", "troupe daemon --config team.yaml", "troupe daemon --help"],
  run: (invocation) => runDaemon(invocation.words, invocation),
};

/** Becomes the daemon; returns only where the system cannot replace a process. */
export async function runDaemon(args: readonly string[], { env }: World): Promise<ExitCode> {
  const argv = [process.execPath, PROGRAM, ...args];
  if (process.execve) process.execve(process.execPath, argv, env as NodeJS.ProcessEnv);
  const child = spawn(process.execPath, argv.slice(1), { stdio: "inherit", env });
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject);
  child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  return (await promise) as ExitCode;
}
