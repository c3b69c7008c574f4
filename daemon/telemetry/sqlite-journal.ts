// The journal of one daemon, in an SQLite file of its state folder. The calls and episodes of a turn of the event loop
// are written at its end, in one transaction. Failures and approvals are written at once.
import type { SQLInputValue } from "node:sqlite";
import type { Call, FailureLog, RecoveryRate } from "../../proto/gen/troupe.ts";
import { redactedText } from "../../proto/text/redact.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import { clientOf, OWNER, sessionOf } from "../admission/client.ts";
import type { Scope } from "../admission/visible.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { onceAMinute } from "../core/once-a-minute.ts";
import { inTransaction, isDamage, numberOf } from "../state/sqlite-file.ts";
import { NO_FAILURES, timestamp } from "../supervisor/failure-history.ts";
import type { EndedApproval } from "../supervisor/role-approvals.ts";
import type { EndedCall } from "./ended-call.ts";
import type { SessionEpisode } from "./flight-recorder.ts";
import {
  type CallFilter,
  type CallSpan,
  callSpanIn,
  type Journal,
  type JournalLimits,
  type RecordsElsewhere,
  type RecoverySpan,
  rateIn,
  recordedClient,
  recoverySpanIn,
} from "./journal.ts";
import {
  CLIENT_SQL,
  type JournalFile,
  openJournalAnew,
  openJournalFile,
  SESSION_ID_SQL,
} from "./journal-file.ts";

/** Returns the session as stored: the owner's by its id alone, others behind the client's name. Ids have no spaces. */
function sessionIn(client: string, session: string): string {
  return `${clientPart(recordedClient(client))}${session}`;
}

/** Returns the client as it stands before the session's id. */
function clientPart(client: string): string {
  return client === OWNER.name ? "" : `${client} `;
}

function callIn(row: Record<string, unknown>): Call {
  return {
    tool: String(row.tool),
    role: String(row.role),
    session: String(row.session).split(" ").at(-1) ?? "",
    outcome: String(row.outcome),
    durationMs: Number(row.duration_ms),
    at: timestamp(Number(row.at_ms)),
    requestId: String(row.request_id),
  };
}

function inRoles(roles: readonly string[] | undefined): string {
  return roles ? "AND role IN (SELECT value FROM json_each(:roles))" : "";
}

/** The number of records between two checks of the bounds. */
const RECORDS_BETWEEN_TRIMS = 500;
/**
 * The records deleted from each table at once, oldest first. They are more than came since the last check, but quick to
 * delete.
 */
const TRIMMED_MAX = 1_000;
/** The time before the next deletion, if more records are due. */
const TRIM_AGAIN_MS = 1_000;

/** The journal of a daemon that is alone. */
export class SqliteJournal implements Journal {
  readonly warnings: string[] = [];
  readonly #path: string;
  readonly #limits: JournalLimits;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #sayUnwritten: (error: unknown) => void;
  #file: JournalFile;
  /** Write the records of this turn. */
  #waiting: (() => void)[] = [];
  #endOfTurn: NodeJS.Immediate | undefined;
  #sinceTrim = 0;
  #nextTrim: Alarm | undefined;

  /** Opens the file. If that is impossible, adds to `warnings` and keeps the history in memory. */
  constructor(file: string, limits: JournalLimits, clock: Clock, log: Log) {
    this.#path = file;
    this.#limits = limits;
    this.#clock = clock;
    this.#log = log;
    this.#sayUnwritten = onceAMinute(clock, (error) =>
      log.error({ err: error }, "the journal cannot be written: what happens now is not kept"),
    );
    this.#file = this.#opened(openJournalFile);
    this.#trimSoon();
  }

  called({ atMs, tool, role, client, session, outcome, durationMs, requestId }: EndedCall): void {
    const kept = sessionIn(client, session);
    this.#record(() =>
      this.#file.insertCall.run(Math.round(atMs), tool, role, kept, outcome, durationMs, requestId),
    );
  }

  episodeEnded({ atMs, type, role, outcome, calls }: SessionEpisode): void {
    this.#record(() => this.#file.insertEpisode.run(Math.round(atMs), type, role, outcome, calls));
  }

  approvalEnded({ key, approval, by }: EndedApproval, outcome: string): void {
    const kept = sessionIn(clientOf(key), sessionOf(key));
    const what = redactedText(approval.what);
    this.#record(() =>
      this.#file.insertApproval.run(this.#clock.now(), approval.id, approval.role, kept, what, outcome, by),
    );
    this.#writeWaiting();
  }

  failed(role: string, failures: FailureLog): void {
    const bytes = encode(messageType("troupe.v1.FailureLog"), failures);
    this.#record(() => this.#file.upsertFailures.run(role, this.#clock.now(), bytes));
    this.#writeWaiting();
  }

  failuresOf(role: string): FailureLog | undefined {
    const found = this.#all("SELECT log FROM failures WHERE role = ?", role)[0];
    return found && decode<FailureLog>(messageType("troupe.v1.FailureLog"), found.log as Uint8Array);
  }

  async failuresElsewhere(): Promise<FailureLog> {
    return NO_FAILURES;
  }

  async clearElsewhere(): Promise<void> {}

  async newestElsewhere(): Promise<RecordsElsewhere> {
    return { failures: [], episodes: [] };
  }

  async newestCalls(limit: number, { scope, ...filter }: CallFilter): Promise<Call[]> {
    if (!scope) return this.#newest(limit, filter).map(callIn);
    const { client = scope.client, role } = filter;
    const roles = scope.roles.filter((each) => role === undefined || each === role);
    // Each of these has an index. One search for all of them would read the whole journal.
    const parts = [
      ...(client === scope.client ? [{ ...filter, client }] : []),
      ...roles.map((each) => ({ ...filter, role: each })),
    ];
    const rows = new Map(parts.flatMap((each) => this.#newest(limit, each)).map((row) => [row.id, row]));
    const inOrder = [...rows.values()].sort((one, other) => Number(one.id) - Number(other.id));
    return inOrder.slice(Math.max(0, inOrder.length - limit)).map(callIn);
  }

  #newest(limit: number, { session, role, client }: CallFilter): Record<string, unknown>[] {
    const where = [
      session !== undefined && `${SESSION_ID_SQL} = :session`,
      role !== undefined && "role = :role",
      client !== undefined && `${CLIENT_SQL} = :client`,
    ];
    const conditions = where.filter((each) => each !== false);
    const sql = `SELECT * FROM calls ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""} ORDER BY id DESC LIMIT :limit`;
    const rows = this.#all(sql, {
      limit,
      ...(session !== undefined && { session }),
      ...(role !== undefined && { role }),
      ...(client !== undefined && { client: clientPart(client) }),
    });
    return rows.reverse();
  }

  async recovery(sinceMs: number, roles?: readonly string[]): Promise<RecoveryRate[]> {
    const rows = this.#all(
      `SELECT type, sum(outcome = 'recovered') AS recovered, sum(outcome = 'repeated') AS repeated,
         sum(outcome = 'abandoned') AS abandoned
       FROM episodes WHERE at_ms >= :sinceMs ${inRoles(roles)} GROUP BY type ORDER BY type`,
      { sinceMs, ...(roles && { roles: JSON.stringify(roles) }) },
    );
    return rows.map(rateIn);
  }

  get bytes(): number {
    this.#writeWaiting();
    return this.#use(() => this.#bytes());
  }

  async recoveryOverTime(
    sinceMs: number,
    spanMs: number,
    roles?: readonly string[],
  ): Promise<RecoverySpan[]> {
    const rows = this.#all(
      `SELECT CAST(at_ms / :spanMs AS INTEGER) AS span, sum(outcome = 'recovered') AS recovered, count(*) AS episodes
       FROM episodes WHERE at_ms >= :sinceMs ${inRoles(roles)} GROUP BY span ORDER BY span`,
      { sinceMs, spanMs, ...(roles && { roles: JSON.stringify(roles) }) },
    );
    return rows.map((row) => recoverySpanIn(row, spanMs));
  }

  async callsOverTime(sinceMs: number, spanMs: number, scope?: Scope): Promise<CallSpan[]> {
    const whose = scope
      ? `AND (${CLIENT_SQL} = :client OR +role IN (SELECT value FROM json_each(:roles)))`
      : "";
    const rows = this.#all(
      `SELECT CAST(at_ms / :spanMs AS INTEGER) AS span, count(*) AS calls, sum(outcome <> 'OK') AS failed
       FROM calls WHERE at_ms >= :sinceMs ${whose} GROUP BY span ORDER BY span`,
      {
        sinceMs,
        spanMs,
        ...(scope && { client: clientPart(scope.client), roles: JSON.stringify(scope.roles) }),
      },
    );
    return rows.map((row) => callSpanIn(row, spanMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#nextTrim?.cancel();
    this.#writeWaiting();
    this.#file.database.close();
  }

  #opened(open: (file: string) => JournalFile): JournalFile {
    try {
      const opened = open(this.#path);
      if (opened.setAside) this.#warn(`${opened.setAside}, and the history begins anew`);
      return opened;
    } catch (error) {
      this.#warn(
        `the journal cannot be kept (${(error as Error).message}): the history ends with the daemon`,
      );
      return openJournalFile(":memory:");
    }
  }

  #all(sql: string, ...values: (SQLInputValue | Record<string, SQLInputValue>)[]) {
    this.#writeWaiting();
    return this.#use(() => {
      const statement = this.#file.database.prepare(sql);
      return statement.all(...(values as SQLInputValue[]));
    });
  }

  /** Uses the file. If it turns out to be damaged, sets it aside and uses a new one. */
  #use<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#file.database.close();
      this.#file = this.#opened(openJournalAnew);
      return work();
    }
  }

  #record(write: () => void): void {
    this.#waiting.push(write);
    if (this.#waiting.length === RECORDS_BETWEEN_TRIMS) this.#writeWaiting();
    else this.#endOfTurn ??= setImmediate(() => this.#writeWaiting());
  }

  #writeWaiting(): void {
    clearImmediate(this.#endOfTurn);
    this.#endOfTurn = undefined;
    const writes = this.#waiting;
    if (writes.length === 0) return;
    this.#waiting = [];
    if (!this.#isWrittenWhole(writes)) for (const write of writes) this.#keep(write);
    this.#sinceTrim += writes.length;
    if (this.#sinceTrim >= RECORDS_BETWEEN_TRIMS) this.#keep(() => this.#trim());
  }

  /** Writes all of them in one transaction, or none. */
  #isWrittenWhole(writes: readonly (() => void)[]): boolean {
    if (writes.length === 1) return false;
    try {
      inTransaction(this.#file.database, () => {
        for (const write of writes) write();
      });
      return true;
    } catch {
      // Each is then written alone, which says what hinders it.
      return false;
    }
  }

  #keep(write: () => void): void {
    try {
      this.#use(write);
    } catch (error) {
      this.#sayUnwritten(error);
    }
  }

  #trimSoon(): void {
    this.#nextTrim?.cancel();
    this.#nextTrim = this.#clock.after(TRIM_AGAIN_MS, () => this.#keep(() => this.#trim()));
  }

  /** Deletes some records that are too old, and some of the oldest if the file is too large. */
  #trim(): void {
    this.#sinceTrim = 0;
    const oldestMs = this.#clock.now() - this.#limits.age;
    const dropped = (["calls", "episodes", "failures", "approvals"] as const).map((table) =>
      this.#drop(table, oldestMs),
    );
    if (this.#bytes() > this.#limits.size) dropped.push(this.#drop("calls"), this.#drop("episodes"));
    this.#file.database.exec("PRAGMA incremental_vacuum");
    if (dropped.includes(TRIMMED_MAX)) this.#trimSoon();
  }

  /** Counts the bytes of used pages only. */
  #bytes(): number {
    const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((pragma) =>
      numberOf(this.#file.database, `PRAGMA ${pragma}`),
    ) as [number, number, number];
    return (pages - free) * size;
  }

  /** Deletes the oldest records, or only those before a given time. Returns their number. */
  #drop(table: "calls" | "episodes" | "failures" | "approvals", beforeMs = Number.MAX_SAFE_INTEGER): number {
    const some = `SELECT rowid FROM ${table} WHERE at_ms < ? ORDER BY at_ms LIMIT ${TRIMMED_MAX}`;
    const statement = this.#file.database.prepare(`DELETE FROM ${table} WHERE rowid IN (${some})`);
    return Number(statement.run(beforeMs).changes);
  }

  #warn(text: string): void {
    this.warnings.push(text);
    this.#log.warn(text);
  }
}
