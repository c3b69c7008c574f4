// What workers leave on the machine: recorded before they start, so that the next daemon can sweep after a killed one.
import { writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { killByCommandLine } from "./processes.ts";

/** Where a worker leaves its traces. */
export interface WorkerTraces {
  socket: string;
  /** Its temporary folder, with the browser's profile in it. */
  tmpDir: string;
}

/** How the workers' temporary folders begin: nothing else is ever removed. */
export const TMP_PREFIX = "troupe-worker-";
const WORKER_SOCKET = /^w\d+\.sock$/;

/** The traces of the workers that run, in the state folder. */
export class TraceRecord {
  readonly #file: string;
  readonly #traces = new Map<string, WorkerTraces>();

  constructor(stateDir: string) {
    this.#file = recordFile(stateDir);
  }

  add(traces: WorkerTraces): void {
    this.#traces.set(traces.socket, traces);
    this.#write();
  }

  /** Kills what is left of the worker and its browser, and removes their files. */
  async erase(traces: WorkerTraces): Promise<void> {
    await erase(traces);
    this.#traces.delete(traces.socket);
    this.#write();
  }

  #write(): void {
    writeFileSync(this.#file, JSON.stringify([...this.#traces.values()]), { mode: 0o600 });
  }
}

/**
 * Removes what an earlier daemon of this state folder left. Its lock must be ours. Resolves to how many processes it
 * ended.
 */
export async function sweepLeftovers(stateDir: string): Promise<number> {
  let ended = 0;
  for (const traces of await recorded(recordFile(stateDir))) ended += (await erase(traces)).length;
  const sockets = (await readdir(stateDir)).filter((each) => WORKER_SOCKET.test(each));
  for (const name of sockets) await rm(path.join(stateDir, name), { force: true });
  await rm(recordFile(stateDir), { force: true });
  return ended;
}

/** Nothing here holds up the daemon's calls: a profile may have thousands of files. */
async function erase({ socket, tmpDir }: WorkerTraces): Promise<number[]> {
  const ended = await killByCommandLine([socket, tmpDir]);
  await rm(socket, { force: true });
  if (path.basename(tmpDir).startsWith(TMP_PREFIX)) {
    await rm(tmpDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
  return ended;
}

function recordFile(stateDir: string): string {
  return path.join(stateDir, "workers.json");
}

async function recorded(file: string): Promise<WorkerTraces[]> {
  try {
    const traces = JSON.parse(await readFile(file, "utf8")) as Partial<WorkerTraces>[];
    return traces.filter(
      (each): each is WorkerTraces => typeof each.socket === "string" && typeof each.tmpDir === "string",
    );
  } catch (error) {
    // A daemon that was killed while it wrote leaves half a record: the sockets are swept by name all the same.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return [];
    throw error;
  }
}
