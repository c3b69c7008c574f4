// Looks after the workers that work: measures what they hold, and has those replaced that hold too much or are too old.
import type { Alarm, Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { MemoryUse } from "../state/memory.ts";
import { type Upkeep as Due, upkeepDue } from "./recycling.ts";
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
  /** By role, by the steady clock: when its pages last collected their garbage, and when it was last recycled for its memory. */
  readonly #collectedAtMs = new Map<string, number>();
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
    const nowMs = this.#parts.clock.steady();
    const since = (atMs: number | undefined) => (atMs === undefined ? undefined : nowMs - atMs);
    const use = await this.measure(role);
    const { stand, settings } = role;
    if (!use || stand.state !== "READY" || role.isBeingRecycled) return;
    const memoryBytes = use.worker + use.browser;
    const due = upkeepDue(
      { memory: settings.memory, maxAgeMs: settings.maxAge },
      {
        ageMs: nowMs - stand.sinceMs,
        memoryBytes,
        sinceCollectedMs: since(this.#collectedAtMs.get(role.name)),
        sinceRecycledMs: since(this.#recycledAtMs.get(role.name)),
        callsUnderWay: role.callsUnderWay,
      },
    );
    if (due) await this.#do(due, role, memoryBytes);
  }

  async #do(due: NonNullable<Due>, role: SupervisedRole, memoryBytes: number): Promise<void> {
    const { clock, log } = this.#parts;
    log.info({ role: role.name, due, memoryBytes, allowedBytes: role.settings.memory }, "upkeep");
    switch (due) {
      case "collect-garbage":
        this.#collectedAtMs.set(role.name, clock.steady());
        await role.collectGarbage();
        // What it holds now is what it needs.
        await this.#lookAt(role);
        break;
      case "recycle-for-memory":
        this.#recycledAtMs.set(role.name, clock.steady());
        void role.recycleBetweenCalls("memory");
        break;
      case "recycle-for-age":
        void role.recycleBetweenCalls("age");
        break;
      case "close-largest-tab":
        await role.closeLargestTab(
          `the role holds ${mebibytes(memoryBytes)} MiB, more than its ${mebibytes(role.settings.memory)} MiB`,
        );
        break;
    }
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
