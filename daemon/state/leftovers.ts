// What workers leave on the machine: recorded before they start, so that the next daemon can sweep after a killed one.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  erase(traces: WorkerTraces): void {
    erase(traces);
    this.#traces.delete(traces.socket);
    this.#write();
  }

  #write(): void {
    writeFileSync(this.#file, JSON.stringify([...this.#traces.values()]), { mode: 0o600 });
  }
}

/** Removes what an earlier daemon of this state folder left. Its lock must be ours. Tells how many processes it ended. */
export function sweepLeftovers(stateDir: string): number {
  const ended = recorded(recordFile(stateDir)).flatMap(erase);
  for (const name of readdirSync(stateDir).filter((each) => WORKER_SOCKET.test(each))) {
    rmSync(path.join(stateDir, name), { force: true });
  }
  rmSync(recordFile(stateDir), { force: true });
  return ended.length;
}

function erase({ socket, tmpDir }: WorkerTraces): number[] {
  const ended = killByCommandLine([socket, tmpDir]);
  rmSync(socket, { force: true });
  if (path.basename(tmpDir).startsWith(TMP_PREFIX)) {
    rmSync(tmpDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
  return ended;
}

function recordFile(stateDir: string): string {
  return path.join(stateDir, "workers.json");
}

function recorded(file: string): WorkerTraces[] {
  try {
    const traces = JSON.parse(readFileSync(file, "utf8")) as Partial<WorkerTraces>[];
    return traces.filter(
      (each): each is WorkerTraces => typeof each.socket === "string" && typeof each.tmpDir === "string",
    );
  } catch (error) {
    // A daemon that was killed while it wrote leaves half a record: the sockets are swept by name all the same.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return [];
    throw error;
  }
}
