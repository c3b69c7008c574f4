// Several daemons of one database in this process, with stand-in workers.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../../daemon/parts.ts";
import type { DaemonNote } from "../../../proto/machine/locations.ts";
import { testClient, testDaemon } from "../../harness/daemon.ts";
import { type RunningProgram, startProgram } from "../../harness/program.ts";
import { type Postgres, startPostgres } from "../../harness/servers/postgres.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { authority, validNow } from "../../site/certificates.ts";

export type ClusterDaemon = Awaited<ReturnType<typeof testDaemon>>;

const withStandIns = fileURLToPath(new URL("../../harness/run-daemon.ts", import.meta.url));
const DAEMON_MS_MAX = 120_000;

/** A daemon in a process of its own. */
export interface DaemonProcess extends ReturnType<typeof testClient> {
  child: RunningProgram["child"];
  output: RunningProgram["output"];
  said: RunningProgram["said"];
  exited: Promise<unknown>;
}

/** A database and the files that its daemons share. */
export interface Daemons {
  /** The next test of the file needs it, too. */
  postgres: Postgres;
  url: string;
  /** Opens another daemon. The test's end closes it. */
  open(config?: object, ground?: Partial<Environment>): Promise<ClusterDaemon>;
  /** Starts another daemon in a process of its own. The test's end kills it. */
  start(config?: object, env?: NodeJS.ProcessEnv): Promise<DaemonProcess>;
  /** Writes new certificates of another authority. Each daemon uses them once it has read its configuration again. */
  renewPeers(): void;
  /** The `peers` that all daemons have unless they are given others. */
  peers: { listen: string; tls: object };
  /** Issues a certificate for that name by the authority of all daemons. */
  tls(host: string, validity?: ReturnType<typeof validNow>): { cert: Buffer; key: Buffer; ca: Buffer };
  /** Returns the rows of a statement in the daemons' database. */
  ask<R extends Record<string, unknown>>(sql: string, values?: unknown[]): Promise<R[]>;
}

/** The server of all tests of a file. Its start takes longer than many of them, and each has a database of its own. */
let server: Promise<Postgres> | undefined;

export async function daemonsOf(t: TestContext): Promise<Daemons> {
  server ??= startPostgres().then(shared);
  const postgres = await server;
  const all = new AsyncDisposableStack();
  t.after(() => all.disposeAsync());
  const { dir } = all.use(tempDir());
  const url = await postgres.database();
  const ca = authority("Troupe peers");
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(dir, name), content, { mode: 0o600 });
    return path.join(dir, name);
  };
  const certificate = (host: string, validity = validNow()) => {
    const issued = ca.issue({ host, ...validity });
    return { cert: Buffer.from(issued.cert), key: Buffer.from(issued.key ?? ""), ca: Buffer.from(ca.cert) };
  };
  const peersOf = (issuer: typeof ca) => {
    const { cert, key = "" } = issuer.issue({ host: "troupe-peer", ...validNow() });
    return { cert: file("peer.crt", cert), key: file("peer.key", key), ca: file("ca.crt", issuer.cert) };
  };
  const tls = peersOf(ca);
  const stateKeys = [file("state.key", randomBytes(32).toString("hex"))];
  const same = {
    store: url,
    stateKeys,
    peers: { listen: "127.0.0.1:0", tls },
    roles: { shop: {}, admin: {} },
  };
  let started = 0;
  return {
    postgres,
    url,
    peers: same.peers,
    tls: certificate,
    renewPeers: () => void peersOf(authority("Troupe peers, renewed")),
    async open(config = {}, ground = {}) {
      const daemon = await testDaemon({ ...same, ...config }, ground);
      all.use(daemon);
      return daemon;
    },
    async start(config = {}, env = {}) {
      const own = path.join(dir, `d${++started}`);
      mkdirSync(own);
      writeFileSync(path.join(own, "troupe.yaml"), JSON.stringify({ http: "off", ...same, ...config }));
      const program = startProgram([withStandIns, "--state-dir", "s"], {
        cwd: own,
        env: { ...process.env, ...env },
        timeoutMs: DAEMON_MS_MAX,
      });
      all.use(program);
      await program.said(/ready/);
      const note = JSON.parse(readFileSync(path.join(own, "s/daemon.json"), "utf8")) as DaemonNote;
      const client = testClient(note.addresses[0] ?? "");
      all.defer(() => client.close());
      return { ...client, ...program };
    },
    ask: (sql, values) => postgres.ask(sql, values, url),
  };
}
