// Checks that the state folder is private and writable, with a short enough path and enough free space.
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { stateFolderProblem } from "../../proto/machine/socket-path.ts";

const MIB = 1024 * 1024;
const FREE_MIB_MIN = 256;

export function socketFinding(dir: string): Finding {
  const problem = stateFolderProblem(dir);
  if (!problem) return well("sockets", path.join(dir, "daemon.sock"));
  return unwell("sockets", problem, "Choose another state folder with --state-dir or TROUPE_STATE_DIR.");
}

export function permissionsFinding(dir: string, uid = process.getuid?.()): Finding {
  const at = nearestThere(dir);
  if (!statSync(at).isDirectory())
    return unwell("permissions", `${at} is no folder`, "Choose another state folder with --state-dir.");
  if (isOfTheKernel(at))
    return unwell("permissions", `${at} cannot be written`, "Choose another state folder with --state-dir.");
  if (!isWritable(at))
    return unwell(
      "permissions",
      `${at} cannot be written by this user`,
      `Run: chown -R $(id -u) ${quoted(at)}, or choose another with --state-dir.`,
    );
  if (at !== dir) return well("permissions", `${dir} will be made`);
  const { mode, uid: owner } = statSync(dir);
  if (uid !== undefined && owner !== uid)
    return unwell(
      "permissions",
      `${dir} belongs to another user (${owner})`,
      "Choose another state folder with --state-dir, or run as that user.",
    );
  if ((mode & 0o077) !== 0)
    return unwell(
      "permissions",
      `others may enter ${dir} (mode ${(mode & 0o777).toString(8)})`,
      `Run: chmod 700 ${quoted(dir)}`,
    );
  return well("permissions", `${dir} is this user's alone`);
}

export function diskFinding(dir: string): Finding {
  const at = nearestThere(dir);
  const { bavail, bsize } = statfsSync(at);
  return judgedDisk(at, Math.floor((bavail * bsize) / MIB));
}

export function judgedDisk(at: string, freeMib: number): Finding {
  const found = `${freeMib} MiB free at ${at}`;
  if (freeMib >= FREE_MIB_MIN) return well("disk", found);
  return unwell(
    "disk",
    found,
    `Make room: journal, sessions and logs need ${FREE_MIB_MIN} MiB, or choose another folder with --state-dir.`,
  );
}

function nearestThere(dir: string): string {
  return existsSync(dir) || dir === path.dirname(dir) ? dir : nearestThere(path.dirname(dir));
}

/** Root may write in these folders by their modes, but the kernel allows no new files there. */
function isOfTheKernel(dir: string): boolean {
  return /^\/(?:proc|sys)(?:\/|$)/.test(`${path.resolve(dir)}/`);
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // Whatever the reason, the folder is not writable.
    return false;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
