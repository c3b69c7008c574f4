// The seccomp profiles that containers run with.
import { readFileSync } from "node:fs";

interface Rule {
  names: string[];
  action: string;
  errnoRet?: number;
  args?: { index: number; value: number; valueTwo: number; op: string }[];
}

interface Profile {
  syscalls: Rule[];
}

const FILE = new URL("../../deploy/kubernetes/node/troupe.json", import.meta.url);
/** All of CLONE_NEW…: a process that makes namespaces has one of these bits. */
const NAMESPACES = 0x7e020000;
const EPERM = 1;
const ENOSYS = 38;

/** Returns the profile that is shipped. Chrome's sandbox works with it. */
export function shippedProfile(): Profile {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** Returns a profile that denies namespaces as Docker's own does: `unshare` whole, `clone` by its flags, and `clone3`. */
export function withoutNamespaces({ syscalls, ...more }: Profile): Profile {
  const others = syscalls.filter(({ names }) => !names.includes("clone"));
  const clone = {
    names: ["clone"],
    action: "SCMP_ACT_ALLOW",
    args: [{ index: 0, value: NAMESPACES, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
  };
  const denied = { names: ["unshare"], action: "SCMP_ACT_ERRNO", errnoRet: EPERM };
  const unknown = { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS };
  return { ...more, syscalls: [...others, clone, denied, unknown] };
}
