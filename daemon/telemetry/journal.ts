// Keeps the history of calls, episodes and failures in the state folder beyond the daemon's end. Never arguments.
import type { SQLInputValue } from "node:sqlite";
import type { Call, FailureLog, RecoveryRate } from "../../proto/gen/troupe.ts";
import { redactedText } from "../../proto/text/redact.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import { clientOf, OWNER, sessionOf } from "../admission/client.ts";
import type { Scope } from "../admission/visible.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { isDamage, numberOf } from "../state/sqlite-file.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import type { EndedApproval } from "../supervisor/role-approvals.ts";
import type { EndedCall } from "./ended-call.ts";
import type { EndedEpisode } from "./episodes.ts";
import {
  CLIENT_SQL,
  type JournalFile,
  openJournalAnew,
  openJournalFile,
  SESSION_ID_SQL,
} from "./journal-file.ts";

/** The journal's bounds, in bytes and milliseconds. */
export interface JournalLimits {
  size: number;
  age: number;
}

export interface CallFilter {
  session?: string | undefined;
  role?: string | undefined;
  client?: string | undefined;
}

/** The episodes of a span of time. */
export interface RecoverySpan {
  atMs: number;
  recovered: number;
  episodes: number;
}

/** The calls of a span of time. */
export interface CallSpan {
  atMs: number;
  calls: number;
  failed: number;
}

/** Returns the session as stored: the owner's by its id alone, others behind the client's name. Ids have no spaces. */
function sessionIn(client: string, session: string): string {
  return client === OWNER.name || client === "" ? session : `${client} ${session}`;
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
/** The shortest time between two log lines about a failed write, such as on a full disk. */
const SAID_EACH_MS = 60_000;

/** The journal. A record is in the file when its method returns. A failed write is logged, and fails no call. */
export class Journal implements Disposable {
  /** Warnings for the operator. */
  readonly warnings: string[] = [];
  readonly #path: string;
  readonly #limits: JournalLimits;
  readonly #clock: Clock;
  readonly #log: Log;
  #file: JournalFile;
  #sinceTrim = 0;
  #nextTrim: Alarm | undefined;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  /** Opens the file. If that is impossible, adds to `warnings` and keeps the history in memory. */
  constructor(file: string, limits: JournalLimits, clock: Clock, log: Log) {
    this.#path = file;
    this.#limits = limits;
    this.#clock = clock;
    this.#log = log;
    this.#file = this.#opened(openJournalFile);
    this.#trimSoon();
  }

  called({ atMs, tool, role, client, session, outcome, durationMs, requestId }: EndedCall): void {
    const kept = sessionIn(client, session);
    this.#record(() =>
      this.#file.insertCall.run(Math.round(atMs), tool, role, kept, outcome, durationMs, requestId),
    );
  }

  episodeEnded({ type, role, outcome, calls }: EndedEpisode): void {
    this.#record(() => this.#file.insertEpisode.run(this.#clock.now(), type, role, outcome, calls));
  }

  /** Notes what became of an action that waited for a person, and who decided. */
  approvalEnded({ key, approval, by }: EndedApproval, outcome: string): void {
    const kept = sessionIn(clientOf(key), sessionOf(key));
    const what = redactedText(approval.what);
    this.#record(() =>
      this.#file.insertApproval.run(this.#clock.now(), approval.id, approval.role, kept, what, outcome, by),
    );
  }

  /** Stores the current failures of a role. */
  failed(role: string, failures: FailureLog): void {
    const bytes = encode(messageType("troupe.v1.FailureLog"), failures);
    this.#record(() => this.#file.upsertFailures.run(role, this.#clock.now(), bytes));
  }

  /** Returns the last stored failures of a role; undefined if there are none. */
  failuresOf(role: string): FailureLog | undefined {
    const found = this.#all("SELECT log FROM failures WHERE role = ?", role)[0];
    return found && decode<FailureLog>(messageType("troupe.v1.FailureLog"), found.log as Uint8Array);
  }

  /** Returns the newest matching calls, newest last. With a scope, only its own client's and those in its roles. */
  newestCalls(limit: number, { scope, ...filter }: CallFilter & { scope?: Scope | undefined }): Call[] {
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

  /** Returns the outcomes of each error type's episodes since that time, in these roles or in all. */
  recovery(sinceMs: number, roles?: readonly string[]): RecoveryRate[] {
    const rows = this.#all(
      `SELECT type, sum(outcome = 'recovered') AS recovered, sum(outcome = 'repeated') AS repeated,
         sum(outcome = 'abandoned') AS abandoned
       FROM episodes WHERE at_ms >= :sinceMs ${inRoles(roles)} GROUP BY type ORDER BY type`,
      { sinceMs, ...(roles && { roles: JSON.stringify(roles) }) },
    );
    return rows.map(({ type, recovered, repeated, abandoned }) => ({
      type: String(type),
      recovered: Number(recovered),
      repeated: Number(repeated),
      abandoned: Number(abandoned),
    }));
  }

  /** The bytes of its records. */
  get bytes(): number {
    return this.#use(() => this.#bytes());
  }

  /**
   * Returns the outcomes of the episodes since that time, in these roles or in all, in spans of that length. Spans
   * without any are left out.
   */
  recoveryOverTime(sinceMs: number, spanMs: number, roles?: readonly string[]): RecoverySpan[] {
    const rows = this.#all(
      `SELECT CAST(at_ms / :spanMs AS INTEGER) AS span, sum(outcome = 'recovered') AS recovered, count(*) AS episodes
       FROM episodes WHERE at_ms >= :sinceMs ${inRoles(roles)} GROUP BY span ORDER BY span`,
      { sinceMs, spanMs, ...(roles && { roles: JSON.stringify(roles) }) },
    );
    return rows.map(({ span, recovered, episodes }) => ({
      atMs: Number(span) * spanMs,
      recovered: Number(recovered),
      episodes: Number(episodes),
    }));
  }

  /** Returns the number of calls in the scope since that time in each span. Spans without any are left out. */
  callsOverTime(sinceMs: number, spanMs: number, scope?: Scope): CallSpan[] {
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
    return rows.map(({ span, calls, failed }) => ({
      atMs: Number(span) * spanMs,
      calls: Number(calls),
      failed: Number(failed),
    }));
  }

  [Symbol.dispose](): void {
    this.#nextTrim?.cancel();
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
    this.#keep(() => {
      write();
      if (++this.#sinceTrim >= RECORDS_BETWEEN_TRIMS) this.#trim();
    });
  }

  #keep(write: () => void): void {
    try {
      this.#use(write);
    } catch (error) {
      if (this.#clock.steady() - this.#saidAtMs < SAID_EACH_MS) return;
      this.#saidAtMs = this.#clock.steady();
      this.#log.error({ err: error }, "the journal cannot be written: what happens now is not kept");
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
