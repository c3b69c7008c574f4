// Looks after the workers that work: measures what they hold, and has those replaced that hold too much or are too old.
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { MemoryUse } from "../state/memory.ts";
import type { Worker } from "../worker-process/worker.ts";
import { type Upkeep as Due, upkeepDue, type WorkerCondition } from "./recycling.ts";
import type { SupervisedRole } from "./supervised-role.ts";

/** What roles are looked after with. */
export interface UpkeepParts {
  roles: ReadonlyMap<string, SupervisedRole>;
  measure: (workerPid: number) => Promise<MemoryUse>;
  measured: (role: SupervisedRole, use: MemoryUse) => void;
  clock: Clock;
  log: Log;
}

/** How often workers are looked at. */
export const LOOK_MS = 15_000;

/** Looks after the roles until it is disposed of. */
export class Upkeep implements Disposable {
  readonly #parts: UpkeepParts;
  /** By worker, by the steady clock: when its pages last collected their garbage, and since when it holds too much. */
  readonly #collectedAtMs = new WeakMap<Worker, number>();
  readonly #tooLargeAtMs = new WeakMap<Worker, number>();
  /** By role: when it was last recycled for its memory. */
  readonly #recycledAtMs = new Map<string, number>();
  #alarm: Alarm | undefined;
  #isOver = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#lookLater();
  }

  /** Looks at every role once; one that cannot be looked after keeps no other from it. */
  async look(): Promise<void> {
    for (const role of this.#parts.roles.values()) {
      try {
        await this.#lookAt(role);
      } catch (error) {
        this.#parts.log.error({ err: error, role: role.name }, "a worker could not be looked after");
      }
    }
  }

  /** Measures a role's worker now. */
  async measure(role: SupervisedRole): Promise<MemoryUse | undefined> {
    const { measure, measured } = this.#parts;
    const { worker } = role;
    if (!worker) return undefined;
    const use = await measure(worker.pid);
    if (role.worker !== worker) return undefined;
    measured(role, use);
    return use;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#alarm?.cancel();
  }

  #lookLater(): void {
    if (this.#isOver) return;
    this.#alarm = this.#parts.clock.after(LOOK_MS, () => {
      void this.look().then(() => this.#lookLater());
    });
  }

  async #lookAt(role: SupervisedRole): Promise<void> {
    const use = await this.measure(role);
    const { stand, settings, worker } = role;
    if (!use || !worker || stand.state !== "READY" || role.isBeingRecycled) return;
    const memoryBytes = use.worker + use.browser;
    const bounds = { memory: settings.memory, maxAgeMs: settings.maxAge };
    const due = upkeepDue(bounds, this.#conditionOf(role, worker, stand.sinceMs, memoryBytes));
    if (due) await this.#do(due, role, worker, memoryBytes);
  }

  #conditionOf(
    role: SupervisedRole,
    worker: Worker,
    readyAtMs: number,
    memoryBytes: number,
  ): WorkerCondition {
    const nowMs = this.#parts.clock.steady();
    const since = (atMs: number | undefined) => (atMs === undefined ? undefined : nowMs - atMs);
    if (memoryBytes <= role.settings.memory) this.#tooLargeAtMs.delete(worker);
    else if (!this.#tooLargeAtMs.has(worker)) this.#tooLargeAtMs.set(worker, nowMs);
    return {
      ageMs: nowMs - readyAtMs,
      memoryBytes,
      sinceCollectedMs: since(this.#collectedAtMs.get(worker)),
      sinceTooLargeMs: since(this.#tooLargeAtMs.get(worker)),
      sinceRecycledMs: since(this.#recycledAtMs.get(role.name)),
      callsUnderWay: role.callsUnderWay,
      hasInput: role.hasInput,
    };
  }

  async #do(due: NonNullable<Due>, role: SupervisedRole, worker: Worker, memoryBytes: number): Promise<void> {
    const { log } = this.#parts;
    log.info({ role: role.name, due, memoryBytes, allowedBytes: role.settings.memory }, "upkeep");
    switch (due) {
      case "collect-garbage":
        await this.#collect(role, worker);
        // What it holds now is what it needs.
        await this.#lookAt(role);
        break;
      case "recycle-for-memory":
        void this.#recycle(role, "memory");
        break;
      case "recycle-for-age":
        void this.#recycle(role, "age");
        break;
      case "close-largest-tab":
      case "close-tab-without-input":
        await role.closeLargestTab(
          `the role holds ${mebibytes(memoryBytes)} MiB, more than its ${mebibytes(role.settings.memory)} MiB`,
          due === "close-tab-without-input",
        );
        break;
    }
  }

  /** Pages that do not answer keep no other relief from the role. */
  async #collect(role: SupervisedRole, worker: Worker): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      await role.collectGarbage();
    } catch (error) {
      log.warn({ err: error, role: role.name }, "pages did not collect their garbage");
    }
    this.#collectedAtMs.set(worker, clock.steady());
  }

  /** Input that comes before the moment without calls puts it off, unless it was accepted to be lost. */
  async #recycle(role: SupervisedRole, why: "memory" | "age"): Promise<void> {
    const isRecycled = await role.recycleBetweenCalls(why, !role.hasInput);
    if (isRecycled && why === "memory") this.#recycledAtMs.set(role.name, this.#parts.clock.steady());
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
