// The short form: few inputs, always the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { failingSeeds } from "./failing-seeds.ts";
import { isReached, tableOf } from "./figures.ts";
import { FUZZ_CONFIG, fuzzed } from "./fuzz.ts";
import { fuzzedConfigs } from "./fuzz-config.ts";
import { startOwnDaemon } from "./own-daemon.ts";

test("whatever comes in at both doors is answered with a type, and the daemon goes on", async () => {
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

test("whatever files a start or a reload meets, they are taken whole or refused whole", async () => {
  const figures = await fuzzedConfigs(Array.from({ length: 300 }, (_, index) => index + 1));
  assert.deepEqual(
    figures.filter((figure) => !isReached(figure)),
    [],
    tableOf(figures),
  );
});
