// Many sessions at work without a pause: they stay isolated, all are served, and nothing grows.
import { once } from "node:events";
import { pssMiB } from "../harness/proc.ts";
import { typesOf } from "./scenario/agent.ts";
import { lostRecords } from "./scenario/call-log.ts";
import type { Figure } from "./scenario/figures.ts";
import { below } from "./scenario/process-audit.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { openStage, SOAK_ROLES, type Stage } from "./scenario/stage.ts";

const EACH = 8;
const SLOWEST_TO_FASTEST_MIN = 0.7;
/** The largest ratio of the end to the middle, because the pages' memory goes up and down. */
const MEMORY_RATIO_MAX = 1.2;

export const soak: Scenario = {
  name: "soak",
  about: `${EACH * SOAK_ROLES.length} sessions in ${SOAK_ROLES.length} roles at mixed work without a pause`,
  async *play({ minutes, say, interrupted }) {
    const settings = { limits: { callTimeout: "30s" } };
    await using stage = await openStage({ each: EACH, roles: SOAK_ROLES, paceMs: 0, settings, interrupted });
    say(`every session works; ${minutes} minutes from now…`);
    yield { title: `${minutes} minutes`, figures: await soaked(stage, minutes * 60_000) };
  },
};

/** Returns the figures of that time under load. */
async function soaked(stage: Stage, lastsMs: number): Promise<Figure[]> {
  const { load, troupe } = stage;
  const callsBefore = new Map(load.hands.map((hand) => [hand, hand.agent.outcomes.length]));
  const crossTalkBefore = load.hands.reduce((sum, { crossTalk }) => sum + crossTalk, 0);
  const memory = [memoryOf(stage)];
  for (const _ of ["middle", "end"]) {
    await once(AbortSignal.timeout(lastsMs / 2), "abort");
    memory.push(memoryOf(stage));
  }
  const since = new Map(load.hands.map((hand) => [hand, hand.agent.outcomes.slice(callsBefore.get(hand))]));
  const done = [...since.values()].map((calls) => calls.filter(({ answer }) => answer === "ok").length);
  await load.stop();
  const all = [...since.values()].flat();
  const failed = all.filter(({ answer }) => answer !== "ok");
  const unanswered = failed.filter(({ answer }) => answer !== "error");
  const lost = await lostRecords(troupe.address, load.outcomes);
  const [slowest, fastest] = [Math.min(...done), Math.max(...done)];
  const odd = load.hands.flatMap((hand) => hand.odd);
  return [
    { name: "sessions", value: load.hands.length },
    { name: "calls", value: all.length },
    { name: "calls a second", value: all.length / (lastsMs / 1000) },
    {
      name: "cross-talk",
      value: load.hands.reduce((sum, { crossTalk }) => sum + crossTalk, 0) - crossTalkBefore,
      bar: { most: 0 },
    },
    { name: "errors", value: failed.length, bar: { most: 0 }, note: typesOf(failed) },
    {
      name: "odd replies",
      value: odd.length,
      bar: { most: 0 },
      ...(odd[0] && { note: odd[0].slice(0, 200) }),
    },
    { name: "calls without an answer", value: unanswered.length, bar: { most: 0 } },
    {
      name: "slowest / fastest session",
      value: slowest / fastest,
      bar: { least: SLOWEST_TO_FASTEST_MIN },
      note: `${slowest} and ${fastest} calls`,
    },
    { name: "lost journal records", value: lost.length, bar: { most: 0 } },
    ...memoryFigures(memory),
  ];
}

interface Memory {
  daemon: number;
  workers: number;
  browsers: number;
}

function memoryFigures([first, middle, end]: readonly Memory[]): Figure[] {
  if (!first || !middle || !end) throw new Error("memory was not measured");
  return (["daemon", "workers", "browsers"] as const).map((name) => ({
    name: `memory of ${name} in the end / in the middle`,
    value: end[name] / middle[name],
    bar: { most: MEMORY_RATIO_MAX },
    note: `${[first, middle, end].map((each) => Math.round(each[name])).join(", ")} MiB`,
  }));
}

function memoryOf({ daemon }: Stage): Memory {
  const pid = daemon();
  const all = below(pid);
  const workers = all.filter(({ parent }) => parent === pid);
  const isWorker = new Set(workers.map((each) => each.pid));
  const pss = (of: typeof all) => of.reduce((sum, each) => sum + pssMiB(each.pid), 0);
  const browsers = all.filter((each) => each.pid !== pid && !isWorker.has(each.pid));
  return { daemon: pssMiB(pid), workers: pss(workers), browsers: pss(browsers) };
}
