// Simulates the directory of a large cluster: the real store of many daemons, on a real PostgreSQL of this machine.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { Membership } from "../../../daemon/cluster/membership.ts";
import { systemClock } from "../../../daemon/core/clock.ts";
import { KeyRing } from "../../../daemon/core/key-ring.ts";
import { Ownership } from "../../../daemon/store/ownership.ts";
import { Postgres } from "../../../daemon/store/postgres.ts";
import { PostgresStore } from "../../../daemon/store/postgres-store.ts";
import { allStats, cpuSeconds, descendants } from "../../harness/proc.ts";
import { type Postgres as PostgresServer, startPostgres } from "../../harness/servers/postgres.ts";
import { elapsed } from "./elapsed.ts";

export interface DirectoryFigures {
  pods: number;
  sessions: number;
  /** The connections of all pods while they write. */
  connections: number;
  /** Sessions that begin, calls at a pod that does not own the session, and calls that store something, at full load. */
  begins: Rate;
  lookUps: Rate;
  writes: Rate;
  /** Milliseconds of the database's processor time that all heartbeats take in a second. */
  heartbeatMs: number;
  /** A pod is gone, and so many others ask for each of its sessions at once. Each session gets one owner. */
  takeOver: { sessions: number; askers: number; totalMs: number };
  /** KiB of the database for each session. */
  sessionKiB: number;
}

export interface Rate {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Milliseconds of the database's processor time for each. */
  databaseMs: number;
}

interface Pod {
  database: Postgres;
  membership: Membership;
  ownership: Ownership;
  store: PostgresStore;
}

interface Owned {
  key: string;
  pod: Pod;
}

interface SizeOptions {
  pods: number;
  sessions: number;
  /** Bytes of a session's storage, and of its part that a call changes. */
  storedBytes: number;
  changedBytes: number;
}

const ROLE = "measured";
const TAKES_ALL = { hasRoom: () => true, hasKey: () => true };
/** Each pod has so many questions under way. */
const AT_ONCE = 2;
const LOAD_MS = 15_000;
const BEATS_MS = 20_000;
const COMMIT_MS_MAX = 60_000;
/** Pods that ask for the sessions of a dead one. */
const ASKERS = 10;
const STORED_BYTES = "SELECT pg_total_relation_size('sessions') + pg_total_relation_size('parts') AS value";
const CONNECTIONS = "SELECT count(*) AS value FROM pg_stat_activity WHERE application_name = 'troupe'";
const SETTINGS = { max_connections: "1200", shared_buffers: "1GB" };

/** Each commit waits for the disk, as in production. */
export async function simulateDirectory(options: SizeOptions): Promise<DirectoryFigures> {
  await using open = new AsyncDisposableStack();
  const server = open.use(await startPostgres({ durable: true, settings: SETTINGS }));
  const url = await server.database();
  const keys = new KeyRing([randomBytes(32)]);
  const pods: Pod[] = [];
  for (let each = 0; each < options.pods; each++) pods.push(await joined(url, `pod-${each}`, keys, open));

  const owned = Array.from({ length: options.sessions }, (_, index) => ({
    key: `local/s${index}`,
    pod: pods[index % pods.length] as Pod,
  }));
  const begins = await loaded(owned.values(), pods.length, async ({ key, pod }) => {
    const claim = await pod.ownership.claim({ key, id: key, client: "local" }, Date.now(), TAKES_ALL);
    if (claim.state !== "new") throw new Error(`${key} is ${claim.state}`);
    await pod.store.own(key, claim.epoch, true);
    pod.store.keepParts(ROLE, key, [{ name: "storage a", data: randomBytes(options.storedBytes) }]);
    await pod.store.committed(key, COMMIT_MS_MAX);
  });
  const bytes = await numberFrom(server, STORED_BYTES, url);
  const lookUps = await loaded(again(owned), pods.length, async ({ key, pod }) => {
    const other = pods[(pods.indexOf(pod) + 1) % pods.length] as Pod;
    const claim = await other.ownership.claim({ key, id: key, client: "local" }, Date.now(), TAKES_ALL);
    if (claim.state !== "elsewhere") throw new Error(`${key} is ${claim.state}`);
  });
  const writes = await loaded(again(owned), pods.length, async ({ key, pod }) => {
    pod.store.keepParts(ROLE, key, [{ name: "storage b", data: randomBytes(options.changedBytes) }]);
    await pod.store.committed(key, COMMIT_MS_MAX);
  });
  const connections = await numberFrom(server, CONNECTIONS, url);
  const before = databaseSeconds();
  await elapsed(BEATS_MS);
  return {
    pods: options.pods,
    sessions: options.sessions,
    connections,
    begins,
    lookUps,
    writes,
    heartbeatMs: (databaseSeconds() - before) / (BEATS_MS / 1_000_000),
    takeOver: await takenOver(server, url, pods, owned),
    sessionKiB: bytes / 1024 / options.sessions,
  };
}

async function joined(url: string, name: string, keys: KeyRing, open: AsyncDisposableStack): Promise<Pod> {
  const log = pino({ level: "silent" });
  const database = open.use(await Postgres.open(url));
  const nothing = { stopped: () => undefined, seen: () => undefined, revalidated: async () => undefined };
  const membership = open.use(new Membership({ database, name, clock: systemClock, log, ...nothing }));
  await membership.join();
  const ownership = new Ownership(database, membership.incarnation);
  const store = open.use(new PostgresStore({ database, ownership, keys, clock: systemClock, log }));
  return { database, membership, ownership, store };
}

/** Has all pods ask about items at full load until the items, or the time, are over. */
async function loaded<T>(items: Iterator<T>, pods: number, ask: (item: T) => Promise<void>): Promise<Rate> {
  const times: number[] = [];
  const beganMs = performance.now();
  const before = databaseSeconds();
  const worker = async () => {
    for (let item = items.next(); !item.done; item = items.next()) {
      const askedMs = performance.now();
      await ask(item.value);
      times.push(performance.now() - askedMs);
    }
  };
  await Promise.all(Array.from({ length: pods * AT_ONCE }, worker));
  const seconds = (performance.now() - beganMs) / 1000;
  const sorted = times.toSorted((one, other) => one - other);
  return {
    perSecond: times.length / seconds,
    medianMs: sorted[sorted.length >> 1] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    databaseMs: ((databaseSeconds() - before) * 1000) / times.length,
  };
}

/** Gives the items again and again, for the time of a measurement. */
function* again<T>(items: readonly T[]): Generator<T> {
  const endMs = performance.now() + LOAD_MS;
  for (;;)
    for (const item of items) {
      if (performance.now() > endMs) return;
      yield item;
    }
}

/** Ends the lease of one pod. All others ask for each of its sessions at the same time. */
async function takenOver(
  server: PostgresServer,
  url: string,
  [dead, ...others]: readonly Pod[],
  owned: readonly Owned[],
): Promise<DirectoryFigures["takeOver"]> {
  const lost = owned.filter(({ pod }) => pod === dead);
  await dead?.membership[Symbol.asyncDispose]();
  const askers = others.slice(0, ASKERS);
  const beganMs = performance.now();
  const claims = await Promise.all(
    lost.flatMap(({ key }) =>
      askers.map(({ ownership }) =>
        ownership.claim({ key, id: key, client: "local" }, Date.now(), TAKES_ALL),
      ),
    ),
  );
  const totalMs = performance.now() - beganMs;
  const taken = claims.filter(({ state }) => state === "taken").length;
  const rows = await server.ask<{ key: string }>(
    "SELECT key FROM sessions WHERE epoch = 2 AND owner <> $1",
    [dead?.ownership.incarnation],
    url,
  );
  if (taken !== lost.length || rows.length !== lost.length)
    throw new Error(`${lost.length} sessions were taken ${taken} times; ${rows.length} have an owner`);
  return { sessions: lost.length, askers: askers.length, totalMs };
}

/** The processes that this one has started are the database's. */
function databaseSeconds(): number {
  return descendants([process.pid], allStats())
    .filter(({ pid }) => pid !== process.pid)
    .reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}

async function numberFrom(server: PostgresServer, sql: string, url: string): Promise<number> {
  const [row] = await server.ask<{ value: string }>(sql, [], url);
  return Number(row?.value);
}
