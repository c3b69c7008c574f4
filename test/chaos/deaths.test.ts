// The short form: two roles with a session each, and checks that the machine's load cannot change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./deaths.ts";
import { strike } from "./fault.ts";
import { isReached, tableOf } from "./scenario/figures.ts";
import { openStage } from "./scenario/stage.ts";

/** The time that the role was away depends on the machine. */
const TIMED = "serves again after";

test("under a worker's kill -9 the other role notices nothing, its session goes on, and nothing is left or lost", async () => {
  await using stage = await openStage({
    each: 1,
    roles: ["red", "green"],
    settings: { limits: { callTimeout: "30s" } },
  });
  const fault = faults.find(({ title }) => title === "kill -9 of a worker");
  assert.ok(fault);
  const figures = await strike(stage, fault);
  const missed = figures.filter((figure) => figure.name !== TIMED && !isReached(figure));
  assert.deepEqual(missed, [], tableOf(figures));
  assert.equal(figures.find(({ name }) => name === "sessions that were told")?.value, 1, tableOf(figures));
});
