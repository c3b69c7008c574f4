// The session of commands that name none: one for each terminal. Without a terminal, one for each program or script
// that calls.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { processStat } from "../../../proto/machine/proc-stat.ts";

/** The session that questions to the control plane name. They begin none. */
export const CLI_SESSION = "cli";

/** A process, as the system describes it. */
export interface ProcessFacts {
  parent: number;
  /** The process that leads the session of the terminal. */
  leader: number;
  /** The controlling terminal; empty for none. */
  terminal: string;
  /** The start, in any unit. A later process with the same id has another. */
  started: string;
  /** The command line. */
  line: readonly string[];
}

type FindProcess = (pid: number) => ProcessFacts | undefined;

/** Returns the session's id for a process. Two terminals never share it, not even if one has ended before. */
export function terminalSession(
  pid: number = process.pid,
  find: FindProcess = findProcess,
  machine: string = thisMachine(),
): string {
  const own = find(pid);
  const terminal = own?.terminal ?? "";
  const owner = own && (terminal ? own.leader : ownerAmong(own.parent, find));
  const started = (owner && find(owner)?.started) ?? "";
  const words = JSON.stringify([machine, terminal, owner ?? process.ppid, started]);
  return `cli-${createHash("sha256").update(words).digest("hex").slice(0, 12)}`;
}

/** Agents and package runners start each command through further processes, which end with the command. */
function ownerAmong(parent: number, find: FindProcess): number {
  let owner = parent;
  for (let above = 0; above < ANCESTORS_MAX; above++) {
    const found = find(owner);
    // Init takes over the children of processes that have ended, so it says nothing of them.
    if (!found || found.parent <= 1 || !(isRunner(found) || isShellOfOneCommand(found))) break;
    owner = found.parent;
  }
  return owner;
}

const ANCESTORS_MAX = 16;

function isRunner({ line: [program = "", script = ""] }: ProcessFacts): boolean {
  return /^(npm|npx|pnpm|yarn)( |$)/.test(program) || /\/(npm|npx)(-cli\.js)?$/.test(script);
}

/** Returns true for `sh -c COMMAND`, with further flags before `-c` or after it. */
function isShellOfOneCommand({ line: [program = "", ...args] }: ProcessFacts): boolean {
  if (!/(^|[/-])(ba|da|z|k|fi)?sh$/.test(program)) return false;
  const first = args.findIndex((each) => !each.startsWith("-"));
  return args.slice(0, Math.max(0, first)).some((flag) => /^-[a-z]*c[a-z]*$/.test(flag));
}

function findProcess(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  } catch {
    // The process has ended, or the system shows no other processes.
    return undefined;
  }
}

function fromProc(pid: number): ProcessFacts {
  const [, parent, , leader, terminal, ...others] = processStat(pid);
  return {
    parent: Number(parent),
    leader: Number(leader),
    terminal: terminal === "0" ? "" : String(terminal),
    started: others[STARTED_FIELD] ?? "",
    line: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"),
  };
}

/** The start time is field 22, and `others` begins with field 8. */
const STARTED_FIELD = 14;
const PS_MS = 2000;

/** Elsewhere ps names the terminal. Its oldest process stands for the leader, which not every ps names. */
function fromPs(pid: number): ProcessFacts {
  const ask = (...args: string[]) =>
    execFileSync("ps", args, { encoding: "utf8", timeout: PS_MS, stdio: ["ignore", "pipe", "ignore"] });
  const [parent = "", tty = "", ...rest] = ask("-o", "ppid=,tty=,lstart=,command=", "-p", `${pid}`)
    .trim()
    .split(/\s+/);
  const terminal = /^\?+$/.test(tty) ? "" : tty;
  const onIt = terminal ? ask("-o", "pid=", "-t", terminal).trim().split(/\s+/).map(Number) : [];
  return {
    parent: Number(parent),
    leader: onIt.length > 0 ? Math.min(...onIt) : pid,
    terminal,
    started: rest.slice(0, LSTART_WORDS).join(" "),
    line: rest.slice(LSTART_WORDS),
  };
}

const LSTART_WORDS = 5;

/** Process ids mean something only within one start of one machine or container. */
function thisMachine(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8") + readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
