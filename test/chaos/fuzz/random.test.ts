import assert from "node:assert/strict";
import { test } from "node:test";
import { inputOf } from "./fuzz-inputs.ts";
import { randomFrom } from "./random.ts";

test("the same seed gives the same choices, another seed gives others", () => {
  const choices = (seed: number) => {
    const random = randomFrom(seed);
    return Array.from({ length: 20 }, () => random.below(1000));
  };
  assert.deepEqual(choices(7), choices(7));
  assert.notDeepEqual(choices(7), choices(8));
  assert.ok(choices(7).every((each) => each >= 0 && each < 1000));
});

test("an input depends on its seed alone, and inputs cover both doors and every kind", () => {
  assert.deepEqual(inputOf(42), inputOf(42));
  const inputs = Array.from({ length: 300 }, (_, seed) => inputOf(seed));
  const doors = new Set(inputs.map(({ door }) => door));
  assert.deepEqual([...doors].sort(), ["grpc", "rest"]);
  for (const kind of [
    "random bytes",
    "a broken message",
    "foreign fields",
    "a broken frame",
    "POST /v1/tools/",
  ])
    assert.ok(
      inputs.some(({ about }) => about.includes(kind)),
      `none of ${kind}`,
    );
});
