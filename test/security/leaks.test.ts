import assert from "node:assert/strict";
import { test } from "node:test";
import { leaksIn } from "./leaks.ts";

const SECRET = 'pass "word"/7f+é';

for (const [how, text] of [
  ["plain", `typed ${SECRET}.`],
  ["percent", `GET /?a=${encodeURIComponent(SECRET)}&b`],
  ["json", JSON.stringify({ text: `is ${SECRET}` })],
  ["hex", Buffer.from(SECRET).toString("hex").toUpperCase()],
  ["UTF-16", Buffer.from(`…${SECRET}`, "utf16le")],
  ["base64 after 0", Buffer.from(`${SECRET}:more`).toString("base64")],
  ["base64 after 1", Buffer.from(`user${SECRET}`).toString("base64")],
  ["base64 after 2", `Basic ${Buffer.from(`admin${SECRET} and more`).toString("base64")}`],
] as const) {
  test(`a secret is found that is written as ${how}`, () => {
    assert.deepEqual(leaksIn({ here: text, there: "nothing" }, { word: SECRET, other: "another-one" }), [
      `here: word (${how})`,
    ]);
  });
}

test("a text similar to a secret is no leak", () => {
  assert.deepEqual(leaksIn({ here: SECRET.slice(0, -1) }, { word: SECRET }), []);
});
