import assert from "node:assert/strict";
import { test } from "node:test";
import { ASKED_MS, AskedPersons } from "../../../daemon/takeover/asked-persons.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const PLACE = { key: "local/stuck", role: "customer" };
const always = () => true;

test("an agent that asks again waits since the first time, with its newest words", () => {
  const clock = fakeClock();
  const asked = new AskedPersons(clock);
  asked.add(PLACE, "a code");
  const sinceMs = clock.now();
  clock.pass(1_000);
  asked.add(PLACE, "another code");
  asked.add({ ...PLACE, role: "admin" }, "a password");
  assert.deepEqual(asked.list(always), [
    { ...PLACE, why: "another code", sinceMs },
    { ...PLACE, role: "admin", why: "a password", sinceMs: sinceMs + 1_000 },
  ]);
});

test("the wait ends when a person comes, when the session is over, and after an hour", () => {
  const clock = fakeClock();
  const asked = new AskedPersons(clock);
  asked.add(PLACE, "a code");
  asked.end({ ...PLACE, role: "admin" });
  assert.equal(asked.list(always).length, 1);
  asked.end(PLACE);
  assert.deepEqual(asked.list(always), []);
  asked.add(PLACE, "a code");
  assert.deepEqual(
    asked.list(() => false),
    [],
  );
  asked.add(PLACE, "a code");
  clock.pass(ASKED_MS - 1);
  assert.equal(asked.list(always).length, 1);
  clock.pass(1);
  assert.deepEqual(asked.list(always), []);
});
