// As root, Chrome runs as an unprivileged user: it refuses root its sandbox.
import { accessSync, constants } from "node:fs";
import { chown, stat } from "node:fs/promises";
import path from "node:path";

/** The user and group `nobody` of every Linux. */
const NOBODY = 65_534;
const SETPRIV = "/usr/bin/setpriv";

/** How a program is started as somebody else. */
export interface OtherUser {
  uid: number;
  gid: number;
  /** The program that changes user, and its arguments before the real program. */
  command: string;
  args: string[];
}

/** Who Chrome runs as, where this process is root and the machine can change users; undefined: as this user. */
export function otherUser(uid = process.getuid?.(), setpriv = SETPRIV): OtherUser | undefined {
  if (uid !== 0 || process.platform !== "linux" || !isProgram(setpriv)) return undefined;
  const args = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
  return { uid: NOBODY, gid: NOBODY, command: setpriv, args };
}

/** Whether others may reach a file: every folder on the way lets them through. */
export async function reachableByOthers(file: string): Promise<boolean> {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return ((await stat(file)).mode & 0o001) !== 0;
  }
}

/** Gives a folder to the other user. */
export function giveTo(user: OtherUser, folder: string): Promise<void> {
  return chown(folder, user.uid, user.gid);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
