import assert from "node:assert/strict";
import { test } from "node:test";
import { figure, reasonOf, type Sample } from "./results.ts";

const sample = (ms: number, characters?: number, more: Partial<Sample> = {}): Sample => ({
  contender: "troupe",
  page: "rows-10",
  measure: "full-first",
  ms,
  ...(characters !== undefined && { characters }),
  ...more,
});

test("a figure is the median of its own samples, with their number", () => {
  const samples = [
    sample(5, 100),
    sample(1, 102),
    sample(3, 101),
    sample(900, 9, { contender: "playwright" }),
    sample(900, 9, { page: "rows-125" }),
    sample(900, 9, { measure: "unchanged" }),
  ];
  const wanted = { contender: "troupe", page: "rows-10", measure: "full-first" } as const;
  assert.deepEqual(figure({ samples }, wanted), { ms: 3, characters: 101, n: 3 });
  assert.equal(figure({ samples }, { ...wanted, contender: "agent-browser" }), undefined);
});

test("an answer without text has no characters", () => {
  const wanted = { contender: "troupe", page: "rows-10", measure: "full-first" } as const;
  assert.deepEqual(figure({ samples: [sample(5)] }, wanted), { ms: 5, characters: undefined, n: 1 });
});

test("a reason is the first meaningful line, without paths, addresses and colours", () => {
  const said =
    "### Error\n\u001b[2mError: cannot open /opt/x/y.js of https://a.example/b, or so\u001b[22m\n  at z";
  assert.equal(reasonOf(new Error(said)), "Error: cannot open … of … or so");
  assert.equal(reasonOf("a/b is not an absolute path"), "a/b is not an absolute path");
  assert.equal(reasonOf(""), "no reason given");
  assert.equal(reasonOf("x".repeat(1000)).length, 160);
});
