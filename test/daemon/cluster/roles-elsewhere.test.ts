// Daemons of one store have different roles while a configuration is rolled out, or taken back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

test("a daemon without a role of a session keeps what is stored of it for one that has it", {
  skip,
}, async (t) => {
  const { start, open, ask } = await daemonsOf(t);
  const parts = async () =>
    (await ask("SELECT role, name FROM parts ORDER BY role, name")).map(Object.values);
  const one = await start();
  await one.tool("SelectRole", { role: "admin" });
  await one.open("http://do/store");
  await one.tool("SelectRole", { role: "shop" });
  await one.open("http://do/store");
  one.child.kill("SIGTERM");
  await one.exited;
  const kept = await parts();
  assert.ok(
    kept.some(([role]) => role === "admin"),
    JSON.stringify(kept),
  );
  const without = await start({ roles: { shop: {} } });
  assert.equal((await without.open("https://b.test/")).error, undefined);
  assert.equal((await without.tool("SelectRole", { role: "admin" })).error?.type, "UNKNOWN_ROLE");
  without.child.kill("SIGTERM");
  await without.exited;
  assert.deepEqual(
    (await parts()).filter(([role]) => role === "admin"),
    kept.filter(([role]) => role === "admin"),
  );
  const next = await open();
  await next.tool("SelectRole", { role: "admin" });
  const { ok = "" } = await next.open("http://do/state");
  assert.match(ok, /"given":\[\{"key":"local\/s1","parts":\["of local\/s1"\]/);
});
