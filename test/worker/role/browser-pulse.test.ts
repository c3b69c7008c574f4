import assert from "node:assert/strict";
import { test } from "node:test";
import { isHung, longer, type Silence, silenceInWords } from "../../../worker/role/browser-pulse.ts";

const after = (turns: (boolean | undefined)[]): Silence =>
  turns.reduce<Silence>((silence, worked) => longer(silence, worked), { turns: 0, still: 0 });
const times = (count: number, worked: boolean | undefined) => Array.from({ length: count }, () => worked);

test("a browser that does not run counts as hanging after eight seconds", () => {
  assert.equal(isHung(after(times(7, false))), false);
  assert.equal(isHung(after(times(8, false))), true);
  assert.equal(silenceInWords(after(times(8, false))), "the browser did not answer for 8 s");
});

test("a browser whose activity is unknown counts as not running", () => {
  assert.equal(isHung(after(times(8, undefined))), true);
});

test("a working browser gets more time, as on a machine that starts many, but not for ever", () => {
  assert.equal(isHung(after([...times(40, true), ...times(7, false)])), false);
  assert.equal(isHung(after(times(59, true))), false);
  assert.equal(isHung(after(times(60, true))), true);
});
