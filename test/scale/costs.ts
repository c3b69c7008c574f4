// Phases `hop` and `store`: the time that a call through another daemon costs, and the one that PostgreSQL costs.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, type Outcome } from "../chaos/scenario/agent.ts";
import type { Figure } from "../chaos/scenario/figures.ts";
import { startOwnDaemon } from "../chaos/scenario/own-daemon.ts";
import { cpuSeconds } from "../harness/proc.ts";
import { refOf } from "../harness/troupe.ts";
import { type Application, serveApplication } from "./application.ts";
import { CONFIG, Deployment } from "./deployment.ts";
import { quantile } from "./verdicts.ts";
import { ROLE } from "./visitor.ts";

const READS = 600;
const ACTS = 120;
/** V8 goes on optimizing for some thousand calls. A daemon that runs for days has them behind it. */
const READS_BEFORE = 3_000;
/** The first calls of each kind find nothing in caches. */
const ACTS_BEFORE = 20;
const HOP_MS_MAX = 1;
const STORE_MS_MAX = 2;

/** Reads through the owner and through another daemon, in turns. */
export async function hopFigures(interrupted: AbortSignal): Promise<Figure[]> {
  await using application = await serveApplication();
  await using deployment = await Deployment.start(2, interrupted);
  const [owner = "", other = ""] = deployment.pods.map(({ grpc }) => grpc);
  using direct = await agentAt(owner, application, "read");
  using hopping = new Agent({ address: other, role: ROLE, name: "read" });
  const read = (agent: Agent) => timeOf(agent, "browser_tabs", { action: "list" });
  const reads = (times: number) =>
    inTurns(
      times,
      () => read(direct),
      () => read(hopping),
    );
  await reads(READS_BEFORE);
  const pid = deployment.pods[1]?.daemon?.pid ?? 0;
  const beforeSeconds = cpuSeconds(pid);
  const [own, through] = await reads(READS);
  return [
    ...difference("a read through", "the owner", own, "another daemon", through, HOP_MS_MAX),
    {
      name: "processor time of a read in the other daemon",
      value: ((cpuSeconds(pid) - beforeSeconds) * 1000) / READS,
      unit: "ms",
    },
  ];
}

/** Acts in a session that SQLite keeps and in one that PostgreSQL keeps, in turns. */
export async function storeFigures(interrupted: AbortSignal): Promise<Figure[]> {
  await using application = await serveApplication();
  await using deployment = await Deployment.start(1, interrupted);
  await using open = new AsyncDisposableStack();
  const dir = await mkdtemp(path.join(tmpdir(), "trp-"));
  open.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(dir, 0o711);
  const sqlite = open.use(await startOwnDaemon("real", CONFIG, interrupted, { dir }));
  using kept = await agentAt(sqlite.address, application, "sqlite");
  using shared = await agentAt(
    `unix:${path.join(deployment.pods[0]?.dir ?? "", "s", "daemon.sock")}`,
    application,
    "postgres",
  );
  const actors = [await actorOf(kept), await actorOf(shared)] as const;
  await inTurns(ACTS_BEFORE, ...actors);
  const [one, other] = await inTurns(ACTS, ...actors);
  return difference("an act with", "SQLite", one, "PostgreSQL", other, STORE_MS_MAX);
}

async function agentAt(address: string, { origin }: Application, name: string): Promise<Agent> {
  const agent = new Agent({ address, role: ROLE, name });
  await timeOf(agent, "browser_navigate", { url: `${origin}/begin?who=${name}` });
  return agent;
}

/** Returns a function that types into the page, and returns the time. */
async function actorOf(agent: Agent): Promise<() => Promise<number>> {
  const { text } = await good(agent, "browser_snapshot", { full: true });
  const ref = refOf(text, "textbox", "Number");
  let typed = 0;
  return () => timeOf(agent, "browser_type", { ref, text: String(++typed) });
}

/** Returns the times of both. */
async function inTurns(
  times: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  for (let turn = 0; turn < times; turn++) {
    // Neither is always the first.
    const order = turn % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of order as (0 | 1)[]) {
      const ms = await (index === 0 ? one() : other());
      taken[index].push(ms);
    }
  }
  return taken;
}

async function timeOf(...call: Parameters<typeof good>): Promise<number> {
  const { beganMs, endedMs } = await good(...call);
  return endedMs - beganMs;
}

/** Throws if the call fails: its time is none of those to measure. */
async function good(agent: Agent, tool: string, args: Record<string, string | boolean>): Promise<Outcome> {
  const outcome = await agent.call(tool, args);
  if (outcome.answer !== "ok") throw new Error(`${tool} failed: ${outcome.text}`);
  return outcome;
}

function difference(
  what: string,
  first: string,
  one: number[],
  second: string,
  other: number[],
  most: number,
): Figure[] {
  const [less, more] = [quantile(one, 0.5), quantile(other, 0.5)];
  return [
    {
      name: `${what} ${first}: p50`,
      value: less,
      unit: "ms",
      note: `p99 ${quantile(one, 0.99).toFixed(2)} ms`,
    },
    {
      name: `${what} ${second}: p50`,
      value: more,
      unit: "ms",
      note: `p99 ${quantile(other, 0.99).toFixed(2)} ms`,
    },
    { name: "more at p50", value: more - less, unit: "ms", bar: { most } },
  ];
}
