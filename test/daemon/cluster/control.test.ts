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
  const unanswered = await other.ask("CloseSession", { session: "c" });
  assert.equal(unanswered.error?.type, "STORE_UNAVAILABLE", "it may be there");
  assert.deepEqual(await ask("SELECT key FROM sessions"), [{ key: "local/c" }]);
});

test("a session that rests in no daemon is listed, and closed by any", { skip }, async (t) => {
  const { open, start, ask } = await daemonsOf(t);
  const [one, other] = [await start({ limits: { drain: "2s" } }), await open()];
  await one.open("https://a.test/", { session: "a" });
  await one.open("https://b.test/", { session: "b" });
  one.child.kill("SIGTERM");
  await one.exited;
  const listed = (await other.ask("ListSessions", {})).ok?.sessions ?? [];
  const seen = listed.map(({ id, currentRole, roles }) => ({
    id,
    currentRole,
    resting: roles?.[0]?.resting,
  }));
  assert.deepEqual(
    seen.toSorted((x, y) => ((x.id ?? "") < (y.id ?? "") ? -1 : 1)),
    [
      { id: "a", currentRole: "shop", resting: true },
      { id: "b", currentRole: "shop", resting: true },
    ],
  );
  assert.equal((await other.ask("CloseSession", { session: "a" })).error, undefined);
  assert.equal((await other.open("https://b.test/", { session: "b" })).ok, "opened https://b.test/");
  assert.deepEqual(await ask("SELECT key FROM sessions"), [{ key: "local/b" }]);
  assert.equal((await other.ask("CloseSession", { session: "a" })).error?.type, "SESSION_EXPIRED");
});
