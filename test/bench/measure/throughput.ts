/** Measures the calls a second of one client: those that the daemon answers, and those that workers answer. */
import { testClient } from "../../harness/daemon.ts";
import { startTroupe } from "../../harness/troupe.ts";
import { attempt, type Run } from "./rounds.ts";

export const throughputPage = "throughput";

const ROLES = ["one", "other"] as const;
const DAEMON_IN_FLIGHT = 8;
const WORKERS_IN_FLIGHT = 64;
const DEADLINE_MS = 60_000;
const PLAIN_PAGE = "data:text/html,<title>Plain</title><h1>Plain</h1>";

type Call = () => Promise<unknown>;

export async function measureThroughput(run: Run): Promise<void> {
  const [rounds, seconds] = run.quick ? [1, 2] : [5, 5];
  run.say(`${throughputPage}: ${rounds} rounds`);
  await attempt(run, { contender: "troupe", page: throughputPage }, async () => {
    const roles = Object.fromEntries(ROLES.map((role) => [role, { sessions: WORKERS_IN_FLIGHT }]));
    await using troupe = await startTroupe({ roles });
    const client = testClient(troupe.address);
    const keep = (measure: string, value: number) => {
      run.say(`  ${measure}: ${Math.round(value)} calls a second`);
      run.results.quantities.push({ page: throughputPage, measure, value, unit: "calls/s" });
    };
    try {
      const sessions = Array.from({ length: WORKERS_IN_FLIGHT }, (_, n) => ({
        session: `s${n}`,
        role: ROLES[n % ROLES.length] as string,
        deadlineMs: DEADLINE_MS,
      }));
      const byDaemon = sessions
        .slice(0, DAEMON_IN_FLIGHT)
        .map((given) => () => answered(client.tool("GetCurrentRole", {}, given)));
      const byWorkers = sessions.map((given) => () => answered(client.tool("ConsoleMessages", {}, given)));
      for (const given of sessions) await answered(client.tool("Navigate", { url: PLAIN_PAGE }, given));
      // The first calls compile.
      for (const lanes of [byDaemon, byWorkers]) await callsASecond(lanes, seconds, run.signal);
      for (let round = 0; round < rounds; round++) {
        keep("daemon", await callsASecond(byDaemon, seconds, run.signal));
        keep("workers", await callsASecond(byWorkers, seconds, run.signal));
      }
    } finally {
      client.close();
    }
  });
}

/** Each lane has one call in flight at any time. */
async function callsASecond(lanes: readonly Call[], seconds: number, signal: AbortSignal): Promise<number> {
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1000;
  let count = 0;
  const inTurn = async (call: Call) => {
    while (performance.now() < endMs) {
      signal.throwIfAborted();
      await call();
      count++;
    }
  };
  await Promise.all(lanes.map(inTurn));
  return (1000 * count) / (performance.now() - beganMs);
}

/** A refused call costs less, so it must not count. */
async function answered(outcome: Promise<{ ok?: unknown; status?: Error }>): Promise<void> {
  const { ok, status } = await outcome;
  if (!ok) throw status ?? new Error("no reply");
}
