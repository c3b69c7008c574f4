// Accounts for what happens: each event and each ended call told to metrics, log, recorder, episodes and watchers.
import { FRAME_REASONS, WARNING_KINDS } from "../proto/failures.ts";
import type { EndedCall } from "./calls/ended-call.ts";
import type { Places } from "./calls/places.ts";
import type { PassedSnapshot } from "./calls/snapshot-meter.ts";
import type { Clock } from "./clock.ts";
import type { Events } from "./control/events.ts";
import { callMessage, type FlightRecorder } from "./control/flight-recorder.ts";
import { roleMessage } from "./control/role-message.ts";
import { abandoned, afterCall, type EndedEpisode, type Episode, expired } from "./episodes.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Session, SessionChange } from "./sessions.ts";
import type { RoleObserver, RoleView } from "./supervisor/supervision.ts";

/** Where accounts are kept. */
export interface Books {
  metrics: Metrics;
  recorder: FlightRecorder;
  events: Events;
  places: ReadonlyMap<string, Places>;
  clock: Clock;
  log: Log;
  /** Hears of each role that changed its state, before the watchers do. */
  changed: (role: RoleView) => void;
}

/** Whoever has something to tell tells it here. */
export interface Accounts {
  called(call: EndedCall): void;
  waited(role: string, ms: number): void;
  snapshot(snapshot: PassedSnapshot, ms: number): void;
  sessionChanged(session: Session, change: SessionChange): void;
  roles: RoleObserver;
}

export function keepAccounts(books: Books): Accounts {
  const { metrics, recorder, events, log, clock } = books;
  const episodes = new Map<string, Episode[]>();
  metrics.onScrape(() => expireEpisodes(episodes, clock.now(), metrics));
  return {
    called(call) {
      recorder.record(call);
      countCall(call, metrics);
      if (call.sessionKey) followEpisodes(call, episodes, metrics);
      tell(call, events, log);
    },
    waited: (role, ms) => metrics.of.troupe_queue_wait_seconds.observe({ role }, ms / 1000),
    snapshot({ kind, bytes }, ms) {
      metrics.of.troupe_snapshot_duration_seconds.observe({ kind }, ms / 1000);
      metrics.of.troupe_snapshot_bytes.observe({ kind }, bytes);
    },
    sessionChanged(session, change) {
      log.info({ session: session.id, change }, "session");
      events.publish({ session: { session: session.id, change } });
      if (change === "opened") return;
      countEpisodes(abandoned(episodes.get(session.key) ?? []), metrics);
      episodes.delete(session.key);
    },
    roles: roleObserver(books),
  };
}

function roleObserver({ metrics, events, places, log, changed }: Books): RoleObserver {
  const { of } = metrics;
  return {
    changed(role) {
      changed(role);
      of.troupe_worker_up.set({ role: role.name }, role.worker ? 1 : 0);
      if (!role.current) of.troupe_memory_bytes.remove({ role: role.name, process: "worker" });
      events.publish({ role: roleMessage(role, places.get(role.name)?.size ?? 0) });
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
    heartbeat: (role, residentBytes) =>
      of.troupe_memory_bytes.set({ role: role.name, process: "worker" }, residentBytes),
  };
}

const KINDS = new Set<string>(WARNING_KINDS);
const REASONS = new Set<string>(FRAME_REASONS);

function countCall({ tool, role, code, durationMs, outcome, failure }: EndedCall, { of }: Metrics): void {
  of.troupe_calls_total.inc({ tool, role, code });
  of.troupe_call_duration_seconds.observe({ tool, role }, durationMs / 1000);
  if (failure) of.troupe_errors_total.inc({ type: outcome, category: failure.category, tool, role });
}

function followEpisodes(
  { sessionKey, tool, role, atMs, outcome, failure }: EndedCall,
  episodes: Map<string, Episode[]>,
  metrics: Metrics,
): void {
  const before = episodes.get(sessionKey);
  if (!before && !failure) return;
  const { open, ended } = afterCall(before ?? [], {
    tool,
    role,
    atMs,
    ...(failure && { failure: { ...failure, type: outcome } }),
  });
  if (open.length > 0) episodes.set(sessionKey, open);
  else episodes.delete(sessionKey);
  countEpisodes(ended, metrics);
}

function expireEpisodes(episodes: Map<string, Episode[]>, nowMs: number, metrics: Metrics): void {
  for (const [key, before] of episodes) {
    const { open, ended } = expired(before, nowMs);
    if (open.length > 0) episodes.set(key, open);
    else episodes.delete(key);
    countEpisodes(ended, metrics);
  }
}

function countEpisodes(ended: EndedEpisode[], { of }: Metrics): void {
  for (const { type, role, outcome, calls } of ended) {
    of.troupe_error_episodes_total.inc({ type, role, outcome });
    if (outcome === "recovered") of.troupe_recovery_calls.observe({ type }, calls);
  }
}

function tell(call: EndedCall, events: Events, log: Log): void {
  const { tool, role, session, requestId, outcome, durationMs, failure } = call;
  const line = { tool, role, session, requestId, outcome, ms: Math.round(durationMs) };
  if (!failure) {
    log.debug(line, "call");
    return;
  }
  log.info(line, "call failed");
  const { category, recoverable } = failure;
  events.publish({ callFailed: { call: callMessage(call), category, recoverable } });
}
