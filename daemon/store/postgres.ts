// Connections to PostgreSQL, with a deadline for each question. Only a daemon with a database loads this file and pg.
import { setTimeout as alarm } from "node:timers";
import { Client, Pool, type QueryConfig, type QueryResultRow } from "pg";
import { StartupError } from "../core/startup-error.ts";
import { reasonIn, unusable } from "./database-errors.ts";
import { migrate } from "./postgres-schema.ts";

/** The connections of one daemon besides its heartbeat's. A session uses one at a time. */
const CONNECTIONS_MAX = 8;
/** A failed over or overloaded database must not hold calls for longer. */
const ANSWER_MS = 5_000;
/** Over a slower connection a session's whole storage does not pass. It is about 8 Mbit/s. */
const BYTES_PER_MS = 1_000;
/** The database's own bound is that of the largest values. Its time begins before they have arrived. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 3_000;
/** A daemon and its database often start together. */
const START_MS = 30_000;
const START_AGAIN_MS = 500;

/** A statement that each connection prepares once. */
export interface Statement {
  name: string;
  text: string;
}

/** An open database. */
export class Postgres implements AsyncDisposable {
  readonly #url: string;
  readonly #pool: Pool;

  private constructor(url: string) {
    this.#url = url;
    this.#pool = new Pool({ ...settings(url), max: CONNECTIONS_MAX, idleTimeoutMillis: 60_000 });
    // An idle connection that breaks is replaced at the next question.
    this.#pool.on("error", () => undefined);
  }

  /**
   * Connects, and brings the tables to this version. Throws a StartupError if the database does not answer in time.
   * `waits`: called once, with the reason, if the first try fails and others follow.
   */
  static async open(url: string, waits?: (reason: string) => void): Promise<Postgres> {
    checkSettings(url);
    const database = new Postgres(url);
    const untilMs = performance.now() + START_MS;
    for (let isFirst = true; ; isFirst = false) {
      try {
        const client = await database.#pool.connect();
        await migrate(client).finally(() => client.release());
        return database;
      } catch (error) {
        const isLast = performance.now() + START_AGAIN_MS > untilMs || !isPassing(error);
        if (!isLast) {
          if (isFirst) waits?.(reasonIn(error));
          await new Promise<void>((go) => void alarm(go, START_AGAIN_MS));
          continue;
        }
        await database[Symbol.asyncDispose]();
        throw unusable(error);
      }
    }
  }

  /**
   * Returns the rows. Rejects with the database's error, or if it does not answer in time. `bytes`: the size of large
   * values, which need more time.
   */
  async rows<R extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    bytes = 0,
  ): Promise<R[]> {
    const question = {
      ...statement,
      values: [...values],
      query_timeout: ANSWER_MS + bytes / BYTES_PER_MS,
    } as QueryConfig;
    const { rows } = await this.#pool.query<R>(question);
    return rows;
  }

  /** Returns a connection that belongs to the caller, who ends it. */
  connected(): Promise<Client> {
    return connectTo(this.#url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

/** Returns a connection that belongs to the caller, who ends it. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client(settings(url));
  // Its next question rejects.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Throws a StartupError if the address cannot be understood, or names a file that cannot be read. */
function checkSettings(url: string): void {
  try {
    new Client(settings(url));
  } catch (error) {
    throw new StartupError(
      "configuration",
      `The address in \`store\` or TROUPE_STORE cannot be used: ${reasonIn(error)}`,
    );
  }
}

function settings(url: string) {
  return {
    connectionString: url,
    application_name: "troupe",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    statement_timeout: STATEMENT_MS,
    keepAlive: true,
    // The database learns soon that a connection is broken, and frees its locks.
    options: "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3",
  };
}

/** Wrong passwords, names and certificates do not pass by themselves. Classes of SQLSTATE: PostgreSQL's documentation, appendix A. */
function isPassing(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return !(error instanceof StartupError) && !/^(28|3D|42)|CERT|VERIFY/.test(code);
}
