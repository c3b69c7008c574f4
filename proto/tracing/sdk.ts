// Starts the export of traces. It is off, and its packages are not even loaded, unless the environment has a collector.
import { VERSION } from "../machine/version.ts";
import { within } from "../machine/within.ts";

/** The variables that name a collector (OpenTelemetry's specification of environment variables). */
const COLLECTORS = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
/** Spans that are not exported by then are lost. A collector that hangs must not hold the process. */
const SHUTDOWN_MS_MAX = 2_000;
const REASON_LENGTH_MAX = 200;

export interface Tracing {
  /** Exports what is left, for a bounded time. An export that is given up still has timers, which keep the process. */
  close(): Promise<"exported" | "given up">;
}

function hasCollector(env: NodeJS.ProcessEnv): boolean {
  return env.OTEL_SDK_DISABLED !== "true" && COLLECTORS.some((name) => env[name]);
}

/**
 * Starts tracing in this process, if the environment has a collector. All `OTEL_…` variables hold as OpenTelemetry
 * defines them. `report` gets the reason if spans cannot be exported.
 */
export async function startTracing(
  service: string,
  env: NodeJS.ProcessEnv,
  report: (reason: string) => void,
): Promise<Tracing | undefined> {
  if (!hasCollector(env)) return undefined;
  const [
    { diag, DiagLogLevel },
    { NodeTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    resources,
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/resources"),
  ]);
  const ignore = () => undefined;
  const error = (reason: unknown) => report(messageIn(String(reason)).slice(0, REASON_LENGTH_MAX));
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const own = resources.resourceFromAttributes({ "service.name": service, "service.version": VERSION });
  // The environment's own name and attributes come last, so they hold.
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new NodeTracerProvider({
    resource: own.merge(given),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return {
    async close() {
      const late = () => new Error("the collector does not answer");
      try {
        await within({ timeMs: SHUTDOWN_MS_MAX, late }, provider.shutdown());
        return "exported";
      } catch (error) {
        report((error as Error).message);
        return "given up";
      }
    },
  };
}

/** The SDK writes an error as JSON, with its stack. */
function messageIn(reason: string): string {
  return /"message":"([^"\\]*)"/.exec(reason)?.[1] ?? reason;
}
