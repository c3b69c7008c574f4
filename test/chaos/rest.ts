// Many more sessions than slots: each hibernates, is called in turn, and comes back with its page and cookies.
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { testClient } from "../harness/daemon.ts";
import { pssMiB, read } from "../harness/proc.ts";
import { within } from "../harness/within.ts";
import { type Site, serveSite } from "../site/serve.ts";
import { Agent, type Outcome } from "./scenario/agent.ts";
import type { Figure } from "./scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "./scenario/own-daemon.ts";
import { below } from "./scenario/process-audit.ts";
import type { Scenario } from "./scenario/scenario.ts";

const PLACES = 16;
/** The shortest possible bound: a session makes room as soon as it hibernates by itself. */
const HIBERNATE_AFTER = "1s";
const ALL_REST_MS_MAX = 60_000;
const BACK_P50_MS_MAX = 500;

export const rest: Scenario = {
  name: "rest",
  about: `many sessions in one role with ${PLACES} places, each called in turn`,
  async *play({ sessions, say, interrupted }) {
    await using site = await serveSite();
    const config = {
      limits: { queueWait: "20s", callTimeout: "25s" },
      roles: { desk: { sessions: PLACES, hibernateAfter: HIBERNATE_AFTER, memory: "4GiB" } },
    };
    await using daemon = await startOwnDaemon("real", config, interrupted);
    using agents = new DisposableStack();
    const control = agents.adopt(testClient(daemon.address), (client) => client.close());
    const page = deskOf(site);
    const all = Array.from({ length: sessions }, (_, index) =>
      agents.use(new Agent({ address: daemon.address, role: "desk", name: `desk-${index}` })),
    );
    const before = memoryOf(daemon);
    say(`opening ${sessions} sessions…`);
    for (const agent of all) await agent.call("browser_navigate", { url: `${page}?name=${agent.token}` });
    await within(ALL_REST_MS_MAX, async () => (await awake(control)) === 0);
    const atRest = memoryOf(daemon);
    say("calling each in turn…");
    const back: { outcome: Outcome; agent: Agent }[] = [];
    for (const agent of all) back.push({ agent, outcome: await agent.call("browser_snapshot") });
    const whole = back.filter(({ agent, outcome }) => isBack(outcome, agent)).length;
    const tookMs = back.map(({ outcome: { beganMs, endedMs } }) => endedMs - beganMs);
    const atWork = memoryOf(daemon);
    const said = back.find(({ agent, outcome }) => !isBack(outcome, agent))?.outcome.text.slice(0, 200);
    yield {
      title: `${sessions} sessions in ${PLACES} places`,
      figures: [
        {
          name: "came back with page and cookie",
          value: whole,
          bar: { least: sessions },
          ...(said && { note: said }),
        },
        {
          name: "time to come back, p50",
          value: percentile(tookMs, 0.5),
          unit: "ms",
          bar: { most: BACK_P50_MS_MAX },
        },
        { name: "time to come back, p95", value: percentile(tookMs, 0.95), unit: "ms" },
        ...memory("before", before),
        ...memory("all at rest", atRest),
        ...memory("each called", atWork),
        { name: "session store", value: storeMiB(daemon), unit: "MiB" },
      ],
    };
  },
};

/** A page that shows the cookie that it got, and stores a value of its own. */
function deskOf(site: Site): string {
  return site.route((request, response) => {
    const name = new URL(request.url ?? "", site.origin).searchParams.get("name");
    response.writeHead(200, {
      "content-type": "text/html",
      ...(!request.headers.cookie && name && { "set-cookie": `name=${name}; Path=/; Max-Age=86400` }),
    });
    response.end(`<title>Desk</title><h1>Cookie ${request.headers.cookie ?? "none"}</h1><p id=kept></p><script>
      localStorage.kept ??= "${name}".repeat(20);
      kept.textContent = "Kept " + localStorage.kept.slice(0, 40);
    </script>`);
  });
}

function isBack({ answer, text }: Outcome, { token }: Agent): boolean {
  return answer === "ok" && text.includes(`Cookie name=${token}`) && text.startsWith("Restored after rest");
}

async function awake(control: ReturnType<typeof testClient>): Promise<number> {
  const { ok } = await control.ask("GetRole", { name: "desk" });
  return ok?.role?.sessions ?? Number.NaN;
}

/** Returns a percentile by the nearest rank. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

type Memory = Record<"daemon" | "workers" | "browser", number>;

function memoryOf({ pid }: OwnDaemon): Memory {
  const sum: Memory = { daemon: pssMiB(pid), workers: 0, browser: 0 };
  for (const { pid: each } of below(pid)) {
    if (each === pid) continue;
    const isWorker = (read(`/proc/${each}/cmdline`) ?? "").includes("worker/main.ts");
    sum[isWorker ? "workers" : "browser"] += pssMiB(each);
  }
  return sum;
}

function memory(when: string, { daemon, workers, browser }: Memory): Figure[] {
  return Object.entries({ daemon, workers, browser }).map(([of, value]) => ({
    name: `${when}: memory of ${of}`,
    value,
    unit: "MiB",
  }));
}

function storeMiB({ stateDir }: OwnDaemon): number {
  const files = readdirSync(stateDir).filter((name) => name.startsWith("sessions.db"));
  return files.reduce((sum, name) => sum + statSync(path.join(stateDir, name)).size, 0) / 2 ** 20;
}
