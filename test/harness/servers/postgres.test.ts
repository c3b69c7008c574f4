import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "pg";
import { within } from "../within.ts";
import { skipWithoutPostgres as skip, startPostgres } from "./postgres.ts";

const TABLE = "CREATE TABLE kept (word text)";

async function connected(url: string) {
  const client = new Client({ connectionString: url });
  // The tests break these connections on purpose.
  client.on("error", () => undefined);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

test("each database is empty, and its owner is no superuser", { skip }, async () => {
  await using postgres = await startPostgres();
  const urls = [await postgres.database(), await postgres.database()];
  for (const url of urls) {
    await using client = await connected(url);
    await client.query(TABLE);
    await assert.rejects(client.query("ALTER SYSTEM SET fsync = on"), /permission denied|superuser/);
  }
});

test("what was committed is there after a stop, at the same address", { skip }, async () => {
  await using postgres = await startPostgres();
  const url = await postgres.database();
  const before = await connected(url);
  const broken = new Promise((resolve) => before.once("end", resolve));
  await before.query(TABLE);
  await before.query("INSERT INTO kept VALUES ('yes')");
  await postgres.stop();
  await broken;
  await assert.rejects(connected(url), { code: "ECONNREFUSED" });
  await postgres.start();
  await using after = await connected(url);
  assert.deepEqual((await after.query("SELECT word FROM kept")).rows, [{ word: "yes" }]);
});

test("a paused server answers nothing until it is resumed", { skip }, async () => {
  await using postgres = await startPostgres();
  const url = await postgres.database();
  await using client = await connected(url);
  postgres.pause();
  let isAnswered = false;
  const answer = client.query("SELECT 1 AS one").then(({ rows }) => {
    isAnswered = true;
    return rows;
  });
  assert.equal(await within(300, () => isAnswered), false);
  postgres.resume();
  assert.deepEqual(await answer, [{ one: 1 }]);
});

test("a paused server can be ended", { skip }, async () => {
  await using postgres = await startPostgres();
  postgres.pause();
});

test("a read-only server refuses what open connections write", { skip }, async () => {
  await using postgres = await startPostgres();
  await using client = await connected(await postgres.database());
  await client.query(TABLE);
  await postgres.setReadOnly(true);
  await assert.rejects(client.query("INSERT INTO kept VALUES ('no')"), { code: "25006" });
  await postgres.setReadOnly(false);
  await client.query("INSERT INTO kept VALUES ('yes')");
});

test("a failover breaks the connections to a database, and new ones are taken", { skip }, async () => {
  await using postgres = await startPostgres();
  const url = await postgres.database();
  await using client = await connected(url);
  await postgres.disconnect(url);
  await assert.rejects(client.query("SELECT 1"));
  await using _again = await connected(url);
});

test("a server that cannot start says why", { skip }, async () => {
  await assert.rejects(startPostgres({ settings: { no_such_setting: "1" } }), /no_such_setting/);
});
