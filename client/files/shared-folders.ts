// Says which folders an MCP client's tools may use: those of the flag, or else those that the client itself shares.
import path from "node:path";
import type { FileAccess } from "./with-files.ts";

export interface SharedFolders {
  /** Asks the client for its folders. Undefined before its first call. */
  ask: (() => Promise<string[]>) | undefined;
}

/** `given`: the folder of `--files`, which counts alone. */
export function sharedAccess(given: string | undefined, cwd: string, shared: SharedFolders): FileAccess {
  return {
    isForModel: true,
    async fence() {
      const folders = given === undefined ? ((await shared.ask?.()) ?? []) : [path.resolve(cwd, given)];
      return { folders, from: cwd };
    },
  };
}

/** Every file that this process may read: a person or a program names the paths itself. `given`: only inside it. */
export function ownAccess(
  given: string | undefined,
  cwd: string,
  { isForModel }: Pick<FileAccess, "isForModel">,
): FileAccess {
  const folders = given === undefined ? undefined : [path.resolve(cwd, given)];
  return { isForModel, fence: async () => ({ folders, from: cwd }) };
}
