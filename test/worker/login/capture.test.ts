import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../../worker/login/capture.ts";

const origin = "https://shop.example";

test("the missing parts of a login are listed by place and reason, and a long list is counted", () => {
  assert.deepEqual(
    missing({
      leftOut: [
        { origin, area: "localStorage", reason: "too large" },
        { origin, area: "indexedDB", database: "keys", store: "a\n", records: 2, reason: "no form" },
      ],
      errors: [new Error("http://other.example cannot be opened")],
    }),
    [
      "localStorage of https://shop.example: it is too large",
      'indexedDB "keys" "a\\n" of https://shop.example (2 of its records): it holds what only a browser can',
      "http://other.example cannot be opened",
    ],
  );
  const many = Array.from({ length: 25 }, () => new Error("one"));
  assert.deepEqual(missing({ leftOut: [], errors: many }).slice(19), ["one", "5 parts more"]);
  assert.deepEqual(missing({ leftOut: [], errors: [] }), []);
});
