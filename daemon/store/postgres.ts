// Connections to PostgreSQL, with a deadline for each question.
import { setTimeout as alarm } from "node:timers";
import { Client, Pool, type QueryConfig, type QueryResultRow } from "pg";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { onceAMinute } from "../core/once-a-minute.ts";
import { StartupError } from "../core/startup-error.ts";
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

/** Returns the StartupError for what the database said. */
export function unusable(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(
    "unavailable",
    `The database that \`store\` names cannot be used: ${reasonIn(error)}\nCheck that it runs, and the address, user, password and rights of \`store\` or TROUPE_STORE`,
  );
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

/** Returns what the database or the connection says, on one line, without the address's password. */
export function reasonIn(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  const text = message || code || String(error);
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\/\/[^@/\s]*@/g, "//…@")
    .slice(0, 200);
}

/** Returns a function that logs why the database failed. During an outage each call of each session may log that. */
export function failureLine(
  { clock, log }: { clock: Clock; log: Log },
  level: "warn" | "error",
  text: string,
) {
  return onceAMinute(clock, (error) => log[level]({ reason: reasonIn(error) }, text));
}

/**
 * Returns the reason in words for clients, who learn neither the database's address nor its user. Codes and classes of
 * SQLSTATE: PostgreSQL's documentation, appendix A.
 */
export function clientReason(error: unknown): string {
  const { code = "" } = error as { code?: string };
  return CLIENT_REASONS[code] ?? CLIENT_REASONS[code.slice(0, 2)] ?? "the database does not answer";
}

const CLIENT_REASONS: Record<string, string> = {
  "25006": "the database is read-only",
  "28": "the database refuses this daemon",
  "40": "the database broke the change off",
  "42": "the database lacks a table or a right that is needed",
  "53100": "the database's disk is full",
  "53300": "the database has too many connections",
  "53": "the database has no room left",
  "55P03": "the database did not get a lock in time",
  "57014": "the database did not finish in time",
};

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
