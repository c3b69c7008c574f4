// Checks the clock. Certificates, one-time passwords and tokens depend on it.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";

const LEEWAY_MS = 5 * 60_000;

/** `writtenMs` are the modification times of existing files, which must lie in the past. */
export function clockFinding(nowMs: number, writtenMs: readonly number[]): Finding {
  const newest = Math.max(0, ...writtenMs);
  const now = new Date(nowMs).toISOString();
  if (newest <= nowMs + LEEWAY_MS) return well("clock", now);
  return unwell(
    "clock",
    `it says ${now}, and files here were written later, at ${new Date(newest).toISOString()}`,
    "Set it right: timedatectl set-ntp true, or chronyc makestep. Certificates, one-time codes and tokens need it.",
  );
}
