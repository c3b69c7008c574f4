// Makes a program die with the daemon that started it.
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** A program and its arguments. */
export interface ProgramCommand {
  program: string;
  args: readonly string[];
}

/** On Linux the kernel kills a child whose daemon is gone, even a hanging one, if setpriv is installed. */
export function dyingWithUs(
  { program, args }: ProgramCommand,
  env: NodeJS.ProcessEnv,
): [string, readonly string[]] {
  const setpriv = process.platform === "linux" ? onPath("setpriv", env.PATH ?? "") : undefined;
  return setpriv ? [setpriv, ["--pdeathsig", "KILL", "--", program, ...args]] : [program, args];
}

function onPath(name: string, folders: string): string | undefined {
  return folders
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
