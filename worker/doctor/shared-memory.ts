// Checks for room for the memory that Chrome's processes share. Puppeteer places it in the temporary folder.
import { statfs } from "node:fs/promises";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";

const MIB = 1024 * 1024;
const FREE_MIB_MIN = 256;

/** `folder`: where Chrome keeps its shared memory. */
export async function sharedMemoryFinding(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  return judged(folder, Math.floor((bavail * bsize) / MIB));
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
