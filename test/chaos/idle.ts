// The cost of an idle daemon: with pages that run, and with frozen pages.
import { once } from "node:events";
import { cpuSeconds, pssMiB } from "../harness/proc.ts";
import { within } from "../harness/within.ts";
import { type Site, serveSite } from "../site/serve.ts";
import { Agent } from "./scenario/agent.ts";
import type { Figure } from "./scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "./scenario/own-daemon.ts";
import { below } from "./scenario/process-audit.ts";
import { kindOf, type ProcessKind } from "./scenario/process-kind.ts";
import type { Part, Scenario } from "./scenario/scenario.ts";

const SESSIONS = 50;
const MEASURED_S = 20;
/** The bound that counts as "about 0 %", of one core. */
const IDLE_PERCENT_MAX = 1;
/** The longest time from the last call until the last page reports that it is frozen. */
const STILL_MS_MAX = 60_000;
/** Frozen pages return memory some time later, and then the daemon measures once more. */
const SETTLING_MS = 45_000;

export const idle: Scenario = {
  name: "idle",
  about: `a daemon with ${SESSIONS} sessions at rest, whose pages have timers`,
  async *play({ say, interrupted }) {
    await using site = await serveSite();
    for (const freezeAfter of ["never", "1s"]) {
      const roles = Object.fromEntries(
        ["red", "green"].map((name) => [name, { sessions: SESSIONS / 2, memory: "8GiB", freezeAfter }]),
      );
      await using daemon = await startOwnDaemon("real", { roles }, interrupted);
      using agents = new DisposableStack();
      say(`opening ${SESSIONS} sessions…`);
      yield await atRest({ daemon, site, agents, say, isFrozen: freezeAfter !== "never" });
    }
  },
};

interface Resting {
  daemon: OwnDaemon;
  site: Site;
  agents: DisposableStack;
  say: (line: string) => void;
  isFrozen: boolean;
}

async function atRest({ daemon, site, agents, say, isFrozen }: Resting): Promise<Part> {
  const page = lively(site);
  let opened = 0;
  for (let index = 0; index < SESSIONS; index++) {
    const role = index % 2 === 0 ? "red" : "green";
    const agent = agents.use(new Agent({ address: daemon.address, role, name: `rest-${index}` }));
    const { answer } = await agent.call("browser_navigate", { url: page.url });
    if (answer === "ok") opened++;
  }
  if (isFrozen) {
    await within(STILL_MS_MAX, () => page.still() >= SESSIONS);
    await once(AbortSignal.timeout(SETTLING_MS), "abort");
  }
  say(`measuring for ${MEASURED_S} s…`);
  const processes = below(daemon.pid).map(({ pid }) => ({ pid, kind: kindOf(pid, daemon.pid) }));
  const before = new Map(processes.map(({ pid }) => [pid, cpuSeconds(pid)]));
  const beganMs = performance.now();
  await once(AbortSignal.timeout(MEASURED_S * 1000), "abort");
  const seconds = (performance.now() - beganMs) / 1000;
  const of = (...kinds: ProcessKind[]) => processes.filter(({ kind }) => kinds.includes(kind));
  const percent = (these: readonly { pid: number }[]) =>
    (these.reduce((sum, { pid }) => sum + Math.max(0, cpuSeconds(pid) - (before.get(pid) ?? 0)), 0) /
      seconds) *
    100;
  const memory = (these: readonly { pid: number }[]) => these.reduce((sum, { pid }) => sum + pssMiB(pid), 0);
  const share = (name: string, kind: ProcessKind, note: string): Figure => ({
    name: `CPU of ${name}`,
    value: percent(of(kind)),
    unit: "%",
    note,
    // The rest of the pages' and browsers' cost is Chrome's own.
    ...((kind === "daemon" || kind === "worker") && { bar: { most: IDLE_PERCENT_MAX } }),
  });
  const rest = of("worker", "browser", "page", "browser's help");
  return {
    title: isFrozen ? "pages at rest" : "pages that run on",
    figures: [
      { name: "sessions with a page", value: opened, bar: { least: SESSIONS } },
      {
        name: "pages that stand still",
        value: page.still(),
        bar: isFrozen ? { least: SESSIONS } : { most: 0 },
      },
      share("the daemon", "daemon", "the event loop's delay, heartbeats, the roles' memory"),
      share("2 workers", "worker", "heartbeats, the browsers' pulse"),
      share("2 browsers", "browser", "their pulse, and what Chrome does by itself"),
      share("their help", "browser's help", "network, graphics"),
      share(
        "pages",
        "page",
        isFrozen ? "none runs; what Chrome does about them" : "a timer each, ten times a second",
      ),
      { name: "processes", value: processes.length },
      { name: "of them pages", value: of("page").length },
      { name: "memory of the daemon", value: memory(of("daemon")), unit: "MiB" },
      { name: "memory of workers and browsers", value: memory(rest), unit: "MiB" },
    ],
  };
}

/** A page that never becomes idle, and reports to the site when it freezes. */
function lively(site: Site): { url: string; still(): number } {
  const told = site.route((_request, response) => void response.end());
  const url = site.page(`<title>Rest</title><h1>Rest</h1><button>Go</button><p id=ticks></p><script>
    let count = 0;
    setInterval(() => { ticks.textContent = ++count; }, 100);
    document.addEventListener("freeze", () => navigator.sendBeacon("${new URL(told).pathname}"));
  </script>`);
  return { url, still: () => site.count(told) };
}
