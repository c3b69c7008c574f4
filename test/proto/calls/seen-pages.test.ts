import assert from "node:assert/strict";
import { test } from "node:test";
import { SeenPages } from "../../../proto/calls/seen-pages.ts";
import { toolCall, toolNamed } from "../../../proto/calls/tool-call.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";

/** Looks as a call with these arguments does. Returns true if the snapshot is to be whole. */
function look(seen: SeenPages, args: JsonObject = {}, role = "one", session?: string): boolean {
  const call = toolCall(toolNamed("browser_snapshot", "core"), args);
  seen.saw(seen.look(call, role, session));
  return call.request.full === true;
}

test("the first snapshot of each session, role and tab is whole", () => {
  const seen = new SeenPages();
  assert.deepEqual([look(seen), look(seen)], [true, false]);
  assert.deepEqual([look(seen, { tab: "t2" }), look(seen, { tab: "t2" })], [true, false]);
  assert.deepEqual([look(seen, { role: "two" }), look(seen, {}, "two")], [true, false]);
  assert.deepEqual([look(seen, {}, "one", "a"), look(seen, {}, "one", "b"), look(seen)], [true, true, false]);
  seen.clear();
  assert.equal(look(seen), true);
});

test("a part of a page is not its place, and the caller's own word counts", () => {
  const seen = new SeenPages();
  assert.equal(look(seen, { ref: "e5" }), false);
  assert.equal(look(seen, { full: false }), false);
});
