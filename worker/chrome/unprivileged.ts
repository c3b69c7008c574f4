// As root, Chrome runs as an unprivileged user: it refuses root its sandbox.
import { accessSync, constants } from "node:fs";
import { chown, stat } from "node:fs/promises";
import path from "node:path";

/** Users that no person and no service has for long: systemd gives them out for a while. Containers have them, too. */
const UIDS = { first: 61_184, count: 4_336 };
/** Nothing that the browser starts can become another user. */
const NO_NEW_PRIVILEGES = "--no-new-privs";
const SETPRIV = "/usr/bin/setpriv";

/** How a program is started as somebody else. */
export interface OtherUser {
  uid: number;
  gid: number;
  /** The program that changes user, and its arguments before the real program. */
  command: string;
  args: string[];
}

/**
 * Who Chrome runs as, where this process is root and the machine can change users; undefined: as this user. Each worker's
 * is another one, by its process id: no role's browser reaches another's files or processes.
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

/** The same user, whose programs may gain privileges, as Chrome's older sandbox does. */
export function gainingPrivileges(user: OtherUser): OtherUser {
  return { ...user, args: user.args.filter((arg) => arg !== NO_NEW_PRIVILEGES) };
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
