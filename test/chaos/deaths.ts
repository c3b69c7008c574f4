// kill -9 and SIGSTOP of every kind of process, under load.
import { once } from "node:events";
import { browserOf, renderersOf, workerOf } from "../faults/processes.ts";
import { statOf } from "../proc.ts";
import { type Blow, strike } from "./blow.ts";
import type { Scenario } from "./scenario.ts";
import { openStage, ROLES, type Role, type Stage } from "./stage.ts";

/** Ten heartbeats that a worker misses tell a hang from slowness; the start comes on top. */
const HANG_SERVES_MS = 13_000;
/** A call is given up at its deadline, 10 s here. */
const CALL_SERVES_MS = 12_000;
const STOPPED_MS = 2000;

export const deaths: Scenario = {
  name: "deaths",
  about: "kill -9 and SIGSTOP of worker, browser, renderer and daemon, under 3 roles with 4 sessions each",
  async *play({ say, interrupted }) {
    await using stage = await openStage({ interrupted });
    for (const blow of blows) {
      say(`${blow.title}…`);
      yield { title: blow.title, figures: await strike(stage, blow) };
    }
    const { troupe, load, census, daemon } = stage;
    await load.stop();
    census.look(daemon());
    const pid = daemon();
    process.kill(pid, "SIGTERM");
    const left = await census.leftOver(0);
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

/** Each role is struck in turn, so that none comes near its bound of restarts. */
export const blows: readonly Blow[] = [
  { title: "kill -9 of a worker", harms: ["red"], strike: ({ troupe }) => end(workerOf(troupe, "red").pid) },
  {
    title: "kill -9 of a browser",
    harms: ["green"],
    strike: ({ troupe }) => end(browserOf(troupe, "green")),
  },
  {
    title: "kill -9 of a renderer",
    harms: ["blue"],
    single: true,
    strike: (stage) => end(busiest(stage, "blue")),
  },
  {
    title: "SIGSTOP of a worker",
    harms: ["red"],
    servesWithinMs: HANG_SERVES_MS,
    strike: ({ troupe }, later) => later(halt(workerOf(troupe, "red").pid)),
  },
  {
    title: "SIGSTOP of a browser",
    harms: ["green"],
    servesWithinMs: HANG_SERVES_MS,
    strike: ({ troupe }, later) => later(halt(browserOf(troupe, "green"))),
  },
  {
    title: "SIGSTOP of a renderer",
    harms: ["blue"],
    single: true,
    servesWithinMs: CALL_SERVES_MS,
    strike: (stage, later) => later(halt(busiest(stage, "blue"))),
  },
  {
    title: `SIGSTOP of the daemon for ${STOPPED_MS / 1000} s`,
    harms: [...ROLES],
    servesWithinMs: STOPPED_MS + 2000,
    async strike(stage) {
      const resume = halt(stage.daemon());
      await once(AbortSignal.timeout(STOPPED_MS), "abort");
      resume();
    },
  },
  {
    title: "kill -9 of the daemon",
    harms: [...ROLES],
    async strike(stage) {
      end(stage.daemon());
      await stage.troupe.again();
    },
  },
];

function end(pid: number): void {
  process.kill(pid, "SIGKILL");
}

/** Stops a process; what is returned lets it go on, where it still lives. */
function halt(pid: number): () => void {
  const started = statOf(pid)?.startedTicks;
  process.kill(pid, "SIGSTOP");
  return () => {
    if (statOf(pid)?.startedTicks === started) process.kill(pid, "SIGCONT");
  };
}

/** The renderer that has done most: it surely draws somebody's page. */
function busiest({ troupe }: Stage, role: Role): number {
  const ticks = (pid: number) => statOf(pid)?.cpuTicks ?? 0;
  const [first] = renderersOf(troupe, role).sort((one, other) => ticks(other) - ticks(one));
  if (!first) throw new Error(`no renderer of ${role} runs`);
  return first;
}
