// Defines every metric of the daemon: its name, kind, labels and meaning. The documents and the rules read this table.

/** One metric. Labels take their values from closed sets, never from a client's data. */
export interface MetricDefinition {
  kind: "counter" | "gauge" | "histogram";
  help: string;
  labels: readonly string[];
  /** The upper bounds of a histogram, in the metric's unit. */
  buckets?: readonly number[];
  /** OpenMetrics shows the trace of a call beside its figures. */
  exemplars?: true;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const BYTES = [1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304] as const;

export const METRICS = {
  troupe_calls_total: {
    kind: "counter",
    help: "Tool calls that have ended, by gRPC status code",
    labels: ["tool", "role", "code"],
  },
  troupe_call_duration_seconds: {
    kind: "histogram",
    help: "How long tool calls took, queue included",
    labels: ["tool", "role"],
    buckets: SECONDS,
    exemplars: true,
  },
  troupe_errors_total: {
    kind: "counter",
    help: "Tool calls that failed, by the type of their error",
    labels: ["type", "category", "tool", "role"],
    exemplars: true,
  },
  troupe_error_episodes_total: {
    kind: "counter",
    help: "Recoverable errors by what became of them: recovered, repeated or abandoned",
    labels: ["type", "role", "outcome"],
  },
  troupe_recovery_calls: {
    kind: "histogram",
    help: "Calls from a recoverable error to the success that ended it",
    labels: ["type"],
    buckets: [1, 2, 3, 4, 5],
  },
  troupe_warnings_total: {
    kind: "counter",
    help: "What workers recorded as gone wrong without failing a call",
    labels: ["kind", "role"],
  },
  troupe_frame_failures_total: {
    kind: "counter",
    help: "Frames that could not be entered or shown",
    labels: ["reason", "role"],
  },
  troupe_worker_up: { kind: "gauge", help: "Whether the role's worker takes calls", labels: ["role"] },
  troupe_worker_restarts_total: {
    kind: "counter",
    help: "Workers that were started again, by why the one before ended",
    labels: ["role", "reason"],
  },
  troupe_worker_start_seconds: {
    kind: "histogram",
    help: "From a worker's spawn until it took calls, browser included",
    labels: ["role"],
    buckets: SECONDS,
  },
  troupe_sessions: {
    kind: "gauge",
    help: "Sessions by whether they are awake, with a browser context, or resting until their next call",
    labels: ["role", "state"],
  },
  troupe_sessions_limit: {
    kind: "gauge",
    help: "Sessions of the role that may be awake at once",
    labels: ["role"],
  },
  troupe_all_sessions: { kind: "gauge", help: "Sessions of all roles, awake and resting", labels: [] },
  troupe_all_sessions_limit: { kind: "gauge", help: "Sessions that all roles may have together", labels: [] },
  troupe_queue_depth: { kind: "gauge", help: "Calls that wait for their turn", labels: ["role"] },
  troupe_queue_limit: { kind: "gauge", help: "Calls that may wait for their turn", labels: ["role"] },
  troupe_queue_wait_seconds: {
    kind: "histogram",
    help: "How long calls waited before a worker had them",
    labels: ["role"],
    buckets: SECONDS,
  },
  troupe_snapshot_duration_seconds: {
    kind: "histogram",
    help: "How long snapshots took",
    labels: ["kind"],
    buckets: SECONDS,
  },
  troupe_snapshot_bytes: {
    kind: "histogram",
    help: "Size of the snapshots' replies",
    labels: ["kind"],
    buckets: BYTES,
  },
  troupe_memory_bytes: {
    kind: "gauge",
    help: "Memory of worker and browser, as PSS where Linux tells it, every 15 s; of the daemon, resident",
    labels: ["role", "process"],
  },
  troupe_memory_limit_bytes: {
    kind: "gauge",
    help: "Memory that worker and browser may hold together; missing for an attached browser",
    labels: ["role"],
  },
  troupe_login_expires_timestamp_seconds: {
    kind: "gauge",
    help: "When the role's login ends at the latest, by its cookies; missing if they do not say",
    labels: ["role"],
  },
  troupe_login_expired: {
    kind: "gauge",
    help: "Whether the role's worker has found its login expired",
    labels: ["role"],
  },
  troupe_approvals_total: {
    kind: "counter",
    help: "Actions that waited for a person, by how their wait ended: approved, denied, expired or given_up",
    labels: ["role", "outcome"],
  },
  troupe_approvals_waiting: { kind: "gauge", help: "Actions that wait for a person", labels: ["role"] },
  troupe_help_waiting: {
    kind: "gauge",
    help: "Agents that have asked for a person to take their session over, and wait",
    labels: ["role"],
  },
  troupe_journal_bytes: { kind: "gauge", help: "Size of the records in the journal", labels: [] },
  troupe_journal_limit_bytes: {
    kind: "gauge",
    help: "Size beyond which the journal's oldest records go",
    labels: [],
  },
  troupe_evidence_bytes: { kind: "gauge", help: "Size of the recorded calls' evidence", labels: [] },
  troupe_evidence_limit_bytes: {
    kind: "gauge",
    help: "Size beyond which the oldest evidence goes",
    labels: [],
  },
  troupe_evidence_evicted_total: {
    kind: "counter",
    help: "Parts of evidence that went before their age, because it was too large",
    labels: [],
  },
  troupe_store_up: {
    kind: "gauge",
    help: "Whether the session store takes changes, and the daemon's lease holds",
    labels: [],
  },
  troupe_store_bytes: { kind: "gauge", help: "Size of what sessions have stored", labels: [] },
  troupe_calls_forwarded_total: {
    kind: "counter",
    help: "Calls that another daemon carried out, because it has their session",
    labels: [],
  },
  troupe_sessions_moved_total: {
    kind: "counter",
    help: "Sessions that moved between daemons: claimed, taken_over, released or lost to another daemon",
    labels: ["how"],
  },
  troupe_log_lines_dropped_total: {
    kind: "counter",
    help: "Lines of the daemon's log that nobody read in time",
    labels: [],
  },
  troupe_browser_info: {
    kind: "gauge",
    help: "Always 1: which browser the role runs",
    labels: ["role", "version", "source"],
  },
  troupe_browser_built_timestamp_seconds: {
    kind: "gauge",
    help: "When the program of the role's browser was made; missing while none runs",
    labels: ["role"],
  },
  troupe_build_info: { kind: "gauge", help: "Always 1: which Troupe this is", labels: ["version", "node"] },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
