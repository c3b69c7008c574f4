// Measures roles, sessions, queues, memory, logins, waits, the journal, the store and evidence at each scrape.
import { VERSION } from "../../proto/machine/version.ts";
import type { DaemonConfig } from "../config/load.ts";
import { loginEndMs } from "../config/login-end.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { loginOf } from "../supervisor/role-message.ts";
import { RESTART_REASONS, type RoleView } from "../supervisor/supervision.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Journal } from "./journal.ts";
import type { Metrics } from "./metrics.ts";

/** Calls and sessions that went from daemon to daemon since the start. */
export interface MoveCounts {
  forwarded: number;
  claimed: number;
  takenOver: number;
  released: number;
  lost: number;
}

export interface Measured {
  supervisor: Pick<Supervisor, "roles">;
  sessions: Pick<Sessions, "size">;
  journal: Pick<Journal, "bytes">;
  /** The size of the evidence, and how many parts went for it since the start. */
  evidence: { readonly bytes: number; readonly evicted: number };
  /** The store of sessions. `problem`: the reason that it takes no changes. */
  kept: { readonly bytes: number; readonly problem: string | undefined };
  /** The other daemons of the store; undefined if this one is alone. */
  cluster: { readonly isServing: boolean; readonly counts: MoveCounts } | undefined;
  /** The agents that wait for a person. */
  takeOvers: { readonly asked: readonly { role: string }[] };
  /** Stays current when the configuration is read again. */
  config: Pick<DaemonConfig, "limits" | "journal" | "evidence">;
  logLinesDropped?: () => number;
}

/** Updates the gauges at each scrape. */
export function measure(metrics: Metrics, measured: Measured): void {
  const { of } = metrics;
  const { supervisor, sessions, journal, evidence, takeOvers, config } = measured;
  const { logLinesDropped = () => 0 } = measured;
  const { limits } = config;
  of.troupe_build_info.set({ version: VERSION, node: process.version }, 1);
  metrics.onScrape(() => {
    of.troupe_memory_bytes.set({ role: "", process: "daemon" }, process.memoryUsage.rss());
    of.troupe_log_lines_dropped_total.reset();
    of.troupe_log_lines_dropped_total.inc(logLinesDropped());
    of.troupe_all_sessions.set(sessions.size);
    of.troupe_all_sessions_limit.set(limits.sessions);
    of.troupe_journal_bytes.set(journal.bytes);
    of.troupe_journal_limit_bytes.set(config.journal.size);
    of.troupe_evidence_bytes.set(evidence.bytes);
    of.troupe_evidence_limit_bytes.set(config.evidence.size);
    of.troupe_evidence_evicted_total.reset();
    of.troupe_evidence_evicted_total.inc(evidence.evicted);
    measureStore(of, measured);
    // Roles come and go with the configuration.
    for (const gauge of gaugesOfRoles(of)) gauge.reset();
    for (const role of supervisor.roles.values()) {
      measureSessions(of, role, limits);
      measureBrowser(of, role);
      measureLogin(of, role);
      of.troupe_approvals_waiting.set({ role: role.name }, role.approvals.waiting.length);
      of.troupe_help_waiting.set({ role: role.name }, 0);
      // A counter that begins at its first restart would hide that one from `increase`.
      for (const reason of RESTART_REASONS)
        of.troupe_worker_restarts_total.inc({ role: role.name, reason }, 0);
    }
    for (const { role } of takeOvers.asked)
      if (supervisor.roles.has(role)) of.troupe_help_waiting.inc({ role });
  });
}

function measureStore(of: Metrics["of"], { kept, cluster }: Measured): void {
  of.troupe_store_up.set(kept.problem === undefined && cluster?.isServing !== false ? 1 : 0);
  of.troupe_store_bytes.set(kept.bytes);
  const { forwarded = 0, claimed = 0, takenOver = 0, released = 0, lost = 0 } = cluster?.counts ?? {};
  of.troupe_calls_forwarded_total.reset();
  of.troupe_calls_forwarded_total.inc(forwarded);
  of.troupe_sessions_moved_total.reset();
  const moves = { claimed, taken_over: takenOver, released, lost };
  for (const [how, count] of Object.entries(moves)) of.troupe_sessions_moved_total.inc({ how }, count);
}

function gaugesOfRoles(of: Metrics["of"]) {
  return [
    of.troupe_sessions,
    of.troupe_sessions_limit,
    of.troupe_queue_depth,
    of.troupe_queue_limit,
    of.troupe_memory_limit_bytes,
    of.troupe_login_expires_timestamp_seconds,
    of.troupe_login_expired,
    of.troupe_approvals_waiting,
    of.troupe_help_waiting,
    of.troupe_browser_info,
    of.troupe_browser_built_timestamp_seconds,
  ];
}

function measureSessions(of: Metrics["of"], role: RoleView, { queue }: DaemonConfig["limits"]): void {
  const { name, slots, hibernated, settings } = role;
  of.troupe_sessions.set({ role: name, state: "awake" }, slots.size);
  of.troupe_sessions.set({ role: name, state: "resting" }, hibernated);
  of.troupe_sessions_limit.set({ role: name }, settings.sessions);
  of.troupe_queue_depth.set({ role: name }, slots.waiting);
  of.troupe_queue_limit.set({ role: name }, queue);
}

function measureBrowser(of: Metrics["of"], { name: role, settings, current }: RoleView): void {
  // The memory of an attached browser is not the role's, and has no bound.
  if (settings.browser.connect === undefined) of.troupe_memory_limit_bytes.set({ role }, settings.memory);
  if (!current?.info) return;
  const { browserVersion: version, browserSource: source, browserBuilt } = current.info;
  of.troupe_browser_info.set({ role, version, source }, 1);
  if (browserBuilt) of.troupe_browser_built_timestamp_seconds.set({ role }, Number(browserBuilt.seconds));
}

function measureLogin(of: Metrics["of"], role: RoleView): void {
  const { auth } = role.settings;
  if (!auth) return;
  of.troupe_login_expired.set({ role: role.name }, loginOf(role) === "expired" ? 1 : 0);
  const endMs = loginEndMs(auth);
  if (endMs !== undefined) of.troupe_login_expires_timestamp_seconds.set({ role: role.name }, endMs / 1000);
}
