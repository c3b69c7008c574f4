// The daemon's metrics on prom-client, and their text for a scrape.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { METRICS, type MetricDefinition, type MetricName } from "./metrics-table.ts";

type Kinds = { counter: Counter; gauge: Gauge; histogram: Histogram };
type Instruments = { [N in MetricName]: Kinds[(typeof METRICS)[N]["kind"]] };

/** The instruments by name, and the text of all. */
export interface Metrics {
  of: Instruments;
  /** Adds a callback that updates metrics before each scrape. */
  onScrape: (collect: () => void) => void;
  /** Returns the text in the format that `accept` asks for, with its content type. */
  text(accept: string | undefined): Promise<{ contentType: string; body: string }>;
}

/** Gauges with names of counters, which Prometheus's own check refuses. Gauges by type have the same data. */
const NAMED_AS_COUNTERS = [
  "nodejs_active_resources_total",
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
];

/** Makes all metrics of the table, and Node's own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const collectors: (() => void)[] = [];
  collectDefaultMetrics({ register: registry });
  for (const gauge of NAMED_AS_COUNTERS) registry.removeSingleMetric(gauge);
  const entries = Object.entries(METRICS).map(([name, definition]) => [
    name,
    instrument(name, definition, registry),
  ]);
  return {
    of: Object.fromEntries(entries) as Instruments,
    onScrape: (collect) => void collectors.push(collect),
    async text(accept) {
      for (const collect of collectors) collect();
      const body = await registry.metrics();
      return wantsOpenMetrics(accept)
        ? { contentType: Registry.OPENMETRICS_CONTENT_TYPE, body: toOpenMetrics(body) }
        : { contentType: Registry.PROMETHEUS_CONTENT_TYPE, body };
    },
  };
}

/** Returns true if this Accept header asks for OpenMetrics. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes("application/openmetrics-text") ?? false;
}

/**
 * Converts Prometheus text (0.0.4) to OpenMetrics 1.0. Counters lose `_total` in their metadata, empty lines go, and a
 * line marks the end. The conversion of prom-client would rename the counters for every later scrape.
 */
export function toOpenMetrics(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+)_total counter$/.exec(line)?.[1] ?? []));
  const renamed = lines.map((line) =>
    line.replace(/^# (HELP|TYPE) (\S+)_total(?= )/, (whole, word, name) =>
      counters.has(name) ? `# ${word} ${name}` : whole,
    ),
  );
  return `${renamed.join("\n")}\n# EOF\n`;
}

function instrument(name: string, { kind, help, labels, buckets }: MetricDefinition, registry: Registry) {
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (kind === "counter") return new Counter(options);
  return kind === "gauge"
    ? new Gauge(options)
    : new Histogram({ ...options, ...(buckets && { buckets: [...buckets] }) });
}
