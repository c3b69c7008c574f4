// Runs a server as an unprivileged user that dies with this process.
import { readFileSync } from "node:fs";

export interface Servant {
  uid: number;
  gid: number;
}

/** Returns the first of these users that the machine has, else `nobody`. Returns undefined if this process is not root. */
export function servant(...names: string[]): Servant | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of [...names, "nobody"]) {
    const [, , uid, gid] = users.find(([each]) => each === name) ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("the machine has no user named nobody");
}

/** Returns the command line that runs a program as this user, until this process ends. */
export function asServant(user: Servant | undefined, command: readonly string[]): string[] {
  const who = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : [];
  return ["setpriv", "--pdeathsig=QUIT", ...who, ...command];
}
