// The short form: few inputs, always the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isReached, tableOf } from "../scenario/figures.ts";
import { startOwnDaemon } from "../scenario/own-daemon.ts";
import { failingSeeds } from "./failing-seeds.ts";
import { FUZZ_CONFIG, fuzzed } from "./fuzz.ts";
import { fuzzedConfigs } from "./fuzz-config.ts";

test("every input at both doors gets a typed answer, and the daemon goes on", async () => {
  await using daemon = await startOwnDaemon("real", FUZZ_CONFIG);
  const seeds = [
    ...failingSeeds.map(({ seed }) => seed),
    ...Array.from({ length: 100 }, (_, index) => index + 1),
  ];
  const figures = await fuzzed(daemon, seeds);
  assert.deepEqual(
    figures.filter((figure) => !isReached(figure)),
    [],
    tableOf(figures),
  );
});

test("a start or a reload applies any files whole or refuses them whole", async () => {
  const figures = await fuzzedConfigs(Array.from({ length: 300 }, (_, index) => index + 1));
  assert.deepEqual(
    figures.filter((figure) => !isReached(figure)),
    [],
    tableOf(figures),
  );
});
