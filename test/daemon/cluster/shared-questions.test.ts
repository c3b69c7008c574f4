// Callers that wait for the same daemon share the question if it has ended, and no caller gets an old answer.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { pino } from "pino";
import { Membership } from "../../../daemon/cluster/membership.ts";
import { SharedQuestions } from "../../../daemon/cluster/shared-questions.ts";
import { systemClock } from "../../../daemon/core/clock.ts";
import { connectTo, Postgres } from "../../../daemon/store/postgres.ts";
import { skipWithoutPostgres as skip, startPostgres } from "../../harness/servers/postgres.ts";
import { until } from "../../harness/within.ts";

test("callers share a question that is asked after their calls, also after one that failed", async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const questions = new SharedQuestions(() => {
    const question = Promise.withResolvers<number>();
    asked.push(question);
    return question.promise;
  });
  const first = questions.ask("a");
  const others = [questions.ask("a"), questions.ask("a")];
  const later = Promise.all(others);
  assert.equal(asked.length, 1);
  asked[0]?.reject(new Error("no answer"));
  await assert.rejects(first, /no answer/);
  assert.equal(asked.length, 2);
  const last = questions.ask("a");
  asked[1]?.resolve(2);
  assert.deepEqual(await later, [2, 2]);
  asked[2]?.resolve(3);
  assert.equal(await last, 3);
  const alone = questions.ask("a");
  asked[3]?.resolve(4);
  assert.equal(await alone, 4);
  assert.equal(asked.length, 4);
});

test("a burst of calls to a daemon that cannot be reached learns at once that its lease has ended", {
  skip,
}, async () => {
  await using postgres = await startPostgres();
  const url = await postgres.database();
  await using database = await Postgres.open(url);
  const parts = {
    database,
    name: "a",
    clock: systemClock,
    log: pino({ level: "silent" }),
    stopped: () => undefined,
    seen: () => undefined,
    revalidated: () => Promise.resolve(),
  };
  await using membership = new Membership(parts);
  await membership.join();
  const lost = randomUUID();
  await postgres.ask(
    `INSERT INTO pods (incarnation, is_draining, lock_key, name, alive_until)
      VALUES ($1, false, 1, 'lost', clock_timestamp() + interval '1 hour')`,
    [lost],
    url,
  );
  const operator = await connectTo(url);
  await operator.query("BEGIN");
  await operator.query("SELECT FROM pods WHERE incarnation = $1 FOR UPDATE", [lost]);
  const burst = Promise.all(Array.from({ length: 1_000 }, () => membership.declareDead(lost)));
  const sql =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE pods SET alive%'";
  await until(async () => (await postgres.ask(sql)).length > 0, "the first question waits for the lock");
  await operator.query("ROLLBACK");
  await operator.end();
  assert.deepEqual(new Set(await burst), new Set([true]));
});
