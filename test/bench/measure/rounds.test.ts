import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContenderId, Results } from "../results/results.ts";
import type { Entrant } from "./entrant.ts";
import { inTurn, type Run } from "./rounds.ts";

/** Entrants that only count how often they are started anew. */
function runOf(ids: ContenderId[], { startsAgain = true } = {}) {
  const started: string[] = [];
  const entrants = ids.map(
    (id) =>
      ({
        contender: { id },
        startAnew: async () => {
          started.push(id);
          if (!startsAgain) throw new Error("no port is free");
        },
      }) as unknown as Entrant,
  );
  const results: Results = { samples: [], quantities: [], failures: [] };
  const run: Run = { entrants, results, quick: false, signal: new AbortController().signal, say: () => {} };
  return { run, results, started };
}

const answer = { ms: 1, text: "abc" };

test("all take their turn in each round, and each has its number of rounds", async () => {
  const { run, results } = runOf(["troupe", "playwright"]);
  const turns: string[] = [];
  const rounds = (id: ContenderId) => (id === "troupe" ? 3 : 1);
  await inTurn(run, { page: "p", rounds }, async ({ entrant, round, keep }) => {
    turns.push(`${entrant.contender.id} ${round}`);
    keep("m", answer);
    keep("not known", undefined);
  });
  assert.deepEqual(turns, ["troupe 0", "playwright 0", "troupe 1", "troupe 2"]);
  assert.equal(results.samples.length, 4, "a look that there is not gives no sample");
  assert.deepEqual(results.samples[0], {
    contender: "troupe",
    page: "p",
    measure: "m",
    ms: 1,
    characters: 3,
  });
});

test("a contender that fails is restarted, and left out after its second failure; the others continue", async () => {
  const { run, results, started } = runOf(["troupe", "playwright"]);
  await inTurn(run, { page: "p", rounds: 4 }, async ({ entrant, keep }) => {
    keep("first", answer);
    if (entrant.contender.id === "playwright") throw new Error("it broke");
  });
  assert.deepEqual(started, ["playwright", "playwright"]);
  assert.equal(results.samples.filter(({ contender }) => contender === "troupe").length, 4);
  assert.equal(results.samples.filter(({ contender }) => contender === "playwright").length, 2);
  assert.deepEqual(results.failures[0], {
    contender: "playwright",
    page: "p",
    measure: "after first",
    reason: "it broke",
  });
});

test("a contender that cannot restart is out of the run, and the reason is kept", async () => {
  const { run, results } = runOf(["troupe", "playwright"], { startsAgain: false });
  await inTurn(run, { page: "p", rounds: 3 }, async ({ entrant }) => {
    if (entrant.contender.id === "troupe") throw new Error("it broke");
  });
  assert.deepEqual(
    run.entrants.map(({ contender }) => contender.id),
    ["playwright"],
  );
  assert.deepEqual(
    results.failures.map(({ reason }) => reason),
    ["it broke", "no port is free"],
  );
});

test("an interrupted run ends without failures of contenders", async () => {
  const interrupted = new AbortController();
  const { run, results } = runOf(["troupe"]);
  run.signal = interrupted.signal;
  const running = inTurn(run, { page: "p", rounds: 3 }, async () => {
    interrupted.abort();
    throw new Error("aborted");
  });
  await assert.rejects(running, { name: "AbortError" });
  assert.deepEqual(results.failures, []);
});
