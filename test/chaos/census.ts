// The processes that a daemon has brought into being: which of them nobody owns any more, and which nobody has buried.
import { allStats, type ProcessStat, statOf } from "../proc.ts";
import { within } from "../within.ts";

/** How long what has been killed may take to be gone. */
const GONE_MS_MAX = 8000;

/** Remembers every process that it has seen below a daemon, also of daemons that are gone. */
export class Census {
  readonly #known = new Map<number, number>();

  /** Looks at all that stands below this process, itself included. */
  look(root: number): ProcessStat[] {
    const found = below(root);
    for (const { pid, startedTicks } of found) this.#known.set(pid, startedTicks);
    return found;
  }

  /** Of those ever seen, what runs and is not below `root`; 0: nothing may run. */
  orphans(root: number): ProcessStat[] {
    const owned = new Set(root > 0 ? below(root).map(({ pid }) => pid) : []);
    return this.#alive().filter(({ pid, state }) => state !== "Z" && !owned.has(pid));
  }

  /** Of those ever seen, what has ended and still stands in the table of processes. */
  zombies(): ProcessStat[] {
    return this.#alive().filter(({ state }) => state === "Z");
  }

  /** What is still left after the while that an end may take. */
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

/** A process and all that descends from it. */
export function below(root: number): ProcessStat[] {
  const all = allStats();
  const ours = new Set([root]);
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all.filter(({ pid }) => ours.has(pid));
}
