// The history of calls, episodes and failures, kept in the state folder across the daemon's own death. Never arguments.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Call, FailureLog, RecoveryRate } from "../../proto/gen/troupe.ts";
import { decode, encode, messageType } from "../../proto/schema.ts";
import { OWNER } from "../admission/client.ts";
import type { EndedCall } from "../calls/ended-call.ts";
import type { Clock } from "../clock.ts";
import type { EndedEpisode } from "../episodes.ts";
import type { Log } from "../log.ts";
import { numberOf } from "../state/sqlite-file.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import { CLIENT_SQL, openJournalFile, SESSION_ID_SQL } from "./journal-file.ts";

/** The journal's bounds, in bytes and milliseconds. */
export interface JournalLimits {
  size: number;
  age: number;
}

/** Which calls are asked for. */
export interface CallFilter {
  session?: string | undefined;
  role?: string | undefined;
  /** Whose. */
  client?: string | undefined;
}

/** The owner's sessions stand in the file by their id alone, others behind their client's name: no id has a space. */
function sessionIn(client: string, session: string): string {
  return client === OWNER.name || client === "" ? session : `${client} ${session}`;
}

/** After so many records the bounds are looked at. */
const RECORDS_BETWEEN_TRIMS = 2_000;
/** What is over the size goes in parts, oldest first. */
const TRIMMED_SHARE = 0.1;
/** That nothing can be written (a full disk) is said no more often. */
const SAID_EACH_MS = 60_000;

/** The journal. Each record is in the file when its method returns; what cannot be written is said, and fails no call. */
export class Journal implements Disposable {
  /** What an operator should know of it. */
  readonly warnings: string[] = [];
  readonly #database: DatabaseSync;
  readonly #limits: JournalLimits;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #insertCall: StatementSync;
  readonly #insertEpisode: StatementSync;
  readonly #upsertFailures: StatementSync;
  #sinceTrim = 0;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  /** Opens the file. One that cannot be used at all is told in `warnings`; then the history ends with the daemon. */
  constructor(file: string, limits: JournalLimits, clock: Clock, log: Log) {
    this.#limits = limits;
    this.#clock = clock;
    this.#log = log;
    const { database, setAside } = this.#openOrRemember(file);
    this.#database = database;
    if (setAside) this.#warn(`${setAside}, and the history begins anew`);
    this.#insertCall = database.prepare(
      "INSERT INTO calls (at_ms, tool, role, session, outcome, duration_ms, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    this.#insertEpisode = database.prepare(
      "INSERT INTO episodes (at_ms, type, role, outcome, calls) VALUES (?, ?, ?, ?, ?)",
    );
    this.#upsertFailures = database.prepare(
      "INSERT INTO failures (role, at_ms, log) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, log = excluded.log",
    );
    this.#keep(() => this.#trim());
  }

  called({ atMs, tool, role, client, session, outcome, durationMs, requestId }: EndedCall): void {
    const kept = sessionIn(client, session);
    this.#record(() =>
      this.#insertCall.run(Math.round(atMs), tool, role, kept, outcome, durationMs, requestId),
    );
  }

  episodeEnded({ type, role, outcome, calls }: EndedEpisode): void {
    this.#record(() => this.#insertEpisode.run(this.#clock.now(), type, role, outcome, calls));
  }

  /** The failures of a role, as they are now. */
  failed(role: string, failures: FailureLog): void {
    const bytes = encode(messageType("troupe.v1.FailureLog"), failures);
    this.#record(() => this.#upsertFailures.run(role, this.#clock.now(), bytes));
  }

  /** The failures of a role, as they were told last; undefined where none were. */
  failuresOf(role: string): FailureLog | undefined {
    const found = this.#database.prepare("SELECT log FROM failures WHERE role = ?").get(role);
    return found && decode<FailureLog>(messageType("troupe.v1.FailureLog"), found.log as Uint8Array);
  }

  /** The newest calls that fit, newest last. */
  newestCalls(limit: number, { session, role, client }: CallFilter): Call[] {
    const where = [
      session !== undefined && `${SESSION_ID_SQL} = :session`,
      role !== undefined && "role = :role",
      client !== undefined && `${CLIENT_SQL} = :client`,
    ];
    const conditions = where.filter((each) => each !== false);
    const statement = this.#database.prepare(
      `SELECT * FROM calls ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""} ORDER BY id DESC LIMIT :limit`,
    );
    const rows = statement.all({
      limit,
      ...(session !== undefined && { session }),
      ...(role !== undefined && { role }),
      ...(client !== undefined && { client: client === OWNER.name ? "" : `${client} ` }),
    });
    return rows.reverse().map((row) => ({
      tool: String(row.tool),
      role: String(row.role),
      session: String(row.session).split(" ").at(-1) ?? "",
      outcome: String(row.outcome),
      durationMs: Number(row.duration_ms),
      at: timestamp(Number(row.at_ms)),
      requestId: String(row.request_id),
    }));
  }

  /** How often each error type was recovered from since then. */
  recovery(sinceMs: number): RecoveryRate[] {
    const rows = this.#database
      .prepare(
        `SELECT type, sum(outcome = 'recovered') AS recovered, sum(outcome = 'repeated') AS repeated,
           sum(outcome = 'abandoned') AS abandoned
         FROM episodes WHERE at_ms >= ? GROUP BY type ORDER BY type`,
      )
      .all(sinceMs);
    return rows.map(({ type, recovered, repeated, abandoned }) => ({
      type: String(type),
      recovered: Number(recovered),
      repeated: Number(repeated),
      abandoned: Number(abandoned),
    }));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #openOrRemember(file: string) {
    try {
      return openJournalFile(file);
    } catch (error) {
      this.#warn(
        `the journal cannot be kept (${(error as Error).message}): the history ends with the daemon`,
      );
      return openJournalFile(":memory:");
    }
  }

  #record(write: () => void): void {
    this.#keep(() => {
      write();
      if (++this.#sinceTrim < RECORDS_BETWEEN_TRIMS) return;
      this.#sinceTrim = 0;
      this.#trim();
    });
  }

  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (this.#clock.steady() - this.#saidAtMs < SAID_EACH_MS) return;
      this.#saidAtMs = this.#clock.steady();
      this.#log.error({ err: error }, "the journal cannot be written: what happens now is not kept");
    }
  }

  /** What is too old goes, then the oldest until the rest fits. */
  #trim(): void {
    const oldest = this.#clock.now() - this.#limits.age;
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const table of ["calls", "episodes", "failures"])
        this.#database.prepare(`DELETE FROM ${table} WHERE at_ms < ?`).run(oldest);
      while (this.#bytes() > this.#limits.size && this.#dropOldest() > 0);
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
    this.#database.exec("PRAGMA incremental_vacuum");
  }

  /** Of the pages, those that hold something. */
  #bytes(): number {
    const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((pragma) =>
      numberOf(this.#database, `PRAGMA ${pragma}`),
    ) as [number, number, number];
    return (pages - free) * size;
  }

  #dropOldest(): number {
    let dropped = 0;
    for (const table of ["calls", "episodes"]) {
      const count = Math.ceil(numberOf(this.#database, `SELECT count(*) FROM ${table}`) * TRIMMED_SHARE);
      const { changes } = this.#database
        .prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ?)`)
        .run(count);
      dropped += Number(changes);
    }
    return dropped;
  }

  #warn(text: string): void {
    this.warnings.push(text);
    this.#log.warn(text);
  }
}
