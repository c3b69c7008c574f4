// Writes METRICS.md from the table of metrics.
import { METRICS, type MetricDefinition } from "../../../daemon/telemetry/metrics-table.ts";
import { code, document, table } from "./markdown.ts";

export function metricsDocument(): string {
  const rows = Object.entries(METRICS).map(
    ([name, { kind, labels, help, buckets }]: [string, MetricDefinition]) => [
      code(name),
      kind,
      labels.map(code).join(", "),
      buckets ? `${help}. Buckets: ${buckets.join(", ")}` : help,
    ],
  );
  return document([
    "# Metrics",
    "`/metrics` on the daemon's HTTP address answers in Prometheus' text format, and in OpenMetrics where the scraper asks for it. A histogram has the series `_bucket`, `_sum` and `_count`. Labels take their values from closed sets: tools, roles of the configuration, error types; nothing that a client sends becomes a label.",
    table(["metric", "kind", "labels", "what it says"], rows),
    "Beside these there are the defaults of prom-client for Node: `process_cpu_seconds_total`, `process_resident_memory_bytes`, `nodejs_eventloop_lag_seconds` and their like. The histogram of that lag has a sample every 100 ms. Its values include these 100 ms, and a shorter stall may fall between two samples.",
    "In OpenMetrics, the exemplar of a traced call's duration and error is its `trace_id`.",
    "`deploy/prometheus/troupe.rules.yml` records `troupe:recovery_ratio:rate1h{type}`, the share of the last hour's episodes that were recovered from. [RUNBOOK.md](RUNBOOK.md) has an entry for each of its alerts.",
  ]);
}
