// Measures the working workers, and replaces those that hold too much memory or are too old.
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { MemoryUse } from "../state/memory.ts";
import type { Worker } from "../worker-process/worker.ts";
import { type Upkeep as Due, upkeepDue, type WorkerCondition } from "./recycling.ts";
import type { SupervisedRole } from "./supervised-role.ts";

export interface UpkeepParts {
  roles: ReadonlyMap<string, SupervisedRole>;
  measure: (workerPid: number) => Promise<MemoryUse>;
  measured: (role: SupervisedRole, use: MemoryUse) => void;
  limits: { callTimeout: number };
  clock: Clock;
  log: Log;
}

/** The time between two checks of the workers. */
export const LOOK_MS = 15_000;
const ASK_TIMEOUT_MS = 5000;
/** The worker gives up sooner on pages that do not respond. */
const COLLECTED_MS_MAX = 15_000;

/** Checks the roles at intervals until it is disposed of. */
export class Upkeep implements Disposable {
  readonly #parts: UpkeepParts;
  /**
   * By worker, by the steady clock: the last garbage collection of its pages, and the first measurement over its bound.
   */
  readonly #collectedAtMs = new WeakMap<Worker, number>();
  readonly #tooLargeAtMs = new WeakMap<Worker, number>();
  /** Workers that are to be replaced at their next moment without a call. */
  readonly #leaving = new WeakSet<Worker>();
  /** By role: the time when it was last recycled for its memory. */
  readonly #recycledAtMs = new Map<string, number>();
  #alarm: Alarm | undefined;
  #isOver = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#lookLater();
  }

  /** Checks every role once. A failure in one role does not stop the others. */
  async look(): Promise<void> {
    for (const role of this.#parts.roles.values()) {
      try {
        await this.#lookAt(role);
      } catch (error) {
        this.#parts.log.error({ err: error, role: role.name }, "a worker could not be looked after");
      }
    }
  }

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
    if (!use || !worker || stand.state !== "READY" || this.#leaving.has(worker)) return;
    // The measured memory is not the browser's, and a person may be asked before another worker may connect.
    if (settings.browser.connect !== undefined) return;
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
      callsUnderWay: role.calls.underWay,
      hasInput: role.sessions.hasInput,
    };
  }

  async #do(due: NonNullable<Due>, role: SupervisedRole, worker: Worker, memoryBytes: number): Promise<void> {
    const { log } = this.#parts;
    log.info({ role: role.name, due, memoryBytes, allowedBytes: role.settings.memory }, "upkeep");
    switch (due) {
      case "collect-garbage":
        await this.#collect(role, worker);
        // After a collection, the role needs all that it holds.
        await this.#lookAt(role);
        break;
      case "recycle-for-memory":
      case "recycle-for-age":
        void this.#recycle(role, worker, due === "recycle-for-age" ? "age" : "memory");
        break;
      case "close-largest-tab":
      case "close-tab-without-input": {
        const reason = `the role holds ${mebibytes(memoryBytes)} MiB, more than its ${mebibytes(role.settings.memory)} MiB`;
        // With `sparing`, tabs with typed text stay.
        const sparing = due === "close-tab-without-input";
        await worker.link.ask("CloseLargestTab", { reason, sparing }, ASK_TIMEOUT_MS);
      }
    }
  }

  /** If pages do not answer, the role still gets other relief. */
  async #collect(role: SupervisedRole, worker: Worker): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      await worker.link.ask("CollectGarbage", {}, COLLECTED_MS_MAX);
    } catch (error) {
      log.warn({ err: error, role: role.name }, "pages did not collect their garbage");
    }
    this.#collectedAtMs.set(worker, clock.steady());
  }

  /**
   * Replaces a worker at its next moment without calls, so only a session that loses typed text learns of it. If no
   * such moment comes within a call's timeout, new calls wait for those under way. Input that comes meanwhile postpones
   * the replacement, unless its loss was accepted.
   */
  async #recycle(role: SupervisedRole, worker: Worker, why: "memory" | "age"): Promise<void> {
    const { limits, clock } = this.#parts;
    const losesInput = role.sessions.hasInput;
    this.#leaving.add(worker);
    await role.calls.within(limits.callTimeout);
    this.#leaving.delete(worker);
    if (role.worker !== worker || (role.sessions.hasInput && !losesInput)) return;
    role.replaceWorker(why);
    if (why === "memory") this.#recycledAtMs.set(role.name, clock.steady());
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
