// Kills worker after worker: neither the daemon nor the machine may accumulate anything.
import { testClient } from "../harness/daemon.ts";
import { descriptorsOf, pssMiB } from "../harness/proc.ts";
import { within } from "../harness/within.ts";
import type { Figure } from "./scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "./scenario/own-daemon.ts";
import { ProcessAudit } from "./scenario/process-audit.ts";
import { kindOf } from "./scenario/process-kind.ts";
import type { Scenario } from "./scenario/scenario.ts";

/** Workers with a browser are killed this many times less often: each start takes seconds of two cores. */
const FEWER = 20;
const READY_MS_MAX = 60_000;
/** The ratio within which a heap may move without growth. */
const MEMORY_RATIO_MAX = 1.15;
/** Restarts come at once, at any rate of deaths. */
const restart = { max: 1000, within: "1s", backoff: "1ms", cap: "1ms" };

export const kills: Scenario = {
  name: "kills",
  about:
    "kill -9 of one worker after another: descriptors, processes, memory and folders end where they began",
  async *play({ kills: times, say, interrupted }) {
    const parts = [
      { title: `${times} workers without a browser`, workers: "standIn", times },
      {
        title: `${Math.ceil(times / FEWER)} workers with a browser`,
        workers: "real",
        times: Math.ceil(times / FEWER),
      },
    ] as const;
    for (const { title, workers, times } of parts) {
      say(`${title}…`);
      await using daemon = await startOwnDaemon(
        workers,
        { restart, roles: { red: { eager: true } } },
        interrupted,
      );
      yield { title, figures: await killInARow(daemon, times) };
    }
  },
};

/** Kills the role's worker each time that it becomes ready. */
export async function killInARow(daemon: OwnDaemon, times: number): Promise<Figure[]> {
  const audit = new ProcessAudit();
  const began = performance.now();
  using role = roleOf(daemon);
  await role.nextReady(0);
  const before = await takenBy(daemon, audit);
  let middle = before;
  let pid = role.pid;
  for (let killed = 0; killed < times; killed++) {
    audit.look(daemon.pid);
    process.kill(pid, "SIGKILL");
    pid = await role.nextReady(pid);
    if (killed === Math.floor(times / 2)) middle = await takenBy(daemon, audit);
  }
  const left = await audit.leftOver(daemon.pid);
  const after = await takenBy(daemon, audit);
  const grown = (name: keyof Taken) => ({
    value: after[name] - before[name],
    bar: { most: 0 },
    note: `${before[name]} at first`,
  });
  return [
    { name: "kills", value: times },
    { name: "each took", value: (performance.now() - began) / times, unit: "ms" },
    { name: "more descriptors of the daemon", ...grown("descriptors") },
    { name: "more processes, without pages", ...grown("processes") },
    { name: "more temporary folders", ...grown("folders") },
    { name: "orphans", value: left.orphans.length, bar: { most: 0 } },
    { name: "zombies", value: left.zombies.length, bar: { most: 0 } },
    { name: "memory of the daemon at first", value: before.memory, unit: "MiB" },
    { name: "  in the middle", value: middle.memory, unit: "MiB" },
    { name: "  in the end", value: after.memory, unit: "MiB" },
    {
      name: "  in the end / in the middle",
      value: after.memory / middle.memory,
      bar: { most: MEMORY_RATIO_MAX },
    },
  ];
}

interface Taken {
  descriptors: number;
  processes: number;
  folders: number;
  memory: number;
}

async function takenBy(daemon: OwnDaemon, audit: ProcessAudit): Promise<Taken> {
  return {
    descriptors: descriptorsOf(daemon.pid),
    // A new browser prepares pages when it finds the time. Those of a killed one would be orphans.
    processes: audit.look(daemon.pid).filter(({ pid }) => kindOf(pid, daemon.pid) !== "page").length,
    folders: await daemon.folders(),
    memory: pssMiB(daemon.pid),
  };
}

function roleOf({ address }: OwnDaemon) {
  const client = testClient(address);
  let pid = 0;
  return {
    get pid() {
      return pid;
    },
    /** Resolves with the worker that is ready after the given one. */
    async nextReady(last: number): Promise<number> {
      let stands: unknown;
      const isReady = async () => {
        const { ok } = await client.ask("GetRole", { name: "red" });
        stands = ok?.role;
        pid = ok?.role?.workerPid ?? 0;
        return ok?.role?.state === "ROLE_STATE_READY" && pid > 0 && pid !== last;
      };
      if (!(await within(READY_MS_MAX, isReady)))
        throw new Error(`the role is not ready again: ${JSON.stringify(stands)}`);
      return pid;
    },
    [Symbol.dispose]: () => client.close(),
  };
}
