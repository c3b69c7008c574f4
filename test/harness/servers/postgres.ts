// A real PostgreSQL server in a temporary folder, at a port of its own on loopback.
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { Client, type QueryResultRow } from "pg";
import { freePort } from "../free-port.ts";
import { allStats, descendants } from "../proc.ts";
import { tempDir } from "../temp-dir.ts";
import { until } from "../within.ts";
import { asServant, servant } from "./servant.ts";

const run = promisify(execFile);

/** Where Debian installs its versions. */
const INSTALLED = "/usr/lib/postgresql";
const ADMIN = "postgres";
const OWNER = "troupe";
const START_MS_MAX = 60_000;
const LOG_CHARS_MAX = 20_000;
const READY = "database system is ready to accept connections";

/** Commits survive a stop or a crash of the server. They need not survive one of the machine. */
const FAST = { fsync: "off", full_page_writes: "off" };

export interface PostgresOptions {
  /** Commits wait for the disk, as in production. */
  durable?: boolean;
  /** Further settings of postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
}

/** Its disposal ends the server and removes its folder. */
export interface Postgres extends AsyncDisposable {
  port: number;
  /** Makes an empty database. Returns the URL for its owner, who is no superuser. */
  database(): Promise<string>;
  /** Runs a statement as the superuser, in the database of a URL if one is given. Returns the rows. */
  ask<R extends QueryResultRow>(sql: string, values?: unknown[], url?: string): Promise<R[]>;
  /** Ends the server at once, as a crash does. Its connections break. */
  stop(): Promise<void>;
  /** Starts it again at the same port with the same data. */
  start(): Promise<void>;
  /** Stops all its processes with SIGSTOP. Connections stay open, and nothing answers. */
  pause(): void;
  resume(): void;
  /** Lets every transaction that begins later only read, also those of open connections. */
  setReadOnly(readOnly: boolean): Promise<void>;
  /** Breaks the connections to a database, as a failover does. */
  disconnect(url: string): Promise<void>;
}

/** The reason to skip a test that needs PostgreSQL. In CI nothing is left out. */
export const skipWithoutPostgres: string | false =
  process.env.CI || programs() ? false : "PostgreSQL is not installed; on Debian: apt-get install postgresql";

export async function startPostgres({
  durable = false,
  settings = {},
}: PostgresOptions = {}): Promise<Postgres> {
  const bin = programs();
  if (!bin)
    throw new Error(`there is no PostgreSQL below ${INSTALLED}; on Debian: apt-get install postgresql`);
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(tempDir());
  const password = randomBytes(16).toString("hex");
  const data = await initialized(bin, dir, password);
  const port = await freePort();
  const all = { port: String(port), ...SETTINGS, ...(durable ? {} : FAST), ...settings };
  const server = open.use(new Server(bin, data, all));
  await server.start();
  const admin = `postgres://${ADMIN}:${password}@127.0.0.1:${port}/postgres`;
  const ask = <R extends QueryResultRow>(sql: string, values?: unknown[], url?: string) =>
    rowsOf<R>(url ? inDatabase(admin, url) : admin, sql, values);
  await ask(`CREATE ROLE ${OWNER} LOGIN PASSWORD '${password}'`);
  let databases = 0;
  const parts = open.move();
  return {
    port,
    ask,
    async database() {
      const name = `${OWNER}_${++databases}`;
      await ask(`CREATE DATABASE ${name} OWNER ${OWNER}`);
      return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${name}`;
    },
    stop: () => server.stop(),
    start: () => server.start(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    async setReadOnly(readOnly) {
      const value = readOnly ? "on" : "off";
      await ask(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await ask("SELECT pg_reload_conf()");
      // A new connection has the setting only after the server has signalled all open ones.
      const shown = "SELECT current_setting('default_transaction_read_only') AS value";
      await until(
        async () => (await ask(shown))[0]?.value === value,
        `default_transaction_read_only = ${value}`,
      );
    },
    async disconnect(url) {
      await ask("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1", [
        new URL(url).pathname.slice(1),
      ]);
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "32MB",
  max_connections: "200",
  // A crash of the server must not leave its workers for longer than the test.
  restart_after_crash: "off",
};

/** Returns the folder with the programs of the newest version. */
function programs(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const versions = readdirSync(INSTALLED).sort((one, other) => Number(other) - Number(one));
  return versions
    .map((version) => path.join(INSTALLED, version, "bin"))
    .find((bin) => existsSync(path.join(bin, "initdb")));
}

/** Makes a cluster. Returns its folder. */
async function initialized(bin: string, dir: string, password: string): Promise<string> {
  const [data, passwordFile] = [path.join(dir, "data"), path.join(dir, "password")];
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const user = servant("postgres");
  if (user) for (const each of [dir, passwordFile]) chownSync(each, user.uid, user.gid);
  const [program = "", ...args] = asServant(user, [
    path.join(bin, "initdb"),
    ...["--pgdata", data, "--username", ADMIN, "--auth", "scram-sha-256", "--pwfile", passwordFile],
    ...["--encoding", "UTF8", "--locale", "C", "--no-sync"],
  ]);
  await run(program, args, { cwd: dir, timeout: START_MS_MAX });
  return data;
}

/** The process of the server, which comes and goes. */
class Server {
  readonly #bin: string;
  readonly #data: string;
  readonly #settings: Readonly<Record<string, string>>;
  #child: ChildProcessByStdio<null, null, Readable> | undefined;
  #exited: Promise<unknown> = Promise.resolve();

  constructor(bin: string, data: string, settings: Readonly<Record<string, string>>) {
    this.#bin = bin;
    this.#data = data;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const given = Object.entries(this.#settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = [path.join(this.#bin, "postgres"), "-D", this.#data, ...given];
    const [program = "", ...args] = asServant(servant("postgres"), server);
    const child = spawn(program, args, { cwd: this.#data, stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    this.#exited = once(child, "close");
    await readyOf(child, this.#exited);
  }

  async stop(): Promise<void> {
    this.resume();
    // This is PostgreSQL's immediate shutdown.
    this.#child?.kill("SIGQUIT");
    this.#child = undefined;
    await this.#exited;
  }

  pause(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The server comes first. Once it is stopped, it starts no more processes. */
  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    this.#child?.kill(signal);
    for (const each of descendants([pid], allStats())) {
      if (each.pid !== pid) signalUnlessGone(each.pid, signal);
    }
  }
}

/** A process of a connection may end at any time. */
function signalUnlessGone(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Resolves when the server takes connections. */
async function readyOf(
  child: ChildProcessByStdio<null, null, Readable>,
  exited: Promise<unknown>,
): Promise<void> {
  const ready = Promise.withResolvers<void>();
  let log = "";
  child.stderr.on("data", (text: Buffer) => {
    if (log.length < LOG_CHARS_MAX) log += text;
    if (log.includes(READY)) ready.resolve();
  });
  child.once("error", ready.reject);
  const failed = (what: string) => ready.reject(new Error(`PostgreSQL ${what}:\n${log}`));
  const late = setTimeout(() => failed("is not ready"), START_MS_MAX);
  exited.then(() => failed("has ended"), ready.reject);
  await ready.promise.finally(() => clearTimeout(late));
}

async function rowsOf<R extends QueryResultRow>(url: string, sql: string, values?: unknown[]): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the superuser's URL for the database of another URL. */
function inDatabase(admin: string, url: string): string {
  return Object.assign(new URL(admin), { pathname: new URL(url).pathname }).href;
}
