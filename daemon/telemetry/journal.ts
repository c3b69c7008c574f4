// The history of calls, episodes and failures, as the daemon uses it. SQLite and PostgreSQL implement it.
import type { Call, RecoveryRate } from "../../proto/gen/troupe.ts";
import { OWNER } from "../admission/client.ts";
import type { Scope } from "../admission/visible.ts";
import type { EndedApproval } from "../supervisor/role-approvals.ts";
import type { FailureKeeper } from "../supervisor/role-failures.ts";
import type { EndedCall } from "./ended-call.ts";
import type { SessionEpisode } from "./flight-recorder.ts";

/** The journal's bounds, in bytes and milliseconds. */
export interface JournalLimits {
  size: number;
  age: number;
}

export interface CallFilter {
  session?: string | undefined;
  role?: string | undefined;
  client?: string | undefined;
  /** Only calls of its client, and those in its roles. */
  scope?: Scope | undefined;
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

/** A failed call as the journal has it. */
export type RecordedFailure = Pick<
  EndedCall,
  "tool" | "role" | "client" | "session" | "outcome" | "durationMs" | "atMs" | "requestId"
> & { recoverable: boolean };

/** Failed calls and ended episodes of other daemons, newest last. An id is unique among those of its kind. */
export interface RecordsElsewhere {
  failures: (RecordedFailure & { id: string })[];
  episodes: (SessionEpisode & { id: string })[];
}

/**
 * Keeps the history beyond the daemon's end, never with arguments. A record may be written after its method has returned.
 * A failed write is logged, and fails no call. Reads reject with STORE_UNAVAILABLE if the journal cannot be read.
 */
export interface Journal extends FailureKeeper, AsyncDisposable {
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
  /** The bytes of its records. */
  readonly bytes: number;
  called(call: EndedCall): void;
  episodeEnded(episode: SessionEpisode): void;
  /** Notes what became of an action that waited for a person, and who decided. */
  approvalEnded(approval: EndedApproval, outcome: string): void;
  /** Returns the newest matching calls, newest last. */
  newestCalls(limit: number, filter: CallFilter): Promise<Call[]>;
  /** Returns the newest failed calls and the newest episodes of other daemons in the scope. */
  newestElsewhere(limit: number, scope?: Scope): Promise<RecordsElsewhere>;
  /** Returns the outcomes of each error type's episodes since that time, in these roles or in all. */
  recovery(sinceMs: number, roles?: readonly string[]): Promise<RecoveryRate[]>;
  /**
   * Returns the outcomes of the episodes since that time, in these roles or in all, in spans of that length. Spans
   * without any are left out.
   */
  recoveryOverTime(sinceMs: number, spanMs: number, roles?: readonly string[]): Promise<RecoverySpan[]>;
  /** Returns the number of calls in the scope since that time in each span. Spans without any are left out. */
  callsOverTime(sinceMs: number, spanMs: number, scope?: Scope): Promise<CallSpan[]>;
}

/** The name under which a client's calls are stored. Calls without a known client are the owner's to see. */
export function recordedClient(client: string): string {
  return client === "" ? OWNER.name : client;
}

export function rateIn({ type, recovered, repeated, abandoned }: Record<string, unknown>): RecoveryRate {
  return {
    type: String(type),
    recovered: Number(recovered),
    repeated: Number(repeated),
    abandoned: Number(abandoned),
  };
}

export function recoverySpanIn(
  { span, recovered, episodes }: Record<string, unknown>,
  spanMs: number,
): RecoverySpan {
  return { atMs: Number(span) * spanMs, recovered: Number(recovered), episodes: Number(episodes) };
}

export function callSpanIn({ span, calls, failed }: Record<string, unknown>, spanMs: number): CallSpan {
  return { atMs: Number(span) * spanMs, calls: Number(calls), failed: Number(failed) };
}
