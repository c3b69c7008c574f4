// Records the traces of workers before they start, so that the next daemon can sweep after a killed one.
import { writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../core/log.ts";
import { killByCommandLine } from "./processes.ts";

export interface WorkerTraces {
  socket: string;
  /** The worker's temporary folder, with the browser's profile in it. */
  tmpDir: string;
}

/** The prefix of the workers' temporary folders. The sweep removes no other folder. */
export const TMP_PREFIX = "troupe-worker-";
const WORKER_SOCKET = /^w\d+\.sock$/;

/** The traces of the running workers, in the state folder. */
export class TraceRecord {
  readonly #file: string;
  readonly #traces = new Map<string, WorkerTraces>();

  constructor(stateDir: string) {
    this.#file = recordFile(stateDir);
  }

  /** Sweeps what an earlier daemon of this state folder left. The caller must hold the folder's lock. */
  static async open(stateDir: string, log: Log): Promise<TraceRecord> {
    const swept = await sweepLeftovers(stateDir);
    if (swept > 0) log.warn({ swept }, "ended processes that an earlier daemon left");
    return new TraceRecord(stateDir);
  }

  add(traces: WorkerTraces): void {
    this.#traces.set(traces.socket, traces);
    this.#write();
  }

  /** Kills the rest of the worker and its browser, and removes their files. */
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
 * Removes the leftovers of an earlier daemon of this state folder. The caller must hold the folder's lock. Resolves
 * with the number of ended processes.
 */
export async function sweepLeftovers(stateDir: string): Promise<number> {
  let ended = 0;
  for (const traces of await recorded(recordFile(stateDir))) ended += (await erase(traces)).length;
  const sockets = (await readdir(stateDir)).filter((each) => WORKER_SOCKET.test(each));
  for (const name of sockets) await rm(path.join(stateDir, name), { force: true });
  await rm(recordFile(stateDir), { force: true });
  return ended;
}

/** All steps are asynchronous, because a profile may have thousands of files and calls must not wait. */
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
    // A daemon that was killed during the write leaves half a record. The sockets are still swept by name.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return [];
    throw error;
  }
}
