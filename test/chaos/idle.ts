// What a daemon takes of the machine while nobody asks for anything.
import { once } from "node:events";
import { cpuSeconds, pssMiB } from "../proc.ts";
import { serveSite } from "../site/serve.ts";
import { Agent } from "./agent.ts";
import { below } from "./census.ts";
import { startOwnDaemon } from "./own-daemon.ts";
import type { Scenario } from "./scenario.ts";

const SESSIONS = 50;
const MEASURED_S = 20;
/** What is meant by "about 0 %". */
const IDLE_PERCENT_MAX = 1;

export const idle: Scenario = {
  name: "idle",
  about: `a daemon with ${SESSIONS} sessions at rest, each with a page`,
  async *play({ say, interrupted }) {
    await using site = await serveSite();
    const roles = { red: { sessions: SESSIONS / 2 }, green: { sessions: SESSIONS / 2 } };
    await using daemon = await startOwnDaemon("real", { roles }, interrupted);
    const url = site.page("<title>Rest</title><h1>Rest</h1><button>Go</button>");
    say(`opening ${SESSIONS} sessions…`);
    using agents = new DisposableStack();
    let opened = 0;
    for (let index = 0; index < SESSIONS; index++) {
      const role = index % 2 === 0 ? "red" : "green";
      const agent = agents.use(new Agent({ address: daemon.address, role, name: `rest-${index}` }));
      const { answer } = await agent.call("browser_navigate", { url });
      if (answer === "ok") opened++;
    }
    const all = below(daemon.pid).map(({ pid }) => pid);
    const before = new Map(all.map((pid) => [pid, cpuSeconds(pid)]));
    const beganMs = performance.now();
    say(`measuring for ${MEASURED_S} s…`);
    await once(AbortSignal.timeout(MEASURED_S * 1000), "abort");
    const seconds = (performance.now() - beganMs) / 1000;
    const percent = (pids: readonly number[]) =>
      (pids.reduce((sum, pid) => sum + Math.max(0, cpuSeconds(pid) - (before.get(pid) ?? 0)), 0) / seconds) *
      100;
    const rest = all.filter((pid) => pid !== daemon.pid);
    yield {
      title: "at rest",
      figures: [
        { name: "sessions with a page", value: opened, bar: { least: SESSIONS } },
        {
          name: "CPU of the daemon",
          value: percent([daemon.pid]),
          unit: "%",
          bar: { most: IDLE_PERCENT_MAX },
        },
        { name: "CPU of workers and browsers", value: percent(rest), unit: "%" },
        { name: "processes", value: all.length },
        { name: "memory of the daemon", value: pssMiB(daemon.pid), unit: "MiB" },
        {
          name: "memory of workers and browsers",
          value: rest.reduce((sum, pid) => sum + pssMiB(pid), 0),
          unit: "MiB",
        },
      ],
    };
  },
};
