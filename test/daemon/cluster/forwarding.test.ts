// Several daemons share one PostgreSQL: any of them takes a call, and the owner of the session carries it out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

test("a call is carried out where its session is, whichever daemon takes it", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const [one, other] = [await open(), await open()];
  assert.equal((await one.open("https://a.test/")).ok, "opened https://a.test/");
  assert.equal((await other.open("https://b.test/")).ok, "opened https://b.test/");
  assert.equal((await one.open("https://c.test/")).ok, "opened https://c.test/");
  const sessions = await ask("SELECT key, epoch FROM sessions");
  assert.deepEqual(sessions, [{ key: "local/s1", epoch: "1" }]);
});
