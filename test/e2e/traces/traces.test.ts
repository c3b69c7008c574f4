// One trace leads from a client's call through daemon and worker to the commands to Chrome.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { SpanKind } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { connect } from "../../../client/sdk/index.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";
import { startTroupe } from "../../harness/troupe.ts";
import { startCollector } from "./collector.ts";

const collector = shared(await startCollector());
const troupe = shared(
  await startTroupe({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=of-the-collector",
      OTEL_BSP_SCHEDULE_DELAY: "50",
    },
  }),
);
const rest = restClient(troupe.http, path.join(troupe.stateDir, "token"));
const clientSpans = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(clientSpans)] });
provider.register();
shared({ [Symbol.asyncDispose]: () => provider.shutdown() });

const newTrace = () => randomBytes(16).toString("hex");
const parentIn = (trace: string) => `00-${trace}-${randomBytes(8).toString("hex")}-01`;

test("a program's call, the daemon, the worker and Chrome's commands are one trace", async () => {
  await using client = await connect({ address: troupe.address });
  const { session } = client;
  await session.navigate({ url: `${troupe.shopUrl}/` });
  const [span] = clientSpans.getFinishedSpans();
  assert.ok(span);
  assert.equal(span.name, "call browser_navigate");
  assert.equal(span.kind, SpanKind.CLIENT);
  const { traceId, spanId } = span.spanContext();
  const daemon = await collector.span(({ parent }) => parent === spanId);
  assert.deepEqual(
    [daemon.service, daemon.name, daemon.trace],
    ["troupe-daemon", "browser_navigate", traceId],
  );
  assert.equal(daemon.attributes["troupe.role"], "visitor");
  const worker = await collector.span(
    ({ service, parent }) => service === "troupe-worker" && parent === daemon.id,
  );
  assert.equal(worker.trace, traceId);
  const command = await collector.span(
    ({ parent, name }) => parent === worker.id && name === "Page.navigate",
  );
  assert.equal(command.trace, traceId);
});

test("an MCP client's trace in _meta goes on in the daemon, over stdio and by URL", async () => {
  await using agent = await troupe.agent();
  const trace = newTrace();
  const _meta = { traceparent: parentIn(trace) };
  await agent.client.callTool({ name: "list_current_roles", arguments: {}, _meta });
  const span = await collector.span((each) => each.trace === trace);
  assert.equal(span.name, "list_current_roles");
});

test("a failed call's span has the error's type, and no text of the page or the call", async () => {
  const trace = newTrace();
  await rest.call("browser_navigate", { url: `${troupe.shopUrl}/` });
  const { json } = await rest.call(
    "browser_click",
    { ref: "e9999" },
    { headers: { traceparent: parentIn(trace) } },
  );
  assert.equal(json.error?.type, "UNKNOWN_REF");
  const isDaemons = ({ service }: { service: string }) => service === "troupe-daemon";
  const span = await collector.span(
    (each) => each.trace === trace && isDaemons(each) && each.name === "browser_click",
  );
  assert.equal(span.attributes["error.type"], "UNKNOWN_REF");
  const sent = collector.received().toString("latin1");
  for (const text of ["e9999", "All products", rest.token]) assert.ok(!sent.includes(text), text);
});

test("the metrics of a traced call name its trace as an exemplar", async () => {
  const trace = newTrace();
  await rest.call("list_current_roles", {}, { headers: { traceparent: parentIn(trace) } });
  const { body } = await rest.send("/metrics", { headers: { accept: "application/openmetrics-text" } });
  assert.match(
    body,
    new RegExp(`troupe_call_duration_seconds_bucket{.*list_current_roles.* # {trace_id="${trace}"}`),
  );
});

test("a context that is not well formed begins a trace of its own", async () => {
  await using agent = await troupe.agent();
  const known = collector.spans.length;
  const _meta = { traceparent: "00-0-0-01" };
  await agent.client.callTool({ name: "list_current_roles", arguments: {}, _meta });
  const isNew = ({ id }: { id: string }) => collector.spans.findIndex((each) => each.id === id) >= known;
  const span = await collector.span((each) => each.name === "list_current_roles" && isNew(each));
  assert.equal(span.parent, "");
});

test("Chrome does not get the collector's key", () => {
  const browsers = troupe.processes().filter(({ command }) => command.includes("--type=renderer"));
  assert.ok(browsers.length > 0);
  for (const { environment } of browsers) assert.ok(!environment.includes("of-the-collector"));
});

test("a collector that never answers holds neither calls nor the daemon's end", async () => {
  await using silent = await startCollector(() => undefined);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url, OTEL_BSP_SCHEDULE_DELAY: "50" };
  await using own = await startTroupe({ env });
  await using agent = await own.agent();
  await agent.text("browser_navigate", { url: `${own.shopUrl}/` });
  await silent.span(() => true);
  assert.match(await agent.text("browser_find", { text: "Catalogue" }), /1 found/);
  const ended = once(own.daemon, "exit");
  own.daemon.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});
