// The control plane of one daemon shows and closes the sessions of all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

test("any daemon lists the sessions of all, and closes one wherever it is", { skip }, async (t) => {
  const { open, start, ask } = await daemonsOf(t);
  const [one, other, third] = [await open(), await open(), await start()];
  await one.open("https://a.test/", { session: "a" });
  await third.open("https://c.test/", { session: "c" });
  const ids = async () =>
    ((await other.ask("ListSessions", {})).ok?.sessions ?? []).map(({ id }) => id).toSorted();
  assert.deepEqual(await ids(), ["a", "c"]);
  assert.equal((await other.ask("CloseSession", { session: "a" })).error, undefined);
  assert.deepEqual(await ids(), ["c"]);
  const unknown = await other.ask("CloseSession", { session: "none" });
  assert.equal(unknown.error?.type, "SESSION_EXPIRED");
  third.child.kill("SIGSTOP");
  t.after(() => third.child.kill("SIGCONT"));
  assert.deepEqual(await ids(), [], "a daemon that does not answer is left out");
  assert.deepEqual(await ask("SELECT key FROM sessions"), [{ key: "local/c" }]);
});
