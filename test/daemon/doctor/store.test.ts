import assert from "node:assert/strict";
import { test } from "node:test";
import { storeFindings } from "../../../daemon/doctor/store.ts";
import { skipWithoutPostgres as skip, startPostgres } from "../../harness/servers/postgres.ts";

test("a database is well while it takes changes, and else its finding says why and who must act", {
  skip,
}, async () => {
  assert.deepEqual(await storeFindings("sqlite"), []);
  await using postgres = await startPostgres();
  const url = await postgres.database();
  const [well] = await storeFindings(url);
  assert.equal(well?.ok, true, String(well?.found));
  assert.match(well?.found ?? "", /^PostgreSQL \S+.* at 127\.0\.0\.1:\d+\/troupe_1 takes changes$/);
  await postgres.setReadOnly(true);
  assert.match((await storeFindings(url))[0]?.found ?? "", /is read-only$/);
  await postgres.stop();
  const [away] = await storeFindings(url);
  assert.equal(away?.ok, false);
  assert.match(away?.found ?? "", /does not answer: .*ECONNREFUSED/);
  assert.ok(!JSON.stringify(away).includes(new URL(url).password), "no password is shown");
});
