// Records the processes that a daemon has started, and finds orphans and zombies.
import { allStats, descendants, type ProcessStat, statOf } from "../../harness/proc.ts";
import { within } from "../../harness/within.ts";

/** The time that killed processes may take to end. */
const GONE_MS_MAX = 8000;

/** Remembers every process that it has seen below a daemon, even below daemons that have ended. */
export class ProcessAudit {
  readonly #known = new Map<number, number>();

  /** Records this process and all below it. */
  look(root: number): ProcessStat[] {
    const found = below(root);
    for (const { pid, startedTicks } of found) this.#known.set(pid, startedTicks);
    return found;
  }

  /** Returns the recorded processes that run and are not below `root`. With 0, no process may run. */
  orphans(root: number): ProcessStat[] {
    const owned = new Set(root > 0 ? below(root).map(({ pid }) => pid) : []);
    return this.#alive().filter(({ pid, state }) => state !== "Z" && !owned.has(pid));
  }

  /** Returns the recorded processes that have ended and are still in the process table. */
  zombies(): ProcessStat[] {
    return this.#alive().filter(({ state }) => state === "Z");
  }

  /** Returns the orphans and zombies that remain after the time that an end may take. */
  async leftOver(root: number): Promise<{ orphans: ProcessStat[]; zombies: ProcessStat[] }> {
    const look = () => ({ orphans: this.orphans(root), zombies: this.zombies() });
    const isClear = () => {
      const { orphans, zombies } = look();
      return orphans.length + zombies.length === 0;
    };
    await within(GONE_MS_MAX, isClear);
    return look();
  }

  #alive(): ProcessStat[] {
    return [...this.#known].flatMap(([pid, startedTicks]) => {
      const stat = statOf(pid);
      return stat?.startedTicks === startedTicks ? [stat] : [];
    });
  }
}

/** Returns a process and all its descendants. */
export function below(root: number): ProcessStat[] {
  return descendants([root], allStats());
}
