/** Measures many awake sessions that are all in use, as the goals promise for 2 cores and 8 GB: 20 in each of 4 roles. */
import type { FoundBrowser } from "../../../worker/chrome/find-browser.ts";
import { testClient } from "../../harness/daemon.ts";
import { startTroupe, type Troupe } from "../../harness/troupe.ts";
import { quantile } from "../../scale/verdicts.ts";
import { elapsed } from "../capacity/elapsed.ts";
import { memoryOf, type Parts, servePages, timeDuring, total } from "../capacity/footprint.ts";
import { TROUPE } from "../contenders/troupe.ts";
import type { Unit } from "../results/results.ts";
import { browsersOfEachKind } from "./density.ts";
import { attempt, type Run } from "./rounds.ts";

export const loadPage = "load";
export const LOADED_SESSIONS = 80;

const ROLES = ["one", "two", "three", "four"];
/** Each session has a call in each period. */
const PERIOD_MS = 5_000;
const ROWS = 125;
const DEADLINE_MS = 30_000;
/** The shortest wait that the daemon counts apart from none. */
const WAIT_SECONDS = "0.005";
/** The mix of `deploy/CAPACITY.md`: five looks, four clicks and a navigation. */
const TURNS = ["look", "click", "look", "click", "look", "click", "look", "click", "look", "navigate"];
const PARTS = ["daemon", "worker", "browser"] as const satisfies (keyof Parts)[];
/** Steps of the golden ratio spread the sessions evenly over a period, alike in each run. */
const PHASE_STEP = 0.618;

type Client = ReturnType<typeof testClient>;

interface Agent {
  index: number;
  given: { role: string; session: string; deadlineMs: number };
  /** Its calls are due so long after the beginning of each period. */
  phaseMs: number;
  /** The checkbox that it clicks. */
  ref: string;
}

interface Answered {
  /** From the moment at which each call was due. */
  ms: number[];
  /** Calls that were due before the same session's previous one had ended. */
  late: number;
}

interface Use {
  client: Client;
  agents: readonly Agent[];
  url: string;
  periods: number;
  signal: AbortSignal;
}

export async function measureLoad(run: Run): Promise<void> {
  for (const browser of await browsersOfEachKind()) {
    const periods = run.quick ? 2 : 6;
    run.say(
      `${loadPage}: ${LOADED_SESSIONS} sessions, ${periods * LOADED_SESSIONS} calls, in ${browser.kind}`,
    );
    await attempt(run, { contender: "troupe", page: loadPage }, () => measureIn(browser, periods, run));
  }
}

async function measureIn(browser: FoundBrowser, periods: number, run: Run): Promise<void> {
  const keep = (measure: string, value: number, unit: Unit) => {
    run.say(`  ${measure}: ${value.toFixed(1)} ${unit}`);
    run.results.quantities.push({ page: loadPage, measure: `${measure}, ${browser.kind}`, value, unit });
  };
  await using site = await servePages();
  const role = { sessions: LOADED_SESSIONS / ROLES.length, hibernateAfter: "never" };
  await using troupe = await startTroupe({
    roles: Object.fromEntries(ROLES.map((name) => [name, role])),
    env: { TROUPE_BROWSER: browser.executable },
    cli: TROUPE,
  });
  const client = testClient(troupe.address);
  using _ = { [Symbol.dispose]: () => client.close() };
  const url = `${site.url}/${ROWS}`;
  const agents = newAgents();
  for (const agent of agents) await navigate(client, agent, url);
  const before = await countersOf(troupe);
  let answered: Answered = { ms: [], late: 0 };
  const beganMs = performance.now();
  const busyMs = await timeDuring(troupe, async () => {
    answered = await inUse({ client, agents, url, periods, signal: run.signal });
  });
  const tookMs = performance.now() - beganMs;
  const after = await countersOf(troupe);
  const memory = memoryOf(troupe);
  keep("awake", after.awake, "sessions");
  keep("waited for a worker", after.waited - before.waited, "calls");
  keep("waited for the session's previous call", answered.late, "calls");
  keep("reply, median", quantile(answered.ms, 0.5), "ms");
  keep("reply, 99 of 100", quantile(answered.ms, 0.99), "ms");
  keep("all processes", total(memory), "MiB");
  for (const part of PARTS) keep(`${part}, memory`, memory[part], "MiB");
  for (const part of PARTS) keep(`${part}, processor`, (100 * busyMs[part]) / tookMs, "% of a core");
}

function newAgents(): Agent[] {
  return Array.from({ length: LOADED_SESSIONS }, (_, index) => ({
    index,
    given: { role: ROLES[index % ROLES.length] ?? "", session: `s${index}`, deadlineMs: DEADLINE_MS },
    phaseMs: (((index + 1) * PHASE_STEP) % 1) * PERIOD_MS,
    ref: "",
  }));
}

/** Calls are due by the clock, however long the earlier ones take. */
async function inUse({ client, agents, url, periods, signal }: Use): Promise<Answered> {
  const answered: Answered = { ms: [], late: 0 };
  const beganMs = performance.now();
  const use = async (agent: Agent) => {
    for (let period = 0; period < periods; period++) {
      const dueMs = beganMs + period * PERIOD_MS + agent.phaseMs;
      const leftMs = dueMs - performance.now();
      if (leftMs < 0) answered.late++;
      else await elapsed(leftMs);
      signal.throwIfAborted();
      await call(client, agent, period, url);
      answered.ms.push(performance.now() - dueMs);
    }
  };
  await Promise.all(agents.map(use));
  return answered;
}

async function call(client: Client, agent: Agent, period: number, url: string): Promise<void> {
  const turn = TURNS[(agent.index + period) % TURNS.length];
  if (turn === "navigate") await navigate(client, agent, `${url}?${period}`);
  else if (turn === "click") await replied(client.tool("Click", { ref: agent.ref }, agent.given));
  else for await (const _ of client.stream("Browser.Snapshot", {}, agent.given));
}

async function navigate(client: Client, agent: Agent, url: string): Promise<void> {
  const { text } = await replied(client.tool("Navigate", { url }, agent.given));
  agent.ref = /checkbox "Select 0" \[ref=(\w+)\]/.exec(text)?.[1] ?? "";
}

/** A refused call costs less, so it must not count. */
async function replied<T>(outcome: Promise<{ ok?: T; status?: Error }>): Promise<T> {
  const { ok, status } = await outcome;
  if (!ok) throw status ?? new Error("no reply");
  return ok;
}

/** Returns the sessions that are awake, and the calls so far that did not have their worker at once. */
async function countersOf({ http }: Troupe): Promise<{ awake: number; waited: number }> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const sum = (name: string, label = "") =>
    [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\d+)$`, "gm"))]
      .filter(([, labels]) => labels?.includes(label))
      .reduce((all, [, , value]) => all + Number(value), 0);
  const wait = "troupe_queue_wait_seconds";
  return {
    awake: sum("troupe_sessions", 'state="awake"'),
    waited: sum(`${wait}_count`) - sum(`${wait}_bucket`, `le="${WAIT_SECONDS}"`),
  };
}
