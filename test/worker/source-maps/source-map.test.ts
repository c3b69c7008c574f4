// Tests that hostile source maps are refused before they take time or memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSourceMap } from "../../../worker/source-maps/source-map.ts";

const URL = "https://shop.example/app.js.map";
const map = (more: object) =>
  JSON.stringify({ version: 3, names: [], sources: ["a.ts"], mappings: "AAAA", ...more });

test("a map finds its originals, with the prefix of a server and in sections too", async () => {
  const whole = map({ mappings: "AAAA;AAEA", sourcesContent: ["one\n\nthree"] });
  const read = await parseSourceMap(`)]}'\n${whole}`, URL);
  assert.deepEqual(read.originalOf({ line: 1, column: 4 }), {
    url: "https://shop.example/a.ts",
    line: 3,
    column: 1,
  });
  assert.deepEqual(read.generatedOf("a.ts", 2)?.generated, { line: 1, column: 0 });
  assert.equal(read.generatedOf("b.ts", 1), undefined);
  assert.equal(read.contentOf("https://shop.example/a.ts"), "one\n\nthree");
  const sections = [{ offset: { line: 5, column: 0 }, map: JSON.parse(whole) }];
  const indexed = await parseSourceMap(JSON.stringify({ version: 3, sections }), URL);
  assert.equal(indexed.originalOf({ line: 6, column: 0 })?.line, 3);
});

test("maps that would take too much time or memory are refused", async () => {
  const section = { offset: { line: 0, column: 0 }, map: JSON.parse(map({})) };
  for (const [text, reason] of [
    ["null", /no source map/],
    ["[]", /no source map/],
    ["{", /JSON/],
    [map({ mappings: [[[0, 0, 0, 0]]] }), /no source map/],
    [map({ sources: {} }), /no source map/],
    [map({ mappings: ";".repeat(2_000_000) }), /too long/],
    [map({ sources: Array(30_000).fill("a") }), /too many files/],
    // A segment of a file that is not there, and of a line beyond all bounds.
    [map({ mappings: "AEAA" }), /no source map/],
    [map({ mappings: "AAAA,AAggggggB" }), /./],
    [map({ mappings: "AA+/////DA" }), /too many lines|no source map/],
    [
      JSON.stringify({ version: 3, sections: [{ ...section, offset: { line: 1e9, column: 0 } }] }),
      /no source map/,
    ],
    [
      JSON.stringify({ version: 3, sections: [{ ...section, map: { sections: [section] } }] }),
      /no source map/,
    ],
    [JSON.stringify({ version: 3, sections: [{ offset: section.offset, url: "x" }] }), /no source map/],
  ] as const)
    await assert.rejects(parseSourceMap(text, URL), reason, text.slice(0, 100));
});
