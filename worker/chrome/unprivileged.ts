// Runs Chrome as an unprivileged user if the worker is root, because Chrome refuses root its sandbox.
import { accessSync, constants } from "node:fs";
import { chown, stat } from "node:fs/promises";
import path from "node:path";

/** Users that belong to no person or service for long: systemd assigns them for a while. Containers have them too. */
const UIDS = { first: 61_184, count: 4_336 };
/** The browser's processes cannot become another user. */
const NO_NEW_PRIVILEGES = "--no-new-privs";
const SETPRIV = "/usr/bin/setpriv";

/** How a program is started as another user. */
export interface OtherUser {
  uid: number;
  gid: number;
  /** The program that changes the user, and its arguments before the real program. */
  command: string;
  args: string[];
}

/**
 * Returns the user that Chrome runs as, if this process is root and the machine can change users. Undefined means this
 * user. Each worker has another one, by its process id. So no role's browser reaches another's files or processes.
 */
export function otherUser(
  uid = process.getuid?.(),
  setpriv = SETPRIV,
  pid = process.pid,
): OtherUser | undefined {
  if (uid !== 0 || process.platform !== "linux" || !isProgram(setpriv)) return undefined;
  const own = UIDS.first + (pid % UIDS.count);
  const args = [`--reuid=${own}`, `--regid=${own}`, "--clear-groups", NO_NEW_PRIVILEGES, "--"];
  return { uid: own, gid: own, command: setpriv, args };
}

/** Returns the same user with programs that may gain privileges, as Chrome's older sandbox does. */
export function gainingPrivileges(user: OtherUser): OtherUser {
  return { ...user, args: user.args.filter((arg) => arg !== NO_NEW_PRIVILEGES) };
}

/** Returns true if other users may reach a file: every folder on the way lets them through. */
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
