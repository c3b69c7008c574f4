// Replaces this process with another of Troupe's programs. That program then has its id and gets the signals sent to
// it.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { ExitCode } from "../../connection/exit-code.ts";
import type { World } from "./command.ts";

const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const;

/**
 * Replaces this process with the program. Returns only if the system cannot replace a process. `nodeArgs`: further
 * arguments of Node.
 */
export async function replaceProcess(
  program: string,
  args: readonly string[],
  env: World["env"],
  nodeArgs: readonly string[] = [],
): Promise<ExitCode> {
  const argv = [process.execPath, ...nodeArgs, program, ...args];
  if (process.execve) process.execve(process.execPath, argv, env as NodeJS.ProcessEnv);
  const child = spawn(process.execPath, argv.slice(1), { stdio: "inherit", env });
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject);
  child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  return (await promise) as ExitCode;
}
