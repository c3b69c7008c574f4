// The daemon's metrics on prom-client, and their text for a scrape.
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
  type RegistryContentType,
} from "prom-client";
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

/**
 * The time between two samples of the event loop's lag, which each sample includes. Samples each 10 ms, which are
 * prom-client's default, take half a percent of a core.
 */
const LAG_SAMPLE_MS = 100;

/** Makes all metrics of the table, and Node's own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const collectors: (() => void)[] = [];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
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
      const asked = wantsOpenMetrics(accept) ? openMetricsOf(registry) : registry;
      return { contentType: asked.contentType, body: await asked.metrics() };
    },
  };
}

/** Returns true if this Accept header asks for OpenMetrics. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes("application/openmetrics-text") ?? false;
}

/**
 * Returns the metrics as a registry of OpenMetrics 1.0, with exemplars. It holds copies: prom-client takes `_total` from
 * the counters' names there, and would do so for every later scrape.
 */
function openMetricsOf(registry: Registry): Registry<RegistryContentType> {
  const copies = new Registry<RegistryContentType>();
  copies.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const metric of registry.getMetricsAsArray() as unknown as Readable[])
    copies.registerMetric(copyOf(metric) as unknown as Metric);
  return copies;
}

/** The parts of a metric that a registry reads. The types of prom-client do not name them. */
interface Readable {
  name: string;
  type: string;
  get(): Promise<object>;
  /** Histograms have it. */
  getForPromString?(): Promise<object>;
}

function copyOf(metric: Readable): Readable {
  const { name, type } = metric;
  return {
    name,
    type,
    // The registry has given this copy its other name by then.
    async get() {
      return { ...(await (metric.getForPromString?.() ?? metric.get())), name: this.name };
    },
  };
}

function instrument(name: string, definition: MetricDefinition, registry: Registry): Metric {
  const made = instrumentOf(name, definition);
  // A registry of Prometheus text refuses metrics with exemplars from their constructor, and leaves these out itself.
  registry.registerMetric(made);
  return made;
}

function instrumentOf(name: string, definition: MetricDefinition): Metric {
  const { kind, help, labels, buckets, exemplars = false } = definition;
  const options = { name, help, labelNames: [...labels], registers: [], enableExemplars: exemplars };
  if (kind === "counter") return new Counter(options);
  return kind === "gauge"
    ? new Gauge(options)
    : new Histogram({ ...options, ...(buckets && { buckets: [...buckets] }) });
}
