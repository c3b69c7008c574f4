// Checks for room for the memory that Chrome's processes share. Puppeteer places it in the temporary folder.
import { existsSync } from "node:fs";
import { mkdtemp, rmdir, statfs } from "node:fs/promises";
import path from "node:path";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";

const MIB = 1024 * 1024;
const FREE_MIB_MIN = 256;

/** `folder`: where Chrome keeps its shared memory. */
export async function sharedMemoryFinding(folder: string): Promise<Finding> {
  const fault = await whyUnwritable(folder);
  if (fault)
    return unwell(
      "shared memory",
      `${folder} ${fault}`,
      "Set TMPDIR to a folder that this user may write in.",
    );
  const { bavail, bsize } = await statfs(folder);
  return judged(folder, Math.floor((bavail * bsize) / MIB));
}

/** Tries it, because root may write anywhere by the modes alone. */
async function whyUnwritable(folder: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(path.join(folder, "troupe-doctor-")));
    return undefined;
  } catch {
    // Whatever the reason, Chrome cannot make its files there either.
    return existsSync(folder) ? "cannot be written" : "is missing";
  }
}

export function judged(folder: string, freeMib: number): Finding {
  const found = `${freeMib} MiB free in ${folder}`;
  if (freeMib >= FREE_MIB_MIN) return well("shared memory", found);
  return unwell(
    "shared memory",
    found,
    `Chrome's processes share memory through files there: leave it ${FREE_MIB_MIN} MiB, or name another folder in TMPDIR.`,
  );
}
