// `troupe export` against a daemon with stand-in workers: whose sessions it may read, and what it refuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { main } from "../../../client/cli/program.ts";
import { connect } from "../../../client/sdk/index.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { shared } from "../../harness/shared.ts";
import { secretOf, tokenOf } from "../../harness/tokens.ts";

const DEADLINE = { timeout: 30_000 };
const troupe = shared(
  await testDaemon({
    listen: ["unix:default", "127.0.0.1:0"],
    tokens: [
      tokenOf("ci"),
      tokenOf("reader", { control: "read" }),
      tokenOf("narrow", { control: "read", roles: ["admin"] }),
    ],
    roles: { customer: {}, admin: {} },
  }),
);
const address = troupe.daemon.addresses[1] ?? "";
const ci = shared(await connect({ address, token: secretOf("ci"), session: "run" }));
await ci.session.navigate({ url: "http://a.test/" });

/** Runs the command as one of the clients. */
async function exported(client: string, ...words: string[]) {
  const said = { out: "", err: "" };
  const code = await main(["export", ...words], {
    cwd: troupe.dir,
    env: { TROUPE_ADDRESS: address, TROUPE_TOKEN: secretOf(client) },
    print: (text: string) => {
      said.out += text;
    },
    complain: (text: string) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

test("a session's own client exports it, in either form", DEADLINE, async () => {
  const test = await exported("ci", "run", "--as", "playwright");
  assert.deepEqual([test.code, test.err], [0, ""]);
  assert.match(test.out, /^EXPORT_FORMAT_PLAYWRIGHT of ci\/run and /);
  assert.match((await exported("ci", "run", "--as", "steps")).out, /^EXPORT_FORMAT_STEPS of ci\/run/);
  const json = JSON.parse((await exported("ci", "run", "--json")).out);
  assert.deepEqual([json.steps, json.role], [2, "customer"]);
});

test(
  "the right to read exports the sessions of other clients, in the roles that the client has",
  DEADLINE,
  async () => {
    assert.match((await exported("reader", "ci/run")).out, /of ci\/run/);
    assert.match((await exported("reader", "run")).out, /of ci\/run/);
    // Nothing of the run is in the role of this client.
    const hidden = await exported("narrow", "ci/run", "--role", "customer");
    assert.equal(hidden.code, 1);
    assert.match(hidden.err, /there is no such session/);
    await using both = await connect({ address, token: secretOf("ci"), session: "both" });
    for (const role of ["customer", "admin"]) await both.session.navigate({ url: "http://a.test/", role });
    const refused = await exported("narrow", "ci/both", "--role", "customer");
    assert.equal(refused.code, 1);
    assert.match(refused.err, /role 'customer'[\s\S]*This client may use admin/);
    assert.match((await exported("narrow", "ci/both", "--role", "admin")).out, /of ci\/both/);
  },
);

test("without that right, the session of another client looks like none", DEADLINE, async () => {
  await using mine = await connect({ address, token: secretOf("reader"), session: "theirs" });
  await mine.session.navigate({ url: "http://a.test/" });
  for (const id of ["theirs", "reader/theirs", "gone"]) {
    const { code, out, err } = await exported("ci", id);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /there is no such session[\s\S]*troupe sessions/);
  }
});

test("a session of several clients is exported by CLIENT/ID", DEADLINE, async () => {
  await using own = await connect({ address: troupe.daemon.addresses[0], session: "run" });
  await own.session.navigate({ url: "http://a.test/" });
  const { code, err } = await exported("reader", "run");
  assert.equal(code, 64);
  assert.match(err, /several clients: ci\/run, local\/run/);
  assert.match((await exported("reader", "local/run")).out, /of local\/run/);
});

test("a role without the session's steps is said, and leaves standard output empty", DEADLINE, async () => {
  const { code, out, err } = await exported("ci", "run", "--role", "admin");
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /Session run has recorded no steps in role admin/);
  const unknown = await exported("ci", "run", "--role", "custmer");
  assert.equal(unknown.code, 64);
  assert.match(unknown.err, /customer/);
});

test("another form, a lacking id and a place that cannot be written are usage errors", DEADLINE, async () => {
  for (const [words, why] of [
    [
      ["run", "--as", "playwrite"],
      /--as takes playwright or steps, not "playwrite"; did you mean playwright/,
    ],
    [["run", "--as", "constructor"], /--as takes playwright or steps/],
    [["run", "--as", ""], /--as takes playwright or steps/],
    [[], /session/],
    [["run", "--output", "no/such/folder.ts"], /no\/such\/folder\.ts cannot be written: ENOENT/],
    [["run", "--output", "x.ts", "--json"], /--output means nothing with --json/],
  ] as const) {
    const { code, err } = await exported("ci", ...words);
    assert.equal(code, 64, err);
    assert.match(err, why);
  }
});

test("a file gets the export", DEADLINE, async () => {
  const { code, err, out } = await exported("ci", "run", "--output", "run.spec.ts");
  assert.deepEqual([code, out, err], [0, "", "run.spec.ts: 2 steps in role customer\n"]);
  assert.match(readFileSync(path.join(troupe.dir, "run.spec.ts"), "utf8"), /^EXPORT_FORMAT_PLAYWRIGHT/);
});
