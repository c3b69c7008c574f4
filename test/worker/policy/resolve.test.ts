import assert from "node:assert/strict";
import { test } from "node:test";
import { netErrorOf } from "../../../worker/policy/failed-connections.ts";
import { systemResolver } from "../../../worker/policy/resolve.ts";

/** Lookups that end when the test says so. */
function heldLookups() {
  const asked = new Map<string, PromiseWithResolvers<readonly string[]>>();
  const resolve = systemResolver((host) => {
    const held = Promise.withResolvers<readonly string[]>();
    asked.set(host, held);
    return held.promise;
  });
  return { asked, resolve };
}

test("questions for a name that is being looked up share one answer", async () => {
  const { asked, resolve } = heldLookups();
  const both = [resolve("a.example"), resolve("a.example")];
  asked.get("a.example")?.resolve(["192.0.2.1"]);
  assert.deepEqual(await Promise.all(both), [["192.0.2.1"], ["192.0.2.1"]]);
  assert.equal(asked.size, 1);
});

test("a name beyond the bound is refused, and is looked up when there is room again", async () => {
  const { asked, resolve } = heldLookups();
  const many = Array.from({ length: 256 }, (_, index) => resolve(`${index}.example`));
  await assert.rejects(resolve("one.example"), (error: Error) => {
    assert.match(error.message, /too many names to resolve: one\.example/);
    return netErrorOf(error) === "net::ERR_NAME_RESOLUTION_FAILED";
  });
  assert.equal(asked.size, 256);
  assert.deepEqual(await resolve("localhost"), ["127.0.0.1", "::1"]);
  asked.get("7.example")?.resolve([]);
  await many[7];
  const one = resolve("one.example");
  for (const held of asked.values()) held.resolve(["192.0.2.1"]);
  assert.deepEqual(await one, ["192.0.2.1"]);
  await Promise.all(many);
});

test("a lookup that does not end is waited for at most fifteen seconds by each caller", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { resolve } = heldLookups();
  const first = resolve("silent.example");
  const failed = (asked: Promise<unknown>) => assert.rejects(asked, { code: "ETIMEOUT" });
  t.mock.timers.tick(5_000);
  const later = resolve("silent.example");
  t.mock.timers.tick(10_000);
  await failed(first);
  t.mock.timers.tick(5_000);
  await failed(later);
});
