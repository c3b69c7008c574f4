// The rules for Prometheus, held to the table of metrics and to Prometheus' own tool.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";
import { METRICS, type MetricDefinition } from "../../../daemon/telemetry/metrics-table.ts";
import { errorTypes } from "../../../proto/errors/catalogue.ts";
import { pageText } from "../../readme/pages.ts";
import { busyDaemon } from "./busy-daemon.ts";
import { pathOf, prometheusProgram, skipWithout } from "./debian.ts";

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: Record<string, string>;
}

interface UnitTest {
  input_series: unknown[];
  promql_expr_test?: { expr: string; exp_samples: unknown[] }[];
  alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[];
}

const FILE = fileURLToPath(new URL("../../../deploy/prometheus/troupe.rules.yml", import.meta.url));
const UNIT_TESTS = fileURLToPath(new URL("troupe.rules.test.yml", import.meta.url));
const rules = (parse(readFileSync(FILE, "utf8")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const alerts = rules.filter(({ alert }) => alert);
const table: Record<string, MetricDefinition> = METRICS;
/** A scrape adds these labels, and a histogram has the bounds of its buckets. */
const ADDED = ["job", "instance", "le"];
const tool = await prometheusProgram("promtool");
const skip = skipWithout(tool);
const TIMES = { timeout: 60_000 };

test("the rules speak of metrics that there are, and of labels and error types that these have", () => {
  for (const { record, alert, expr } of rules) {
    const name = record ?? alert;
    const metrics = [...expr.matchAll(/\btroupe_\w+/g)].map(([each]) => metricOf(each));
    for (const each of metrics) assert.ok(table[each], `${name}: ${each}`);
    const own = metrics.flatMap((each) => table[each]?.labels ?? []);
    const labels = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)|\{(\w+)/g)].flatMap(([, list, one]) =>
      (list ?? one ?? "").split(/,\s*/),
    );
    for (const each of labels) assert.ok([...own, ...ADDED].includes(each), `${name}: ${each}`);
    for (const [, types = ""] of expr.matchAll(/type=~?"([^"]*)"/g))
      for (const type of types.split("|")) assert.ok((errorTypes as readonly string[]).includes(type), type);
  }
});

test("the ratio of recovery is recorded by type, and each alert says what to do", () => {
  const ratio = rules.find(({ record }) => record === "troupe:recovery_ratio:rate1h");
  assert.match(ratio?.expr ?? "", /by \(type\)/);
  for (const { annotations = {} } of alerts) {
    assert.ok(annotations.summary);
    assert.match(annotations.description ?? "", /`troupe \w+/);
  }
});

test("each alert has an entry in the runbook, and the runbook has no other entries", () => {
  const headings = [...pageText("docs/RUNBOOK.md").matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(headings.toSorted(), alerts.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations } of alerts)
    assert.equal(annotations?.runbook_url, `docs/RUNBOOK.md#${alert?.toLowerCase()}`);
});

test("the unit tests have a case in which each alert fires, and one in which it does not", () => {
  const groups = (parse(readFileSync(UNIT_TESTS, "utf8")) as { tests: UnitTest[] }).tests;
  for (const { alert = "" } of alerts) {
    const told = groups.flatMap(({ promql_expr_test = [], alert_rule_test = [] }) => [
      ...promql_expr_test.filter(({ expr }) => expr.includes(`"${alert}"`)).map((each) => each.exp_samples),
      ...alert_rule_test.filter(({ alertname }) => alertname === alert).map((each) => each.exp_alerts),
    ]);
    assert.ok(
      told.some(({ length }) => length > 0),
      `${alert} never fires`,
    );
    // A case with several series expects only some of them.
    const cases = groups.filter((group) => JSON.stringify(group).includes(alert));
    const series = cases.flatMap(({ input_series }) => input_series).length;
    assert.ok(
      told.some(({ length }) => length === 0) || series > told.flat().length,
      `${alert} always fires`,
    );
  }
});

test("promtool takes the rules, and they say what their tests want", { skip, ...TIMES }, async () => {
  assert.match(await asked("check", "rules", FILE), new RegExp(`SUCCESS: ${rules.length} rules found`));
  assert.match(await asked("test", "rules", UNIT_TESTS), /SUCCESS/);
});

test("promtool finds no fault with the metrics of a daemon at work", { skip, ...TIMES }, async () => {
  await using troupe = await busyDaemon();
  await troupe.work();
  const reply = await fetch(new URL("/metrics", troupe.http));
  const metrics = await reply.text();
  assert.match(
    metrics,
    /^troupe_error_episodes_total\{type="NO_HISTORY",role="shop",outcome="recovered"\} \d+$/m,
  );
  assert.equal(await asked("check", "metrics", metrics), "");
  const wrong = "# HELP troupe_x_total A gauge\n# TYPE troupe_x_total gauge\ntroupe_x_total 1\n";
  await assert.rejects(asked("check", "metrics", wrong), /should not have "_total" suffix/);
});

/** Returns the metric of a series: those of a histogram have an ending more. */
function metricOf(series: string): string {
  const base = series.replace(/_(?:bucket|sum|count)$/, "");
  return table[base]?.kind === "histogram" ? base : series;
}

/** Returns promtool's output. `last` is the file, or its input. Rejects if promtool finds a fault. */
async function asked(verb: string, what: string, last: string): Promise<string> {
  const fromFile = last.startsWith("/");
  const running = promisify(execFile)(pathOf(tool), [verb, what, ...(fromFile ? [last] : [])], {
    timeout: 30_000,
  });
  if (!fromFile) running.child.stdin?.end(last);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}
