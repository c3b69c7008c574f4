// A daemon without a database is spared the client of PostgreSQL: it would be a part of each start.
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

test("a daemon and a doctor without a database do not load the client of PostgreSQL", async () => {
  const loaded = new Set<string>();
  registerHooks({
    resolve(specifier, context, next) {
      loaded.add(specifier);
      return next(specifier, context);
    },
  });
  await import("../../../daemon/daemon.ts");
  const { storeFindings } = await import("../../../daemon/doctor/store.ts");
  assert.deepEqual(await storeFindings("sqlite"), []);
  assert.ok(loaded.has("./store/sqlite-store.ts"));
  assert.ok(!loaded.has("pg"));
});
