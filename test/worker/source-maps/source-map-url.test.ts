// Tests how the address of a script's source map is found.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceMapUrl } from "../../../worker/source-maps/source-map-url.ts";

const named = (text: string, headers = {}) => sourceMapUrl({ text, headers });

test("the last comment names the map, else a header does", () => {
  assert.equal(named("x()\n//# sourceMappingURL=app.js.map\n\n"), "app.js.map");
  assert.equal(named("x()\n/*# sourceMappingURL=app.css.map */"), "app.css.map");
  assert.equal(named("//@ sourceMappingURL=old.map"), "old.map");
  assert.equal(named("//# sourceMappingURL=a.map\n//# sourceMappingURL=b.map"), "b.map");
  assert.equal(named("x()", { sourcemap: "h.map" }), "h.map");
  assert.equal(named("x()", { "x-sourcemap": "h.map" }), "h.map");
});

test("a comment before the end, without an address or within a text names none", () => {
  for (const text of [
    "//# sourceMappingURL=a.map\nx()",
    "//# sourceMappingURL=",
    'let text = "sourceMappingURL=a.map"',
    "",
  ])
    assert.equal(named(text), undefined, text);
});

test("a long comment is read in time", () => {
  const long = "a".repeat(10_000_000);
  assert.equal(named(`//# sourceMappingURL=${long}\nx`), undefined);
  assert.equal(named(`//# sourceMappingURL=${long}`)?.length, long.length);
  assert.equal(named(`//# sourceMappingURL=a.map${" ".repeat(1_000_000)}x\n`), "a.map");
});
