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
import { testDaemon } from "../../harness/daemon.ts";
import { promtool } from "./promtool.ts";

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: Record<string, string>;
}

const FILE = fileURLToPath(new URL("../../../deploy/prometheus/troupe.rules.yml", import.meta.url));
const UNIT_TESTS = fileURLToPath(new URL("troupe.rules.test.yml", import.meta.url));
const rules = (parse(readFileSync(FILE, "utf8")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const table: Record<string, MetricDefinition> = METRICS;
/** A scrape adds these labels. */
const SCRAPED = ["job", "instance"];
const tool = await promtool();
// Where all is to be held to everything, nothing is left out.
const skip = "missing" in tool && !process.env.CI && tool.missing;
const TIMES = { timeout: 60_000 };

test("the rules speak of metrics that there are, and of labels and error types that these have", () => {
  for (const { record, alert, expr } of rules) {
    const name = record ?? alert;
    const metrics = [...expr.matchAll(/\btroupe_\w+/g)].map(([each]) => each);
    for (const each of metrics) assert.ok(table[each], `${name}: ${each}`);
    const own = metrics.flatMap((each) => table[each]?.labels ?? []);
    const labels = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)|\{(\w+)/g)].flatMap(([, list, one]) =>
      (list ?? one ?? "").split(/,\s*/),
    );
    for (const each of labels) assert.ok([...own, ...SCRAPED].includes(each), `${name}: ${each}`);
    for (const [, types = ""] of expr.matchAll(/type=~?"([^"]*)"/g))
      for (const type of types.split("|")) assert.ok((errorTypes as readonly string[]).includes(type), type);
  }
});

test("the ratio of recovery is recorded by type, and each alert says what to do", () => {
  const ratio = rules.find(({ record }) => record === "troupe:recovery_ratio:rate1h");
  assert.match(ratio?.expr ?? "", /by \(type\)/);
  const alerts = rules.filter(({ alert }) => alert);
  assert.equal(alerts.length, 3);
  for (const { annotations = {} } of alerts) {
    assert.ok(annotations.summary);
    assert.match(annotations.description ?? "", /`troupe \w+/);
  }
});

test("promtool takes the rules, and they say what their tests want", { skip, ...TIMES }, async () => {
  assert.match(await asked("check", "rules", FILE), /SUCCESS: 4 rules found/);
  assert.match(await asked("test", "rules", UNIT_TESTS), /SUCCESS/);
});

test("promtool finds no fault with the metrics of a daemon at work", {
  skip,
  ...TIMES,
}, async () => {
  await using troupe = await testDaemon({ roles: { one: {} } });
  await troupe.open("http://a.test/");
  await troupe.open("http://do/fail?type=NO_HISTORY&data={}");
  await troupe.open("http://a.test/");
  const reply = await fetch(new URL("/metrics", troupe.daemon.http[0]));
  const metrics = await reply.text();
  assert.match(
    metrics,
    /^troupe_error_episodes_total\{type="NO_HISTORY",role="one",outcome="recovered"\} 1$/m,
  );
  assert.equal(await asked("check", "metrics", metrics), "");
  const wrong = "# HELP troupe_x_total A gauge\n# TYPE troupe_x_total gauge\ntroupe_x_total 1\n";
  await assert.rejects(asked("check", "metrics", wrong), /should not have "_total" suffix/);
});

/** Returns promtool's output. `last` is the file, or its input. Rejects if promtool finds a fault. */
async function asked(verb: string, what: string, last: string): Promise<string> {
  assert.ok("path" in tool, JSON.stringify(tool));
  const fromFile = last.startsWith("/");
  const running = promisify(execFile)(tool.path, [verb, what, ...(fromFile ? [last] : [])], {
    timeout: 30_000,
  });
  if (!fromFile) running.child.stdin?.end(last);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}
