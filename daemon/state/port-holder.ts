// Names the program that listens at a port of this machine, for a person who wants that port.
import { readFileSync } from "node:fs";
import path from "node:path";
import { hostPort } from "../../proto/machine/address.ts";
import { type DaemonNote, stateHome } from "../../proto/machine/locations.ts";
import { oneLine } from "../../proto/text/quote.ts";
import { list, openFiles } from "./open-files.ts";
import { readNote } from "./state-dir.ts";

export interface TcpPort {
  host: string;
  port: number;
}

const ANSWER_MS_MAX = 1_000;
const ANSWER_LENGTH_MAX = 200_000;
/** The state of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";

/** Resolves to words such as `another Troupe: project shop, pid 4711` or `another program: nginx, pid 12`. */
export async function portHolder(wanted: TcpPort, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const pid = listenerAt(wanted.port);
  const note = pid === undefined ? noteWithPort(wanted.port, env) : noteOf(pid);
  if (note) return troupe(note);
  if (pid !== undefined) return `another program: ${oneLine(nameOf(pid))}, pid ${pid}`;
  return (await answersAsTroupe(wanted)) ? "another Troupe" : "another program";
}

function troupe({ project = "unknown", pid }: DaemonNote): string {
  return `another Troupe: project ${oneLine(project)}, pid ${pid}`;
}

/** Finds the process by its open sockets. Returns undefined for another user's process, and on other systems. */
function listenerAt(port: number): number | undefined {
  const sockets = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => listening(file, port)));
  if (sockets.size === 0) return undefined;
  const pids = list("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => openFiles(Number(pid)).some((file) => sockets.has(file)));
  return found === undefined ? undefined : Number(found);
}

/** Returns the listening sockets of a port in the form of their links: `socket:[4711]`. */
function listening(file: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return read(file)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => state === LISTENING && local.endsWith(`:${wanted}`))
    .map((fields) => `socket:[${fields[9]}]`);
}

/** A daemon keeps the lock of its state folder open. */
function noteOf(pid: number): DaemonNote | undefined {
  const lock = openFiles(pid).find((file) => path.basename(file) === "lock.db");
  const note = lock === undefined ? undefined : readNote(path.join(path.dirname(lock), "daemon.json"));
  return note?.pid === pid ? note : undefined;
}

/** Looks through the usual state folders, where no list of sockets can be read. */
function noteWithPort(port: number, env: NodeJS.ProcessEnv): DaemonNote | undefined {
  const home = path.join(stateHome(env), "troupe");
  return list(home)
    .map((name) => readNote(path.join(home, name, "daemon.json")))
    .find((note) =>
      [...(note?.http ?? []), ...(note?.addresses ?? []), ...(note?.peers ?? [])].some((each) =>
        each.endsWith(`:${port}`),
      ),
    );
}

function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim() || "unknown";
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Another user's daemon is known by its metrics, or by its way of refusing them. */
async function answersAsTroupe({ host, port }: TcpPort): Promise<boolean> {
  try {
    const url = `http://${hostPort(host, port)}/metrics`;
    const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const challenge = answer.headers.get("www-authenticate") ?? "";
    return (
      challenge.includes('realm="troupe"') || /^troupe_|tag:troupe\.dev/m.test(await beginningOf(answer))
    );
  } catch {
    // A port without an HTTP answer is not Troupe's HTTP port.
    return false;
  }
}

/** A stranger's answer may have no end. Troupe's own words come early, in metrics and in errors. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > ANSWER_LENGTH_MAX) break;
  }
  return text;
}
