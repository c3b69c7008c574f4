// The connection to the database is encrypted if its address asks for it, and leads to the right server.
import assert from "node:assert/strict";
import { chownSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { StartupError } from "../../../daemon/core/startup-error.ts";
import { storeFindings } from "../../../daemon/doctor/store.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { skipWithoutPostgres as skip, startPostgres } from "../../harness/servers/postgres.ts";
import { servant } from "../../harness/servers/servant.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { authority, validNow } from "../../site/certificates.ts";

test("a daemon checks its database's certificate, and sends nothing in clear", { skip }, async (t) => {
  const all = new AsyncDisposableStack();
  t.after(() => all.disposeAsync());
  const { dir } = all.use(tempDir());
  const user = servant("postgres");
  const file = (name: string, content: string | Buffer) => {
    const at = path.join(dir, name);
    writeFileSync(at, content, { mode: 0o600 });
    if (user) chownSync(at, user.uid, user.gid);
    return at;
  };
  if (user) chownSync(dir, user.uid, user.gid);
  const ca = authority("Databases");
  const { cert, key = "" } = ca.issue({ host: "localhost", ...validNow() });
  const settings = { ssl: "on", ssl_cert_file: file("db.crt", cert), ssl_key_file: file("db.key", key) };
  const postgres = all.use(await startPostgres({ settings }));
  const url = Object.assign(new URL(await postgres.database()), { hostname: "localhost" }).href;
  const checked = (authority: string) => `${url}?sslmode=verify-full&sslrootcert=${authority}`;
  const store = checked(file("ca.crt", ca.cert));
  const daemon = all.use(await testDaemon({ store }));
  assert.equal((await daemon.open("http://do/store")).ok, "stored");
  const connections = await postgres.ask<{ ssl: boolean }>(
    "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'troupe'",
  );
  assert.ok(connections.length > 0 && connections.every(({ ssl }) => ssl));
  const [well] = await storeFindings(store);
  assert.equal(well?.ok, true, String(well?.found));
  const stranger = checked(file("other.crt", authority("Others").cert));
  const [unwell] = await storeFindings(stranger);
  assert.equal(unwell?.ok, false);
  assert.match(unwell?.found ?? "", /localhost:\d+\/troupe_1 does not answer: .*certificate/);
  await assert.rejects(testDaemon({ store: stranger }), (error: Error) => {
    return error instanceof StartupError && /certificate/.test(error.message);
  });
});
