import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics, wantsOpenMetrics } from "../../../daemon/telemetry/metrics.ts";
import { METRICS, type MetricDefinition } from "../../../daemon/telemetry/metrics-table.ts";

const table = Object.entries(METRICS) as [string, MetricDefinition][];

test("names follow promtool: snake case, base units, and _total for counters only", () => {
  for (const [name, { kind, help }] of table) {
    assert.match(name, /^troupe_[a-z]+(_[a-z]+)*$/);
    assert.equal(name.endsWith("_total"), kind === "counter", name);
    assert.doesNotMatch(name, /_(ms|milliseconds|kilobytes|count|sum|bucket)$/);
    assert.ok(help.length > 0 && !help.endsWith("."), name);
  }
});

test("every metric of the contract exists from the start", async () => {
  const { body, contentType } = await createMetrics().text(undefined);
  for (const [name, { kind }] of table) assert.match(body, new RegExp(`^# TYPE ${name} ${kind}$`, "m"));
  assert.match(body, /^# TYPE process_cpu_user_seconds_total counter$/m);
  assert.doesNotMatch(body, /^# TYPE \w+_total gauge$/m);
  assert.match(contentType, /^text\/plain; version=0\.0\.4/);
});

test("OpenMetrics is sent on request, repeatedly, and changes nothing for other scrapes", async () => {
  const metrics = createMetrics();
  metrics.of.troupe_calls_total.inc({ tool: "browser_click", role: "a", code: "OK" });
  const before = (await metrics.text(undefined)).body;
  for (let scrape = 0; scrape < 2; scrape++) {
    const { body, contentType } = await metrics.text(
      "application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
    );
    assert.match(contentType, /^application\/openmetrics-text/);
    assert.match(body, /^# TYPE troupe_calls counter$/m);
    assert.match(body, /^troupe_calls_total\{tool="browser_click",role="a",code="OK"\} 1$/m);
    assert.match(body, /\n# EOF\n$/);
    assert.doesNotMatch(body, /\n\n/);
  }
  assert.equal(
    (await metrics.text("*/*")).body.match(/^# (?:TYPE|HELP).*$/gm)?.join(),
    before.match(/^# (?:TYPE|HELP).*$/gm)?.join(),
  );
});

test("the trace of a call is the exemplar of its duration and its error, in OpenMetrics only", async () => {
  const metrics = createMetrics();
  const exemplarLabels = { trace_id: "0af7651916cd43dd8448eb211c80319c" };
  const labels = { tool: "browser_click", role: "a" };
  metrics.of.troupe_call_duration_seconds.observe({ labels, value: 0.2, exemplarLabels });
  metrics.of.troupe_call_duration_seconds.observe({ labels, value: 99, exemplarLabels });
  metrics.of.troupe_call_duration_seconds.observe({ labels, value: 0.2 });
  const failed = { ...labels, type: "TIMEOUT", category: "TIMEOUT" };
  metrics.of.troupe_errors_total.inc({ labels: failed, exemplarLabels });
  metrics.of.troupe_errors_total.inc({ labels: failed });
  const { body } = await metrics.text("application/openmetrics-text");
  const trace = String.raw`# \{trace_id="0af7651916cd43dd8448eb211c80319c"\}`;
  assert.match(
    body,
    new RegExp(String.raw`^troupe_call_duration_seconds_bucket\{le="0.25",.*\} 2 ${trace} 0\.2 \d`, "m"),
  );
  assert.match(
    body,
    new RegExp(String.raw`^troupe_call_duration_seconds_bucket\{le="\+Inf",.*\} 3 ${trace} 99 \d`, "m"),
  );
  assert.match(body, new RegExp(String.raw`^troupe_errors_total\{.*\} 2 ${trace} 1 \d`, "m"));
  assert.equal(body.match(/trace_id/g)?.length, 3);
  assert.doesNotMatch((await metrics.text(undefined)).body, /trace_id/);
});

test("a scraper that names no format gets Prometheus text", () => {
  assert.ok(wantsOpenMetrics("application/openmetrics-text; version=1.0.0"));
  assert.ok(!wantsOpenMetrics("text/plain") && !wantsOpenMetrics(undefined));
});
