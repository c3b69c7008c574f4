// Checks that a browser exists and starts, and that it is not too old.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";

const DAY_MS = 86_400_000;
/** Chrome has a release with security fixes each week, and a new version each month. */
const AGE_DAYS_MAX = 180;
const RENEW =
  "Install a newer one: Chrome's security fixes come every week (on Debian and Ubuntu: apt-get upgrade chromium).";

/** `builtMs`: when its program was made. */
export interface BrowserFacts {
  version: string;
  executable: string;
  source: string;
  builtMs: number;
}

export function browserFinding(
  { version, executable, source, builtMs }: BrowserFacts,
  nowMs: number,
): Finding {
  const days = Math.max(0, Math.floor((nowMs - builtMs) / DAY_MS));
  const found = `${version} (${source}, ${executable}), ${days} days old`;
  return days > AGE_DAYS_MAX ? unwell("browser", found, RENEW) : well("browser", found);
}
