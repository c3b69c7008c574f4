import assert from "node:assert/strict";
import { test } from "node:test";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { ownMap } from "../../deploy/own-map.ts";

test("a map keeps what leads to our own files, without names and columns, and code of packages leads nowhere", () => {
  const text = JSON.stringify({
    version: 3,
    names: ["open"],
    sources: ["../node_modules/zod/core.js", "../client/cli.ts"],
    // One line: two places of a line of our code, two places of a package, our code again.
    mappings: "ACAAAA,KAAE,KDAA,UACA,UCCAA",
  });
  const [before, after] = [new TraceMap(text), new TraceMap(ownMap(text))];
  const at = (map: TraceMap, column: number) => originalPositionFor(map, { line: 1, column });
  assert.equal(at(before, 0).name, "open");
  for (const column of [0, 5, 30, 40]) {
    const found = at(before, column);
    const isOwn = found.source === "../client/cli.ts";
    assert.deepEqual(
      at(after, column),
      isOwn ? { ...found, column: 0, name: null } : { source: null, line: null, column: null, name: null },
    );
  }
});
