// The journal in PostgreSQL, which several daemons share. Dates are by the database's clock.
import type { Call, FailureLog, RecoveryRate } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { redactedText } from "../../proto/text/redact.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import { clientOf, sessionOf } from "../admission/client.ts";
import type { Scope } from "../admission/visible.ts";
import type { Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import { storeUnavailable } from "../sessions/unavailable.ts";
import { clientReason, failureLine } from "../store/database-errors.ts";
import type { Postgres, Statement } from "../store/postgres.ts";
import { mergeFailures, NO_FAILURES, timestamp, withoutCurrent } from "../supervisor/failure-history.ts";
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
import { JournalTrim } from "./journal-trim.ts";
import { JournalWriter } from "./journal-writer.ts";

const AT_MS = "(extract(epoch FROM at) * 1000)::float8 AS at_ms";
/** Rows that are at most so many milliseconds old. */
const SINCE = "at >= statement_timestamp() - $1 * interval '1 millisecond'";
const SPAN = "floor(extract(epoch FROM at) * 1000 / $2::float8)::float8 AS span";
const IN_ROLES = "($3::text[] IS NULL OR role = ANY ($3))";
const IN_SCOPE = "($2::text IS NULL OR client = $2 OR role = ANY ($3::text[]))";

const RECOVERY: Statement = {
  name: "recovery",
  text: `SELECT type, count(*) FILTER (WHERE outcome = 'recovered') AS recovered,
      count(*) FILTER (WHERE outcome = 'repeated') AS repeated,
      count(*) FILTER (WHERE outcome = 'abandoned') AS abandoned
    FROM journal_episodes WHERE ${SINCE} AND ($2::text[] IS NULL OR role = ANY ($2)) GROUP BY type ORDER BY type`,
};
const RECOVERY_SPANS: Statement = {
  name: "recovery over time",
  text: `SELECT ${SPAN}, count(*) FILTER (WHERE outcome = 'recovered') AS recovered, count(*) AS episodes
    FROM journal_episodes WHERE ${SINCE} AND ${IN_ROLES} GROUP BY span ORDER BY span`,
};
const CALL_SPANS: Statement = {
  name: "calls over time",
  text: `SELECT ${SPAN}, count(*) AS calls, count(*) FILTER (WHERE outcome <> 'OK') AS failed
    FROM journal_calls WHERE ${SINCE} AND ($3::text IS NULL OR client = $3 OR role = ANY ($4::text[]))
    GROUP BY span ORDER BY span`,
};
const CALLS_ELSEWHERE: Statement = {
  name: "calls elsewhere",
  text: `SELECT *, ${AT_MS} FROM journal_calls WHERE outcome <> 'OK' AND daemon <> $1 AND ${IN_SCOPE}
    ORDER BY id DESC LIMIT $4`,
};
const EPISODES_ELSEWHERE: Statement = {
  name: "episodes elsewhere",
  text: `SELECT *, ${AT_MS} FROM journal_episodes WHERE daemon <> $1 AND ${IN_SCOPE}
    ORDER BY id DESC LIMIT $4`,
};
/** The rows of many daemons that have ended may be there. The newest have more than is kept of a role. */
const FAILURES_ELSEWHERE: Statement = {
  name: "failures elsewhere",
  text: `SELECT f.daemon, key_id, log, COALESCE(p.alive_until > clock_timestamp(), false) AS is_alive
    FROM journal_failures f LEFT JOIN pods p ON p.incarnation = f.daemon
    WHERE role = $1 AND daemon <> $2 ORDER BY at DESC LIMIT 100`,
};
const CLEAR_ELSEWHERE: Statement = {
  name: "clear failures elsewhere",
  text: "DELETE FROM journal_failures WHERE role = $1 AND daemon <> $2",
};

/** The longest that a reader waits, also for the readers before it. */
const READ_MS = 5_000;
const FAILURES = messageType("troupe.v1.FailureLog");

export interface PostgresJournalParts {
  database: Postgres;
  /** This daemon's incarnation. */
  daemon: string;
  limits: JournalLimits;
  keys: KeyRing;
  clock: Clock;
  log: Log;
}

/** The journal of one daemon of several. It uses at most three connections at a time. */
export class PostgresJournal implements Journal {
  readonly #parts: PostgresJournalParts;
  readonly #writer: JournalWriter;
  readonly #trim: JournalTrim;
  readonly #sayUnread: (error: unknown) => void;
  /** Resolves when the latest reader has ended. One reads at a time, so that sessions keep their connections. */
  #read: Promise<unknown> = Promise.resolve();

  constructor(parts: PostgresJournalParts) {
    this.#parts = parts;
    this.#writer = new JournalWriter(parts);
    this.#trim = new JournalTrim(parts);
    this.#sayUnread = failureLine(parts, "warn", "the journal cannot be read");
  }

  get warnings(): string[] {
    const { dropped } = this.#writer;
    return dropped > 0 ? [`the journal lacks ${dropped} records: the database did not take them`] : [];
  }

  get bytes(): number {
    return this.#trim.bytes;
  }

  called({ atMs, tool, role, client, session, outcome, durationMs, requestId, failure }: EndedCall): void {
    this.#writer.add("calls", atMs, {
      tool,
      role,
      client: recordedClient(client),
      session,
      outcome,
      duration_ms: durationMs,
      request_id: requestId,
      recoverable: failure?.recoverable ?? false,
    });
  }

  episodeEnded({ atMs, type, role, client, session, tool, outcome, calls }: SessionEpisode): void {
    const owner = { client: recordedClient(client), session };
    this.#writer.add("episodes", atMs, { type, role, ...owner, tool, outcome, calls });
  }

  approvalEnded({ key, approval, by }: EndedApproval, outcome: string): void {
    const { id, role, what } = approval;
    const owner = { client: clientOf(key), session: sessionOf(key) };
    const record = { approval: id, role, ...owner, what: redactedText(what), outcome, decided_by: by };
    this.#writer.add("approvals", this.#parts.clock.now(), record);
  }

  failed(role: string, failures: FailureLog): void {
    this.#writer.replace(role, () => {
      const { keyId, data } = this.#parts.keys.seal(encode(FAILURES, failures), aboutOf(role, this.#daemon));
      return { role, key_id: keyId, log: Buffer.from(data).toString("base64") };
    });
  }

  /** Each daemon begins with none. Those of earlier daemons are elsewhere. */
  failuresOf(): undefined {}

  async failuresElsewhere(role: string): Promise<FailureLog> {
    const rows = await this.#rows(FAILURES_ELSEWHERE, [role, this.#daemon]);
    return rows.reduceRight<FailureLog>((merged, row) => {
      const sealed = { keyId: String(row.key_id), data: row.log as Uint8Array };
      const bytes = this.#parts.keys.open(sealed, aboutOf(role, String(row.daemon)));
      if (!bytes) return merged;
      const log = withoutCurrent(decode<FailureLog>(FAILURES, bytes));
      // A daemon that has ended has no login any more.
      return mergeFailures(merged, row.is_alive ? log : { ...log, authLoadError: null });
    }, NO_FAILURES);
  }

  async clearElsewhere(role: string): Promise<void> {
    await this.#rows(CLEAR_ELSEWHERE, [role, this.#daemon]);
  }

  async newestCalls(limit: number, filter: CallFilter): Promise<Call[]> {
    const { name, text, values } = newestCalls(limit, filter);
    const rows = await this.#rows({ name, text }, values);
    return rows.reverse().map((row) => ({
      tool: String(row.tool),
      role: String(row.role),
      session: String(row.session),
      outcome: String(row.outcome),
      durationMs: Number(row.duration_ms),
      at: timestamp(Math.round(Number(row.at_ms))),
      requestId: String(row.request_id),
    }));
  }

  async newestElsewhere(limit: number, scope?: Scope): Promise<RecordsElsewhere> {
    const values = [this.#daemon, scope?.client, scope?.roles, limit];
    const failures = await this.#rows(CALLS_ELSEWHERE, values);
    const episodes = await this.#rows(EPISODES_ELSEWHERE, values);
    return {
      failures: failures.reverse().map((row) => ({
        ...recordIn(row),
        durationMs: Number(row.duration_ms),
        requestId: String(row.request_id),
        recoverable: row.recoverable === true,
      })),
      episodes: episodes.reverse().map((row) => ({
        ...recordIn(row),
        type: String(row.type),
        outcome: row.outcome as SessionEpisode["outcome"],
        calls: Number(row.calls),
      })),
    };
  }

  async recovery(sinceMs: number, roles?: readonly string[]): Promise<RecoveryRate[]> {
    return (await this.#rows(RECOVERY, [this.#ageOf(sinceMs), roles])).map(rateIn);
  }

  async recoveryOverTime(
    sinceMs: number,
    spanMs: number,
    roles?: readonly string[],
  ): Promise<RecoverySpan[]> {
    const rows = await this.#rows(RECOVERY_SPANS, [this.#ageOf(sinceMs), spanMs, roles]);
    return rows.map((row) => recoverySpanIn(row, spanMs));
  }

  async callsOverTime(sinceMs: number, spanMs: number, scope?: Scope): Promise<CallSpan[]> {
    const values = [this.#ageOf(sinceMs), spanMs, scope?.client, scope?.roles];
    return (await this.#rows(CALL_SPANS, values)).map((row) => callSpanIn(row, spanMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#trim[Symbol.asyncDispose]();
    await this.#writer[Symbol.asyncDispose]();
  }

  get #daemon(): string {
    return this.#parts.daemon;
  }

  #ageOf(sinceMs: number): number {
    return this.#parts.clock.now() - sinceMs;
  }

  /** Reads what is stored, with this daemon's own records so far. */
  async #rows(statement: Statement, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    const { database, clock } = this.#parts;
    const late = new AbortController();
    const turn = this.#read.then(async () => {
      if (!late.signal.aborted) await this.#writer.written();
      return late.signal.aborted ? [] : await database.rows(statement, values);
    });
    // Its own reader gets the error. The next one only waits.
    this.#read = turn.catch(() => undefined);
    const answer = turn.catch((error: unknown) => {
      this.#sayUnread(error);
      throw storeUnavailable(clientReason(error), "none", error);
    });
    return await within(
      {
        timeMs: READ_MS,
        clock,
        late: () => storeUnavailable(`the journal was not read within ${READ_MS} ms`),
        gaveUp: () => late.abort(),
      },
      answer,
    );
  }
}

/** Failures name pages, so they are encrypted. They open only as those of their role and daemon. */
function aboutOf(role: string, daemon: string): string {
  return JSON.stringify(["failures", role, daemon]);
}

function recordIn(row: Record<string, unknown>) {
  const { id, tool, role, client, session, outcome, at_ms: atMs } = row;
  return {
    id: String(id),
    tool: String(tool),
    role: String(role),
    client: String(client),
    session: String(session),
    outcome: String(outcome),
    atMs: Math.round(Number(atMs)),
  };
}

/** The order is that of arrival, which each daemon keeps. Each part of a scope has an index. One search for both would read the whole table. */
function newestCalls(limit: number, { session, role, client, scope }: CallFilter) {
  const values: unknown[] = [limit];
  const put = (value: unknown) => `$${values.push(value)}`;
  const asked = [
    session !== undefined && `session = ${put(session)}`,
    role !== undefined && `role = ${put(role)}`,
    client !== undefined && `client = ${put(client)}`,
  ];
  const visible = scope ? [`client = ${put(scope.client)}`, `role = ANY (${put(scope.roles)}::text[])`] : [];
  const newest = (more: string[]) => {
    const conditions = [...asked.filter((each) => each !== false), ...more];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
    return `(SELECT * FROM journal_calls ${where} ORDER BY id DESC LIMIT $1)`;
  };
  const found = scope ? visible.map((each) => newest([each])).join(" UNION ") : newest([]);
  return {
    name: `calls by ${[...asked, scope !== undefined].map(Boolean).join()}`,
    text: `SELECT *, ${AT_MS} FROM (${found}) AS found ORDER BY id DESC LIMIT $1`,
    values,
  };
}
