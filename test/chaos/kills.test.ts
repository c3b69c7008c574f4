// The short form, with workers that have no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { killInARow } from "./kills.ts";
import { isReached, tableOf } from "./scenario/figures.ts";
import { startOwnDaemon } from "./scenario/own-daemon.ts";

test("workers killed in a row leave no descriptor, process or folder behind", async () => {
  const restart = { max: 100, backoff: "1ms", cap: "1ms" };
  await using daemon = await startOwnDaemon("standIn", { restart, roles: { red: { eager: true } } });
  const figures = await killInARow(daemon, 8);
  // A heap still grows shortly after its start.
  const missed = figures.filter((figure) => !figure.name.includes("in the middle") && !isReached(figure));
  assert.deepEqual(missed, [], tableOf(figures));
});
