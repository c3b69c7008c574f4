// Keeps the shared journal within its bounds. One daemon at a time deletes the oldest records.
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { reasonIn } from "../store/database-errors.ts";
import type { Postgres, Statement } from "../store/postgres.ts";
import type { JournalLimits } from "./journal.ts";

/** The first daemon that asks after the pause gets the turn. */
const TURN: Statement = {
  name: "turn to trim",
  text: `UPDATE journal_trimmed SET at = clock_timestamp()
    WHERE at < clock_timestamp() - $1 * interval '1 millisecond' RETURNING at`,
};
/** Ids have no gaps but those of failed writes. Indexes take about as many bytes as the rows. */
const SIZE: Statement = {
  name: "size of the journal",
  text: `SELECT COALESCE((SELECT max(id) - min(id) + 1 FROM journal_calls), 0) AS calls,
      COALESCE((SELECT 2 * avg(pg_column_size(c.*)) FROM (SELECT * FROM journal_calls ORDER BY id DESC LIMIT 100) c), 0)
        AS call_bytes`,
};

/** The tables with the numbers of rows that go at once. */
const TABLES = {
  calls: 5_000,
  episodes: 5_000,
  approvals: 1_000,
  failures: 100,
  writers: 1_000,
} as const;
type Table = keyof typeof TABLES;

const TRIM_EACH_MS = 60_000;
/** The time before the next deletion, if more records are due. */
const TRIM_AGAIN_MS = 1_000;

export interface JournalTrimParts {
  database: Postgres;
  limits: JournalLimits;
  clock: Clock;
  log: Log;
}

/** The journal's size, and the deletions that bound it. */
export class JournalTrim implements AsyncDisposable {
  /** The bytes of the records at the last look. */
  bytes = 0;
  readonly #parts: JournalTrimParts;
  #alarm: Alarm;
  #trimming: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(parts: JournalTrimParts) {
    this.#parts = parts;
    this.#alarm = this.#after(TRIM_AGAIN_MS, false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#alarm.cancel();
    await this.#trimming;
  }

  /** `hasTurn`: this daemon goes on with its own turn. */
  #after(ms: number, hasTurn: boolean): Alarm {
    return this.#parts.clock.after(ms, () => {
      this.#trimming = this.#trim(hasTurn).then((isMoreDue) => {
        if (!this.#isOver) this.#alarm = this.#after(isMoreDue ? TRIM_AGAIN_MS : TRIM_EACH_MS, isMoreDue);
      });
    });
  }

  /** Returns true if more records are due. */
  async #trim(hasTurn: boolean): Promise<boolean> {
    const { database, limits, log } = this.#parts;
    try {
      const turn = hasTurn || (await database.rows(TURN, [TRIM_EACH_MS / 2])).length > 0;
      const surplus = await this.#measure();
      if (!turn) return false;
      let isMoreDue = false;
      for (const table of Object.keys(TABLES) as Table[])
        isMoreDue = (await this.#drop(table, limits.age, TABLES[table])) || isMoreDue;
      return surplus > 0 ? (await this.#drop("calls", 0, surplus)) || isMoreDue : isMoreDue;
    } catch (error) {
      log.debug({ reason: reasonIn(error) }, "the journal could not be trimmed");
      return false;
    }
  }

  /** Returns the number of calls beyond the size. */
  async #measure(): Promise<number> {
    const { database, limits } = this.#parts;
    const [row] = await database.rows<{ calls: string; call_bytes: string }>(SIZE, []);
    const [calls, each] = [Number(row?.calls ?? 0), Number(row?.call_bytes ?? 0)];
    this.bytes = Math.round(calls * each);
    return Math.ceil((this.bytes - limits.size) / Math.max(1, each));
  }

  /** Deletes the oldest records of that age. Returns true if more may be due. */
  async #drop(table: Table, ageMs: number, most: number): Promise<boolean> {
    const bound = Math.min(most, TABLES[table]);
    const [row] = await this.#parts.database.rows(DROP[table], [ageMs, bound]);
    return Number(row?.dropped) === TABLES[table];
  }
}

function dropping(table: Table): Statement {
  return {
    name: `drop ${table}`,
    text: `WITH old AS (
        SELECT ctid FROM journal_${table} WHERE at < statement_timestamp() - $1 * interval '1 millisecond'
        ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
      ), dropped AS (DELETE FROM journal_${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM old)) RETURNING 1)
      SELECT count(*) AS dropped FROM dropped`,
  };
}

const DROP = Object.fromEntries(
  (Object.keys(TABLES) as Table[]).map((table) => [table, dropping(table)]),
) as Record<Table, Statement>;
