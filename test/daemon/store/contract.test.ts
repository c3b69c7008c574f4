// Every engine of the session store keeps this contract. The daemon knows nothing else of them.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { Membership } from "../../../daemon/cluster/membership.ts";
import { systemClock } from "../../../daemon/core/clock.ts";
import { KeyRing } from "../../../daemon/core/key-ring.ts";
import type { Session } from "../../../daemon/sessions/session.ts";
import { Ownership } from "../../../daemon/store/ownership.ts";
import { Postgres } from "../../../daemon/store/postgres.ts";
import { PostgresStore } from "../../../daemon/store/postgres-store.ts";
import { tabsPart } from "../../../daemon/store/sealed-parts.ts";
import type { SessionStore } from "../../../daemon/store/session-store.ts";
import { SqliteStore } from "../../../daemon/store/sqlite-store.ts";
import { skipWithoutPostgres, startPostgres } from "../../harness/servers/postgres.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const log = pino({ level: "silent" });
const COMMIT_MS = 10_000;
const TAKES_ALL = { hasRoom: () => true, hasKey: () => true };

/** Opens the store as one daemon does, and again as the daemon after it. `keys`: of these sessions. */
type Reopen = (keys: readonly string[]) => Promise<SessionStore>;

const engines: { engine: string; skip: string | false; opener(t: TestContext): Promise<Reopen> }[] = [
  {
    engine: "SQLite",
    skip: false,
    async opener(t) {
      const temp = tempDir();
      t.after(() => temp[Symbol.dispose]());
      const ring = new KeyRing([randomBytes(32)]);
      return async () => {
        const store = new SqliteStore(path.join(temp.dir, "sessions.db"), ring, systemClock, log);
        t.after(() => store[Symbol.dispose]());
        return store;
      };
    },
  },
  {
    engine: "PostgreSQL",
    skip: skipWithoutPostgres,
    async opener(t) {
      const all = new AsyncDisposableStack();
      t.after(() => all.disposeAsync());
      const server = all.use(await startPostgres());
      const database = all.use(await Postgres.open(await server.database()));
      const keys = new KeyRing([randomBytes(32)]);
      let before: Membership | undefined;
      return async (sessions) => {
        // Its lease ends, as after a death.
        await before?.[Symbol.asyncDispose]();
        const parts = { database, clock: systemClock, log };
        const lease = { stopped: () => undefined, seen: () => undefined, revalidated: async () => undefined };
        const membership = new Membership({ ...parts, ...lease, name: "test" });
        await membership.join();
        before = membership;
        all.defer(() => membership[Symbol.asyncDispose]());
        const ownership = new Ownership(database, membership.incarnation);
        const store = all.use(new PostgresStore({ ...parts, keys, ownership }));
        for (const key of sessions) {
          const [client = "", id = ""] = key.split("/");
          const claim = await ownership.claim({ key, id, client }, 1_000, TAKES_ALL);
          assert.ok("epoch" in claim, claim.state);
          await store.own(key, claim.epoch, claim.state === "new");
        }
        return store;
      };
    },
  },
];

const session = (id: string): Session => ({
  id,
  client: "local",
  key: `local/${id}`,
  currentRole: "shop",
  createdAtMs: 1_000,
  usedAtMs: 2_000,
  since: { created: 0, used: 0 },
  before: undefined,
  visits: new Map([["shop", { state: "AWAKE", deathsKnown: 0 }]]),
  over: new AbortController(),
  callsUnderWay: 0,
  hasAnswered: true,
  mayLack: new Set(),
  hold: { streams: 0, endedAtMs: undefined },
});
const tabs = (id: string) => ({
  key: `local/${id}`,
  tabs: [{ id: "t1", url: "https://shop.example/", title: "Shop", current: true }],
  nextTab: 2,
  typed: [],
  lostByRest: [],
  debugger: null,
  emulated: null,
  targets: [],
});
const part = (name: string, text: string) => ({ name, data: Buffer.from(text) });
const texts = async (store: SessionStore, role: string, key: string, area?: string) =>
  (await store.partsOf(role, key, area))
    .map(({ name, data }) => `${name}: ${Buffer.from(data)}`)
    .toSorted((one, other) => one.localeCompare(other));

for (const { engine, skip, opener } of engines) {
  test(`${engine}: the latest committed state survives the daemon`, { skip }, async (t) => {
    const reopen = await opener(t);
    const first = await reopen(["local/a"]);
    first.used(session("a"));
    first.keepParts("shop", "local/a", [tabsPart(tabs("a"))]);
    first.keepParts("shop", "local/a", [part("cookies", "one"), part("local https://a.test", "two")]);
    first.keepParts("shop", "local/a", [part("cookies", "three"), part("local https://a.test", "")]);
    first.keepParts("admin", "local/a", [part("steps 0", "four")]);
    await first.committed("local/a", COMMIT_MS);
    const next = await reopen(["local/a"]);
    assert.deepEqual(next.tabsOf("shop", "local/a"), tabs("a"));
    assert.equal(next.tabsOf("admin", "local/a"), undefined);
    assert.deepEqual(await texts(next, "shop", "local/a"), ["cookies: three"]);
    assert.deepEqual(await texts(next, "admin", "local/a", "steps"), ["steps 0: four"]);
    assert.deepEqual(await texts(next, "admin", "local/a", "cookies"), []);
  });

  test(`${engine}: a change is read at once, committed or not`, { skip }, async (t) => {
    const store = await (await opener(t))(["local/a"]);
    store.used(session("a"));
    store.keepParts("shop", "local/a", [part("cookies", "one")]);
    assert.deepEqual(await texts(store, "shop", "local/a"), ["cookies: one"]);
    store.keepParts("shop", "local/a", [tabsPart(tabs("a"))]);
    assert.deepEqual(store.tabsOf("shop", "local/a"), tabs("a"));
  });

  test(`${engine}: a role's state is forgotten alone, also in the middle of changes`, { skip }, async (t) => {
    const reopen = await opener(t);
    const store = await reopen(["local/a"]);
    store.used(session("a"));
    for (const role of ["shop", "admin"]) {
      store.keepParts(role, "local/a", [tabsPart(tabs("a")), part("cookies", role)]);
    }
    store.forget("shop", "local/a");
    store.keepParts("shop", "local/a", [part("steps 0", "anew")]);
    await store.committed("local/a", COMMIT_MS);
    const next = await reopen(["local/a"]);
    assert.equal(next.tabsOf("shop", "local/a"), undefined);
    assert.deepEqual(await texts(next, "shop", "local/a"), ["steps 0: anew"]);
    assert.deepEqual(await texts(next, "admin", "local/a"), ["cookies: admin"]);
  });

  test(`${engine}: nothing is left of a session that is over`, { skip }, async (t) => {
    const reopen = await opener(t);
    const store = await reopen(["local/a", "local/b"]);
    for (const id of ["a", "b"]) {
      store.used(session(id));
      store.keepParts("shop", `local/${id}`, [part("cookies", id)]);
    }
    await store.committed("local/b", COMMIT_MS);
    store.over("local/a");
    if (store instanceof PostgresStore) await store.ended("local/a", { effect: "none" });
    const next = await reopen(["local/a", "local/b"]);
    assert.deepEqual(await texts(next, "shop", "local/a"), []);
    assert.deepEqual(await texts(next, "shop", "local/b"), ["cookies: b"]);
  });

  test(`${engine}: what is deleted does not count as stored`, { skip }, async (t) => {
    const reopen = await opener(t);
    const store = await reopen(["local/a"]);
    store.used(session("a"));
    store.keepParts("shop", "local/a", [{ name: "local https://a.test", data: randomBytes(2 ** 20) }]);
    await store.committed("local/a", COMMIT_MS);
    if (store instanceof PostgresStore) await store.measure();
    assert.ok(store.bytes >= 2 ** 20, `${store.bytes} bytes`);
    store.over("local/a");
    if (store instanceof PostgresStore) {
      await store.ended("local/a", { effect: "none" });
      await store.measure();
    }
    assert.ok(store.bytes < 2 ** 17, `${store.bytes} bytes are left`);
  });

  test(`${engine}: a session's storage may have 16 MiB`, { skip }, async (t) => {
    const reopen = await opener(t);
    const store = await reopen(["local/a"]);
    const data = randomBytes(16 * 2 ** 20);
    store.used(session("a"));
    store.keepParts("shop", "local/a", [{ name: "local https://a.test", data }]);
    await store.committed("local/a", COMMIT_MS);
    const [found] = await (await reopen(["local/a"])).partsOf("shop", "local/a");
    assert.ok(found && data.equals(Buffer.from(found.data)));
  });
}
