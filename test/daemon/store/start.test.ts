// The daemon's start with a database that it cannot use, and with one that it can use only just.
import assert from "node:assert/strict";
import { test } from "node:test";
import { StartupError } from "../../../daemon/core/startup-error.ts";
import { Postgres } from "../../../daemon/store/postgres.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { skipWithoutPostgres as skip, startPostgres } from "../../harness/servers/postgres.ts";
import { startRelay, through } from "../../harness/servers/relay.ts";

const PASSWORD = "p@ss/w#rd?%&é";

/** Opens the database. Resolves with the text and exit code of the StartupError, if there is one. */
async function problemOf(url: string): Promise<{ exitCode: number; message: string } | undefined> {
  try {
    await using _ = await Postgres.open(url);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error));
    assert.ok(!error.message.includes(PASSWORD));
    return error;
  }
}

test("an address that can never be used is refused at once, and no message shows it", async () => {
  const addresses = [
    "postgres://troupe:secret#word@127.0.0.1:5432/troupe",
    "postgres://troupe:secret/word@127.0.0.1:5432/troupe",
    "postgres://troupe:secret@127.0.0.1:port/troupe",
  ];
  for (const store of addresses) {
    await assert.rejects(testDaemon({ store }), (error: Error) => {
      assert.doesNotMatch(JSON.stringify([error, error.message]), /secret/);
      return error instanceof StartupError && /store is not well formed; allowed:/.test(error.message);
    });
  }
  const noFile = "postgres://troupe@127.0.0.1:1/troupe?sslmode=verify-full&sslrootcert=/none/ca.crt";
  const problem = await problemOf(noFile);
  assert.equal(problem?.exitCode, 78);
  assert.match(problem.message, /ENOENT.*\/none\/ca\.crt/);
});

test("a daemon that starts before its database says that it waits, and takes calls later", {
  skip,
}, async (t) => {
  const all = new AsyncDisposableStack();
  t.after(() => all.disposeAsync());
  const postgres = all.use(await startPostgres());
  const relay = all.use(await startRelay(postgres.port));
  const url = through(relay, await postgres.database());
  relay.part();
  const reasons: string[] = [];
  all.use(
    await Postgres.open(url, (reason) => {
      reasons.push(reason);
      relay.heal();
    }),
  );
  assert.equal(reasons.length, 1);
  assert.doesNotMatch(reasons.join(), /@/);
});

test("a database with the tables of this version asks for no right to make any", { skip }, async (t) => {
  const all = new AsyncDisposableStack();
  t.after(() => all.disposeAsync());
  const postgres = all.use(await startPostgres());
  const url = await postgres.database();
  assert.equal(await problemOf(url), undefined);
  await postgres.ask(`CREATE ROLE worker LOGIN PASSWORD '${PASSWORD}'`);
  const given = { username: "worker", password: encodeURIComponent(PASSWORD) };
  const worker = Object.assign(new URL(url), given).href;
  assert.match((await problemOf(worker))?.message ?? "", /permission denied/);
  const tables = "ON ALL TABLES IN SCHEMA public TO worker";
  await postgres.ask(`GRANT SELECT ${tables}`, [], url);
  await assert.rejects(testDaemon({ store: worker }), (error: Error) => {
    return error instanceof StartupError && /permission denied for table pods/.test(error.message);
  });
  await postgres.ask(`GRANT INSERT, UPDATE, DELETE ${tables}`, [], url);
  const daemon = all.use(await testDaemon({ store: worker }));
  assert.equal((await daemon.open("https://a.test/")).ok, "opened https://a.test/");
  const { ok: status } = await daemon.ask("GetStatus", {});
  assert.ok(!JSON.stringify([daemon.lines, status]).includes(PASSWORD));
  assert.ok(!JSON.stringify([daemon.lines, status]).includes(given.password));
  await postgres.ask("ALTER TABLE sessions ADD COLUMN later text", [], url);
  const goesOn = { session: "s2" };
  assert.equal((await daemon.open("https://a.test/", goesOn)).ok, "opened https://a.test/");
  await postgres.ask("UPDATE troupe_version SET version = 99", [], url);
  const later = await problemOf(url);
  assert.equal(later?.exitCode, 78);
  assert.match(later.message, /tables of a later version \(99, this one knows \d+\)\nRun the newer daemon/);
});
