// Records events and ended calls in the metrics, the log, the journal, the episodes and the event streams.
import type { Approval } from "../../proto/gen/troupe.ts";
import { redactedText } from "../../proto/text/redact.ts";
import { FRAME_REASONS, WARNING_KINDS } from "../../proto/wire/failure-kinds.ts";
import { clientOf, sessionOf } from "../admission/client.ts";
import { RejectionLog } from "../admission/rejection-log.ts";
import { rolesIn } from "../admission/visible.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import type { SessionChange } from "../sessions/sessions.ts";
import type { EndedApproval } from "../supervisor/role-approvals.ts";
import { roleMessage } from "../supervisor/role-message.ts";
import type { RoleObserver, RoleView } from "../supervisor/supervision.ts";
import { callMessage } from "./call-message.ts";
import type { EndedCall } from "./ended-call.ts";
import { abandoned, afterCall, type EndedEpisode, type Episode, expired } from "./episodes.ts";
import type { Events } from "./events.ts";
import type { FlightRecorder } from "./flight-recorder.ts";
import type { Journal } from "./journal.ts";
import type { Metrics } from "./metrics.ts";
import { rejectionSampling } from "./rejection-sampling.ts";
import type { PassedSnapshot } from "./snapshot-meter.ts";

export interface ObserverParts {
  metrics: Metrics;
  journal: Journal;
  events: Events;
  flight: FlightRecorder;
  clock: Clock;
  log: Log;
  /** Called for each role that changed its state, before the event streams. */
  changed: (role: RoleView) => void;
}

export interface CallObserver {
  called(call: EndedCall): void;
  waited(role: string, ms: number): void;
  snapshot(snapshot: PassedSnapshot, ms: number): void;
  sessionChanged(session: Session, change: SessionChange): void;
  roles: RoleObserver;
}

export function createCallObserver(books: ObserverParts): CallObserver {
  const { metrics, journal, events, log } = books;
  const episodes = new Episodes(books);
  const rejections = new RejectionLog(books.clock, log);
  const records = rejectionSampling(books.clock);
  metrics.onScrape(() => episodes.expire());
  return {
    called(call) {
      if (call.outcome === "UNAUTHENTICATED" && !call.client) {
        // Unauthenticated callers must not push other calls out of the history.
        countCall(call, metrics);
        rejections.tell({ tool: call.tool, requestId: call.requestId });
        return;
      }
      countCall(call, metrics);
      // Rate-limited callers must not flood the journal, but their episodes still count.
      const isRecorded = records(call);
      if (isRecorded) journal.called(call);
      if (call.sessionKey) episodes.follow(call, isRecorded);
      if (isRecorded) announce(call, books);
    },
    waited: (role, ms) => metrics.of.troupe_queue_wait_seconds.observe({ role }, ms / 1000),
    snapshot({ kind, bytes }, ms) {
      metrics.of.troupe_snapshot_duration_seconds.observe({ kind }, ms / 1000);
      metrics.of.troupe_snapshot_bytes.observe({ kind }, bytes);
    },
    sessionChanged(session, change) {
      log.info({ session: session.id, change }, "session");
      const owner = { client: session.client, roles: rolesIn(session) };
      events.publish({ session: { session: session.id, change } }, owner);
      // The next daemon sees how a moved session goes on. Its open episodes are neither recovered nor abandoned.
      if (change === "moved") episodes.drop(session);
      else if (change !== "opened") episodes.leave(session);
    },
    roles: roleObserver(books),
  };
}

function roleObserver({ metrics, journal, events, clock, log, changed }: ObserverParts): RoleObserver {
  const { of } = metrics;
  return {
    changed(role) {
      changed(role);
      of.troupe_worker_up.set({ role: role.name }, role.worker ? 1 : 0);
      if (!role.current)
        for (const process of ["worker", "browser"])
          of.troupe_memory_bytes.remove({ role: role.name, process });
      events.publish({ role: roleMessage(role, clock) }, { client: undefined, roles: [role.name] });
    },
    removed({ name: role }) {
      // A series that stays at zero would keep an alert on forever. The gauges of each scrape go by themselves.
      of.troupe_worker_up.remove({ role });
      for (const process of ["worker", "browser"]) of.troupe_memory_bytes.remove({ role, process });
    },
    started(role, tookMs) {
      of.troupe_worker_start_seconds.observe({ role: role.name }, tookMs / 1000);
      const sandbox = role.current?.info?.sandbox ?? "";
      if (sandbox.startsWith("off"))
        log.warn({ role: role.name, sandbox }, "the browser runs without its sandbox");
    },
    restarted: (role, reason) => of.troupe_worker_restarts_total.inc({ role: role.name, reason }),
    failed(role, { kind, reason }) {
      const known = KINDS.has(kind) ? kind : "other";
      of.troupe_warnings_total.inc({ kind: known, role: role.name });
      if (known.startsWith("frame_"))
        of.troupe_frame_failures_total.inc({
          reason: REASONS.has(reason) ? reason : "unknown",
          role: role.name,
        });
    },
    approvalAsked({ name: role }, { key, approval }) {
      log.info(
        { role, session: sessionOf(key), client: clientOf(key), ...aboutApproval(approval) },
        "waits for approval",
      );
    },
    approvalEnded(ended) {
      const { key, approval, by } = ended;
      const { role } = approval;
      const outcome = outcomeWord(ended);
      of.troupe_approvals_total.inc({ role, outcome });
      journal.approvalEnded(ended, outcome);
      log.info(
        { role, session: sessionOf(key), client: clientOf(key), ...aboutApproval(approval), outcome, by },
        "approval",
      );
    },
    measured(role, { worker, browser }) {
      of.troupe_memory_bytes.set({ role: role.name, process: "worker" }, worker);
      of.troupe_memory_bytes.set({ role: role.name, process: "browser" }, browser);
    },
  };
}

function aboutApproval(approval: Approval | null) {
  return { approval: approval?.id, what: redactedText(approval?.what ?? "") };
}

function outcomeWord({ outcome }: Pick<EndedApproval, "outcome">): string {
  return outcome.replace("APPROVAL_OUTCOME_", "").toLowerCase();
}

const KINDS = new Set<string>(WARNING_KINDS);
const REASONS = new Set<string>(FRAME_REASONS);

function countCall(call: EndedCall, { of }: Metrics): void {
  const { tool, role, code, durationMs, outcome, failure, traceId } = call;
  const exemplar = traceId !== undefined && { exemplarLabels: { trace_id: traceId } };
  of.troupe_calls_total.inc({ tool, role, code });
  of.troupe_call_duration_seconds.observe({ labels: { tool, role }, value: durationMs / 1000, ...exemplar });
  if (!failure) return;
  const labels = { type: outcome, category: failure.category, tool, role };
  of.troupe_errors_total.inc({ labels, ...exemplar });
}

interface OpenEpisodes {
  session: string;
  episodes: Episode[];
  /** The session's last call was recorded. */
  isRecorded: boolean;
}

/** The open episodes of all sessions. An ended episode goes to the metrics, the journal and the event streams. */
class Episodes {
  readonly #books: ObserverParts;
  readonly #open = new Map<string, OpenEpisodes>();

  constructor(books: ObserverParts) {
    this.#books = books;
  }

  /** An episode that ended between two calls without a record gets no record either. */
  follow(ended: EndedCall, isRecorded: boolean): void {
    const { sessionKey, session, tool, role, atMs, outcome, element, failure } = ended;
    const before = this.#open.get(sessionKey);
    if (!before && !failure) return;
    const call = {
      tool,
      role,
      atMs,
      ...(element && { element }),
      ...(failure && { failure: { ...failure, type: outcome } }),
    };
    const after = afterCall(before?.episodes ?? [], call);
    this.#settle(sessionKey, { session, isRecorded }, after, before?.isRecorded !== false || isRecorded);
  }

  /** Ends the episodes whose sessions never came back to them. */
  expire(): void {
    for (const [key, open] of this.#open)
      this.#settle(key, open, expired(open.episodes, this.#books.clock.now()));
  }

  /** Ends the episodes of a session that is over. */
  leave({ key, id }: Session): void {
    const ended = abandoned(this.#open.get(key)?.episodes ?? []);
    this.#settle(key, { session: id, isRecorded: true }, { open: [], ended });
  }

  drop({ key }: Session): void {
    this.#open.delete(key);
  }

  #settle(
    key: string,
    { session, isRecorded }: Omit<OpenEpisodes, "episodes">,
    { open, ended }: { open: Episode[]; ended: EndedEpisode[] },
    records = true,
  ): void {
    if (open.length > 0) this.#open.set(key, { session, isRecorded, episodes: open });
    else this.#open.delete(key);
    const { metrics, journal, events, flight, clock } = this.#books;
    for (const episode of ended) {
      const { type, role, outcome, calls } = episode;
      metrics.of.troupe_error_episodes_total.inc({ type, role, outcome });
      if (outcome === "recovered") metrics.of.troupe_recovery_calls.observe({ type }, calls);
      if (!records) continue;
      const record = { ...episode, session, client: clientOf(key), atMs: clock.now() };
      journal.episodeEnded(record);
      events.publish({ episode: { ...episode, session } }, { client: record.client, roles: [role] });
      flight.episodeEnded(record);
    }
  }
}

function announce(call: EndedCall, { events, flight, log }: ObserverParts): void {
  const { client, tool, role, session, requestId, outcome, durationMs, failure } = call;
  log.info({ client, tool, role, session, requestId, outcome, ms: Math.round(durationMs) }, "call");
  flight.called(call);
  if (!failure) return;
  const { category, recoverable } = failure;
  const owner = { client, roles: [role] };
  events.publish({ callFailed: { call: callMessage(call), category, recoverable } }, owner);
}
