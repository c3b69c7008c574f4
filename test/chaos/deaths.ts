// kill -9 and SIGSTOP of every kind of process, under load.
import { once } from "node:events";
import { browserOf, renderersOf, workerOf } from "../faults/stage/processes.ts";
import { statOf } from "../harness/proc.ts";
import { within } from "../harness/within.ts";
import { type Fault, strike } from "./fault.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { openStage, ROLES, type Role, type Stage } from "./scenario/stage.ts";

/** Ten missed heartbeats of a worker mean a hang. The start comes on top. */
const HANG_SERVES_MS = 13_000;
/** A call ends at its deadline, which is 10 s here. */
const CALL_SERVES_MS = 12_000;
const STOPPED_MS = 2000;
/** The processor time of a page at work, in ticks of the system's clock, well within the time. */
const DRAWS_TICKS = 5;
const DRAWS_MS_MAX = 10_000;

export const deaths: Scenario = {
  name: "deaths",
  about: "kill -9 and SIGSTOP of worker, browser, renderer and daemon, under 3 roles with 4 sessions each",
  async *play({ say, interrupted }) {
    await using stage = await openStage({ interrupted });
    for (const fault of faults) {
      say(`${fault.title}…`);
      yield { title: fault.title, figures: await strike(stage, fault) };
    }
    const { troupe, load, audit, daemon } = stage;
    await load.stop();
    audit.look(daemon());
    const pid = daemon();
    process.kill(pid, "SIGTERM");
    const left = await audit.leftOver(0);
    yield {
      title: "the daemon's end",
      figures: [
        { name: "orphans", value: left.orphans.length, bar: { most: 0 } },
        { name: "zombies", value: left.zombies.length, bar: { most: 0 } },
        { name: "processes of its state folder", value: troupe.processes().length, bar: { most: 0 } },
      ],
    };
  },
};

/** The faults strike each role in turn, so that none comes near its bound of restarts. */
export const faults: readonly Fault[] = [
  {
    title: "kill -9 of a worker",
    harms: ["red"],
    aim: ({ troupe }) => workerOf(troupe, "red").pid,
    strike: end,
  },
  {
    title: "kill -9 of a browser",
    harms: ["green"],
    aim: ({ troupe }) => browserOf(troupe, "green"),
    strike: end,
  },
  {
    title: "kill -9 of a renderer",
    harms: ["blue"],
    single: true,
    aim: (stage) => busiest(stage, "blue"),
    strike: end,
  },
  {
    title: "SIGSTOP of a worker",
    harms: ["red"],
    servesWithinMs: HANG_SERVES_MS,
    aim: ({ troupe }) => workerOf(troupe, "red").pid,
    strike: (pid, _, later) => later(halt(pid)),
  },
  {
    title: "SIGSTOP of a browser",
    harms: ["green"],
    servesWithinMs: HANG_SERVES_MS,
    aim: ({ troupe }) => browserOf(troupe, "green"),
    strike: (pid, _, later) => later(halt(pid)),
  },
  {
    title: "SIGSTOP of a renderer",
    harms: ["blue"],
    single: true,
    servesWithinMs: CALL_SERVES_MS,
    aim: (stage) => busiest(stage, "blue"),
    strike: (pid, _, later) => later(halt(pid)),
  },
  {
    title: `SIGSTOP of the daemon for ${STOPPED_MS / 1000} s`,
    harms: [...ROLES],
    servesWithinMs: STOPPED_MS + 2000,
    aim: (stage) => stage.daemon(),
    async strike(pid) {
      const resume = halt(pid);
      await once(AbortSignal.timeout(STOPPED_MS), "abort");
      resume();
    },
  },
  {
    title: "kill -9 of the daemon",
    harms: [...ROLES],
    aim: (stage) => stage.daemon(),
    async strike(pid, { troupe }) {
      end(pid);
      await troupe.again();
    },
  },
];

function end(pid: number): void {
  process.kill(pid, "SIGKILL");
}

/** Stops a process. The returned function continues it, if it still lives. */
function halt(pid: number): () => void {
  const started = statOf(pid)?.startedTicks;
  process.kill(pid, "SIGSTOP");
  return () => {
    if (statOf(pid)?.startedTicks === started) process.kill(pid, "SIGCONT");
  };
}

/** Returns the busiest renderer. It draws a session's page, and is not one of a warm session. */
async function busiest({ troupe }: Stage, role: Role): Promise<number> {
  const ticks = (pid: number) => statOf(pid)?.cpuTicks ?? 0;
  const before = new Map(renderersOf(troupe, role).map((pid) => [pid, ticks(pid)]));
  const done = (pid: number) => ticks(pid) - (before.get(pid) ?? 0);
  await within(DRAWS_MS_MAX, () => [...before.keys()].some((pid) => done(pid) >= DRAWS_TICKS));
  const [first] = [...before.keys()].sort((one, other) => done(other) - done(one));
  if (!first) throw new Error(`no renderer of ${role} runs`);
  return first;
}
