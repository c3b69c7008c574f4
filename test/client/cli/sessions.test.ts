import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { main } from "../../../client/cli/program.ts";
import { connect } from "../../../client/sdk/index.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { secretOf, tokenOf } from "../../harness/tokens.ts";

const DEADLINE = { timeout: 30_000 };

/** Starts a daemon whose clients have tokens, and returns a command line for each. */
async function daemonWithClients() {
  const troupe = await testDaemon({
    listen: ["unix:default", "127.0.0.1:0"],
    tokens: [tokenOf("ci"), tokenOf("boss", { control: "write" })],
    roles: { customer: {} },
  });
  const address = troupe.daemon.addresses[1] ?? "";
  const sessionOf = async (name: string | undefined) => {
    const at = name ? { address, token: secretOf(name) } : { address: troupe.daemon.addresses[0] };
    const client = await connect({ ...at, session: "idle" });
    await client.session.navigate({ url: "http://a.test/" });
    return client;
  };
  const left = async () =>
    (await troupe.ask("ListSessions", {})).ok?.sessions.map(({ client, id }) => `${client}/${id}`).sort();
  const close = async (name: string, id: string, ...flags: string[]) => {
    let said = "";
    const print = (text: string) => {
      said += text;
    };
    const env = { TROUPE_ADDRESS: address, TROUPE_TOKEN: secretOf(name) };
    const code = await main(["sessions", id, "--close", ...flags], { cwd: "/", env, print, complain: print });
    return [code, said] as const;
  };
  return { sessionOf, left, close, [Symbol.asyncDispose]: () => troupe[Symbol.asyncDispose]() };
}

test("a client with write control ends a session, and CLIENT/ID names one of several", DEADLINE, async () => {
  await using daemon = await daemonWithClients();
  await using _ci = await daemon.sessionOf("ci");
  await using _local = await daemon.sessionOf(undefined);
  const [code, why] = await daemon.close("boss", "idle");
  assert.equal(code, 64, why);
  assert.match(
    why,
    /several clients: ci\/idle, local\/idle[\s\S]*with the client's name before it: ci\/idle/,
  );
  assert.deepEqual(await daemon.left(), ["ci/idle", "local/idle"]);
  assert.deepEqual(await daemon.close("boss", "local/idle"), [0, "Session local/idle has ended.\n"]);
  assert.deepEqual(await daemon.left(), ["ci/idle"]);
  assert.deepEqual(await daemon.close("boss", "idle", "--json"), [0, "{}\n"]);
  assert.deepEqual(await daemon.left(), []);
});

test("an unknown session is reported, with the command that lists sessions", DEADLINE, async () => {
  await using daemon = await daemonWithClients();
  const [code, told] = await daemon.close("boss", "gone");
  assert.equal(code, 1);
  assert.match(told, /does not know the session: there is no such session[\s\S]*troupe sessions$/m);
  assert.doesNotMatch(told, /has ended|Its tabs are closed/);
  const [, json] = await daemon.close("boss", "gone", "--json");
  assert.equal(JSON.parse(json).error.type, "SESSION_EXPIRED");
});

test("without control: write a client ends only its own session", DEADLINE, async () => {
  await using daemon = await daemonWithClients();
  await using _ci = await daemon.sessionOf("ci");
  await using _local = await daemon.sessionOf(undefined);
  const [code] = await daemon.close("ci", "local/idle");
  assert.equal(code, 1);
  assert.deepEqual(await daemon.close("ci", "idle"), [0, "Session idle has ended.\n"]);
  assert.deepEqual(await daemon.left(), ["local/idle"]);
});

test("a session that was closed before is told by that alone", DEADLINE, async () => {
  await using daemon = await daemonWithClients();
  await using _ci = await daemon.sessionOf("ci");
  await daemon.close("boss", "ci/idle");
  for (const [name, id] of [
    ["boss", "ci/idle"],
    ["ci", "idle"],
  ] as const) {
    const [code, told] = await daemon.close(name, id);
    assert.equal(code, 1);
    assert.match(told, /it was closed/);
    assert.doesNotMatch(told, /sessionIdle|misspelt/);
  }
});

test(
  "--evidence takes a session and a place that can be written, and no other flag of the list",
  DEADLINE,
  async () => {
    await using troupe = await testDaemon({ roles: { customer: { record: true } } });
    await troupe.open("http://a.test/", { session: "shop" });
    const run = async (...words: string[]) => {
      let said = "";
      const print = (text: string) => {
        said += text;
      };
      const env = { TROUPE_ADDRESS: troupe.daemon.addresses[0] ?? "" };
      const code = await main(["sessions", ...words], { cwd: troupe.dir, env, print, complain: print });
      return [code, said] as const;
    };
    const refused: [string[], RegExp][] = [
      [["--evidence", "out.html"], /--evidence takes the session's id/],
      [["shop", "--evidence", "out.html", "--json"], /--json means nothing with --evidence/],
      [["shop", "--evidence", "missing/out.html"], /missing\/out\.html cannot be written: ENOENT/],
      [["shop", "--evidence", "."], /\. cannot be written: EISDIR/],
    ];
    for (const [words, why] of refused) {
      const [code, said] = await run(...words);
      assert.equal(code, 64, said);
      assert.match(said, why);
    }
    const place = path.join(troupe.dir, "out.html");
    writeFileSync(place, "an older file that all may read", { mode: 0o644 });
    assert.deepEqual(await run("shop", "--evidence", "out.html"), [0, "out.html: 1 calls\n"]);
    assert.match(readFileSync(place, "utf8"), /browser_navigate: OK/);
    assert.equal(statSync(place).mode & 0o777, 0o600);
  },
);
