/** Takes all entrants through a page in turn, round by round, and keeps the figures of their answers. */
import type { Answer } from "../contenders/mcp-server.ts";
import { type ContenderId, type Results, reasonOf } from "../results/results.ts";
import type { Entrant } from "./entrant.ts";

/** The input of each part of the benchmark. */
export interface Run {
  /** A contender that cannot restart is removed. */
  entrants: Entrant[];
  results: Results;
  quick: boolean;
  signal: AbortSignal;
  /** Reports progress to the person who waits. */
  say(line: string): void;
}

/** Keeps one answer. A snapshot that a contender lacks is not kept. */
export type Keep = (measure: string, answer: Pick<Answer, "ms" | "text"> | undefined) => void;

export interface Round {
  entrant: Entrant;
  /** Counts from 0. */
  round: number;
  keep: Keep;
}

export interface Rounds {
  page: string;
  /** One number for all, or one for each. */
  rounds: number | ((id: ContenderId) => number);
}

/** After so many failures at a page a contender is left out there. */
const FAILURES_MAX = 2;

/**
 * Runs the entrants one after the other in each round. An entrant that fails is started anew, because its unfinished
 * work must not keep the machine busy while others are measured.
 */
export async function inTurn(
  run: Run,
  { page, rounds }: Rounds,
  take: (round: Round) => Promise<void>,
): Promise<void> {
  const roundsOf = (id: ContenderId) => (typeof rounds === "number" ? rounds : rounds(id));
  const most = Math.max(0, ...run.entrants.map(({ contender }) => roundsOf(contender.id)));
  run.say(`${page}: ${most} ${most === 1 ? "round" : "rounds"}`);
  const failures = new Map<Entrant, number>();
  for (let round = 0; round < most; round++) {
    for (const entrant of [...run.entrants]) {
      const { id } = entrant.contender;
      if ((failures.get(entrant) ?? 0) >= FAILURES_MAX || round >= roundsOf(id)) continue;
      const failed = await attempt(run, { contender: id, page }, (keep) => take({ entrant, round, keep }));
      if (!failed) continue;
      failures.set(entrant, (failures.get(entrant) ?? 0) + 1);
      await startAnew(run, entrant);
    }
  }
}

async function startAnew(run: Run, entrant: Entrant): Promise<void> {
  const where = { contender: entrant.contender.id, page: "its new start" };
  const failed = await attempt(run, where, () => entrant.startAnew());
  if (failed) run.entrants.splice(run.entrants.indexOf(entrant), 1);
}

/** Returns true if it failed. Earlier measurements stay. */
export async function attempt(
  run: Pick<Run, "results" | "signal" | "say">,
  where: { contender: ContenderId; page: string },
  take: (keep: Keep) => Promise<void>,
): Promise<boolean> {
  run.signal.throwIfAborted();
  let last = "";
  const keep: Keep = (measure, answer) => {
    last = measure;
    if (!answer) return;
    run.results.samples.push({ ...where, measure, ms: answer.ms, characters: answer.text.length });
  };
  try {
    await take(keep);
    return false;
  } catch (error) {
    run.signal.throwIfAborted();
    const failure = { ...where, measure: last ? `after ${last}` : "at first", reason: reasonOf(error) };
    run.results.failures.push(failure);
    run.say(`  ${failure.contender} failed ${failure.measure}: ${failure.reason}`);
    return true;
  }
}
