// Writes a daemon's records into the shared journal, in batches, while calls go on.
import { within } from "../../proto/machine/within.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { reasonIn } from "../store/database-errors.ts";
import type { Postgres, Statement } from "../store/postgres.ts";

/** The tables of records. */
type Kind = "calls" | "episodes" | "approvals";
type Row = Record<string, unknown>;

interface Content {
  records: { kind: Kind; atMs: number; row: Row }[];
  failures: Row[];
  /** So many entries were given before its end; absent if some of them are in a later batch. */
  given?: number | undefined;
}

interface Batch extends Content {
  number: number;
}

const AT = "statement_timestamp() - r.age_ms * interval '1 millisecond'";

/** An answer may be lost after the commit. The number of a daemon's last batch shows that a batch is already there. */
const WRITE: Statement = {
  name: "write journal",
  text: `WITH own AS (
      INSERT INTO journal_writers VALUES ($1, $2, clock_timestamp())
      ON CONFLICT (daemon) DO UPDATE SET batch = excluded.batch, at = excluded.at
        WHERE journal_writers.batch < excluded.batch RETURNING daemon
    ), calls AS (
      INSERT INTO journal_calls (daemon, at, tool, role, client, session, outcome, duration_ms, request_id, recoverable)
      SELECT daemon, ${AT}, tool, role, client, session, outcome, duration_ms, request_id, recoverable
      FROM own, json_to_recordset($3::json) AS r (age_ms float8, tool text, role text, client text, session text,
        outcome text, duration_ms float8, request_id text, recoverable boolean)
    ), episodes AS (
      INSERT INTO journal_episodes (daemon, at, type, role, client, session, tool, outcome, calls)
      SELECT daemon, ${AT}, type, role, client, session, tool, outcome, calls
      FROM own, json_to_recordset($4::json) AS r (age_ms float8, type text, role text, client text, session text,
        tool text, outcome text, calls integer)
    ), approvals AS (
      INSERT INTO journal_approvals (daemon, at, approval, role, client, session, what, outcome, decided_by)
      SELECT daemon, ${AT}, approval, role, client, session, what, outcome, decided_by
      FROM own, json_to_recordset($5::json) AS r (age_ms float8, approval text, role text, client text, session text,
        what text, outcome text, decided_by text)
    ) INSERT INTO journal_failures (role, daemon, at, key_id, log)
      SELECT role, daemon, clock_timestamp(), key_id, decode(log, 'base64')
      FROM own, json_to_recordset($6::json) AS r (role text, key_id text, log text)
      ON CONFLICT (role, daemon) DO UPDATE SET at = excluded.at, key_id = excluded.key_id, log = excluded.log`,
};

/** Records of this time are written together. */
const GATHER_MS = 200;
const BATCH_MAX = 1_000;
/** The records that wait for the database, about 4 MB. */
const WAITING_MAX = 10_000;
/** The wait before a batch is tried again, twice as long each time. */
const AGAIN_MS = 500;
const AGAIN_MS_MAX = 5_000;
/** The time for the last records at the end. */
const END_MS = 2_000;

export interface JournalWriterParts {
  database: Postgres;
  daemon: string;
  clock: Clock;
  log: Log;
}

/** The records that wait, and the batch under way. A record beyond the bound is dropped. */
export class JournalWriter implements AsyncDisposable {
  /** The records that were dropped since the start. */
  dropped = 0;
  readonly #parts: JournalWriterParts;
  #waiting: Content["records"] = [];
  /** Pieces of batches that the database refused. */
  readonly #pieces: Content[] = [];
  /** By role, the failures to write. */
  readonly #failures = new Map<string, () => Row>();
  /** Tried again until it is written. */
  #batch: Batch | undefined;
  #batches = 0;
  /** The records and failures that were given, and how many of them are written, or never will be. */
  #given = 0;
  #done = 0;
  #writing: Promise<void> | undefined;
  /** The end of the attempt under way. */
  #attempt: Promise<boolean> | undefined;
  #alarm: Alarm | undefined;
  #againMs = AGAIN_MS;
  #hasFailed = false;
  #isOver = false;

  constructor(parts: JournalWriterParts) {
    this.#parts = parts;
  }

  add(kind: Kind, atMs: number, row: Row): void {
    if (this.#waiting.length >= WAITING_MAX) this.#drop(1, "too many wait for the database");
    else {
      this.#waiting.push({ kind, atMs, row });
      this.#given++;
    }
    this.#writeAfter(GATHER_MS);
  }

  /** Writes the failures of the role. They replace those that wait. `row` makes their row when it is written. */
  replace(role: string, row: () => Row): void {
    this.#failures.set(role, row);
    this.#given++;
    this.#writeAfter(GATHER_MS);
  }

  /** Resolves when the records so far are written, or the database does not take them. */
  async written(): Promise<void> {
    const given = this.#given;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    // Further records come for as long as there are calls.
    while (this.#writing !== undefined && this.#done < given) await this.#attempt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await within({ timeMs: END_MS, clock: this.#parts.clock }, this.written());
    this.#isOver = true;
    this.#alarm?.cancel();
    const begun = [...this.#pieces, ...(this.#batch ? [this.#batch] : [])];
    const left = begun.reduce((sum, { records }) => sum + records.length, this.#waiting.length);
    if (left > 0) this.#drop(left, "the daemon ends");
  }

  #writeAfter(ms: number): void {
    if (this.#isOver) return;
    this.#alarm ??= this.#parts.clock.after(ms, () => {
      this.#alarm = undefined;
      void this.written();
    });
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      this.#batch ??= this.#next();
      if (!this.#batch || this.#isOver) return;
      this.#attempt = this.#settled(this.#batch);
      if (!(await this.#attempt)) return this.#writeAgain();
      this.#done = this.#batch.given ?? this.#done;
      this.#batch = undefined;
    }
  }

  #writeAgain(): void {
    this.#writeAfter(this.#againMs);
    this.#againMs = Math.min(2 * this.#againMs, AGAIN_MS_MAX);
  }

  /** Returns true if the batch is written, or never will be. */
  async #settled(batch: Batch): Promise<boolean> {
    const { log } = this.#parts;
    try {
      await this.#write(batch);
    } catch (error) {
      if (!this.#hasFailed)
        log.error({ reason: reasonIn(error) }, "the journal cannot be written yet: its records wait");
      this.#hasFailed = true;
      if (!isRefused(error)) return false;
      const [first, second] = piecesOf(batch);
      if (first && second) {
        this.#pieces.unshift(first, { ...second, given: batch.given });
        batch.given = undefined;
      } else this.#drop(1, "the database refuses them");
      return true;
    }
    if (this.#hasFailed) log.info({ dropped: this.dropped }, "the journal is written again");
    this.#hasFailed = false;
    this.#againMs = AGAIN_MS;
    return true;
  }

  #next(): Batch | undefined {
    const piece = this.#pieces.shift();
    if (piece) return { number: ++this.#batches, ...piece };
    if (this.#waiting.length === 0 && this.#failures.size === 0) return undefined;
    const records = this.#waiting.splice(0, BATCH_MAX);
    if (this.#waiting.length > 0) return { number: ++this.#batches, records, failures: [] };
    const failures = [...this.#failures.values()].map((row) => row());
    this.#failures.clear();
    return { number: ++this.#batches, records, failures, given: this.#given };
  }

  async #write({ number, records, failures }: Batch): Promise<void> {
    const { database, daemon, clock } = this.#parts;
    const nowMs = clock.now();
    const of = (kind: Kind) =>
      json(
        records
          .filter((each) => each.kind === kind)
          .map(({ atMs, row }) => ({ ...row, age_ms: Math.max(0, nowMs - atMs) })),
      );
    const values = [of("calls"), of("episodes"), of("approvals"), json(failures)];
    await database.rows(WRITE, [daemon, number, ...values]);
  }

  #drop(count: number, reason: string): void {
    if (this.dropped === 0) this.#parts.log.error({ reason }, "records of the journal are dropped");
    this.dropped += count;
  }
}

/** Returns two pieces of a batch, which are tried one after the other, or none of a single row. */
function piecesOf({ records, failures }: Content): Content[] {
  const [first, others] = [Math.ceil(records.length / 2), Math.ceil(failures.length / 2)];
  if (records.length > 0 && failures.length > 0)
    return [
      { records, failures: [] },
      { records: [], failures },
    ];
  if (records.length > 1)
    return [records.slice(0, first), records.slice(first)].map((each) => ({ records: each, failures }));
  if (failures.length > 1)
    return [failures.slice(0, others), failures.slice(others)].map((each) => ({ records, failures: each }));
  return [];
}

/** The same rows would be refused again. Classes of SQLSTATE: PostgreSQL's documentation, appendix A. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? "");
}

/** PostgreSQL's text has no NUL and no half of a surrogate pair. */
function json(rows: readonly Row[]): string {
  return JSON.stringify(rows, (_name, value) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value,
  );
}
