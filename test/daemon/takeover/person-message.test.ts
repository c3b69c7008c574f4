import assert from "node:assert/strict";
import { test } from "node:test";
import { personMessage } from "../../../daemon/takeover/person-message.ts";

test("a message of the page becomes the worker's input", () => {
  const text = { text: { text: "Ünïcode 日本" } };
  assert.deepEqual(personMessage(JSON.stringify(text)), text);
  assert.equal(personMessage('{"handBack":true}'), "hand-back");
});

test("anything else is no message", () => {
  const wrong = [
    "",
    "null",
    "[]",
    "{}",
    "{",
    '{"begin":{"key":"local/other","timeMs":1}}',
    '{"text":{"text":"a"},"tab":{"id":"t1"}}',
    '{"text":{"text":"a","more":1}}',
    '{"view":{"width":0,"height":1e9}}',
    '{"wheel":{"x":null,"y":0,"deltaX":0,"deltaY":0,"modifiers":0}}',
    '{"pointer":{"type":"jump","x":0,"y":0,"button":"left","buttons":0,"clicks":1,"modifiers":0}}',
    JSON.stringify({ text: { text: "x".repeat(10_001) } }),
    JSON.stringify({ tab: { id: "x".repeat(1_000) } }),
  ];
  for (const each of wrong) assert.equal(personMessage(each), undefined, each.slice(0, 80));
});
