// The control plane of one daemon shows and closes the sessions of all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testClient } from "../../harness/daemon.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { bearerOf, tokenOf } from "../../harness/tokens.ts";
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
  const { ok } = await other.ask("ListSessions", {});
  assert.deepEqual(
    ok?.sessions.map(({ id, currentRole, unanswered }) => ({ id, currentRole, unanswered })),
    [{ id: "c", currentRole: "shop", unanswered: true }],
    "its daemon does not answer",
  );
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

test("the named sessions beside a session end with it, in other daemons and in none", { skip }, async (t) => {
  const { open, start, ask } = await daemonsOf(t);
  const [one, other, leaving] = [await open(), await open(), await start({ limits: { drain: "2s" } })];
  const named = (session: string, name: string) => ({
    session,
    headers: { "x-troupe-session-name": name },
  });
  await leaving.open("https://c.test/", named("mcp~c", "c"));
  leaving.child.kill("SIGTERM");
  await leaving.exited;
  await one.open("https://a.test/", { session: "mcp" });
  await other.open("https://b.test/", named("mcp~b", "b"));
  await other.open("https://d.test/", named("mcp~d~e", "e"));
  await other.open("https://d.test/", { session: "mcp~d" });
  await one.open("https://x.test/", named("bare~x", "x"));
  await other.open("https://y.test/", named("bare~y", "y"));
  const keys = async () => (await ask("SELECT key FROM sessions ORDER BY key")).map(({ key }) => key);
  for (const session of ["mcp", "bare"])
    assert.equal((await one.ask("CloseSession", { session })).error, undefined);
  assert.deepEqual(await keys(), ["local/mcp~d", "local/mcp~d~e"], "these belong to another session");
  assert.equal((await one.ask("CloseSession", { session: "mcp~d" })).error, undefined);
  assert.deepEqual(await keys(), []);
});

test("a client's own session comes first wherever it is, and a name of several clients closes none", {
  skip,
}, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const tokens = [tokenOf("ops", { control: "write" }), tokenOf("b"), tokenOf("c")];
  const settings = { listen: ["unix:default", "127.0.0.1:0"], tokens };
  const [one, other] = [await open(settings), await open(settings)];
  const clientOf = ({ daemon }: typeof one) => {
    const client = testClient(daemon.addresses[1] ?? "");
    t.after(() => client.close());
    return client;
  };
  const [at1, at2] = [clientOf(one), clientOf(other)];
  const as = (name: string, session: string) => ({
    session,
    headers: bearerOf(name),
  });
  await at2.open("https://a.test/", as("ops", "main"));
  await at1.open("https://a.test/", as("b", "main"));
  await at1.open("https://a.test/", as("b", "two"));
  await at2.open("https://a.test/", as("c", "two"));
  assert.equal((await at1.ask("CloseSession", { session: "main" }, as("ops", ""))).error, undefined);
  const { error } = await at1.ask("CloseSession", { session: "two" }, as("ops", ""));
  assert.equal(error?.type, "INVALID_ARGUMENT");
  assert.match(error?.message ?? "", /b\/two, c\/two|c\/two, b\/two/);
  assert.deepEqual(await ask("SELECT key FROM sessions ORDER BY key"), [
    { key: "b/main" },
    { key: "b/two" },
    { key: "c/two" },
  ]);
  assert.equal((await at1.ask("CloseSession", { session: "c/two" }, as("ops", ""))).error, undefined);
});
