// The dashboard for Grafana: it shows all metrics, and each of its queries finds data in a real Prometheus.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { METRICS } from "../../../daemon/telemetry/metrics-table.ts";
import { afterEvents } from "../../harness/events/after-events.ts";
import { type BusyDaemon, busyDaemon } from "../prometheus/busy-daemon.ts";
import { pathOf, prometheusProgram, skipWithout } from "../prometheus/debian.ts";
import { type PrometheusServer, startPrometheus } from "../prometheus/server.ts";

interface Query {
  expr: string;
  datasource: { uid: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Query[];
}

interface Variable {
  name: string;
  type: string;
  definition?: string;
}

interface Dashboard {
  uid: string;
  schemaVersion: number;
  panels: Panel[];
  annotations: { list: Query[] };
  templating: { list: Variable[] };
}

const fileAt = (place: string) => fileURLToPath(new URL(`../../../deploy/${place}`, import.meta.url));
const dashboard = JSON.parse(readFileSync(fileAt("grafana/troupe.json"), "utf8")) as Dashboard;
const RULES = fileAt("prometheus/troupe.rules.yml");
const queries = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
  ...dashboard.annotations.list.map(({ expr }) => ({ title: "annotations", expr })),
];
const program = await prometheusProgram("prometheus");
/** The daemon measures the memory of its workers only every 15 s. */
const DATA_MS_MAX = 90_000;

test("the dashboard is one that Grafana can import, with any data source of Prometheus", () => {
  assert.equal(dashboard.uid, "troupe");
  assert.ok(dashboard.schemaVersion >= 39);
  const { panels, annotations, templating } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, type, targets = [], gridPos } of panels) {
    assert.ok(title && gridPos.x + gridPos.w <= 24, title);
    assert.equal(targets.length > 0, type !== "row", title);
  }
  const named = [...panels.flatMap(({ targets = [] }) => targets), ...annotations.list];
  for (const { datasource, expr } of named) assert.equal(datasource.uid, `\${datasource}`, expr);
  assert.deepEqual(
    templating.list.map(({ name }) => name),
    ["datasource", "instance", "role"],
  );
});

test("the dashboard shows each metric of the daemon", () => {
  const rules = readFileSync(RULES, "utf8");
  const recorded = [...rules.matchAll(/- record: (\S+)\n\s+expr: ((?:>-\n(?: {10}.*\n)+)|.*\n)/g)];
  const shown = queries.map(({ expr }) => expr).join("\n");
  const behind = recorded.filter(([, name = ""]) => shown.includes(name)).map(([, , expr]) => expr);
  const all = [shown, ...behind].join("\n");
  const missing = Object.keys(METRICS).filter(
    (name) => !new RegExp(`\\b${name}(?:_bucket|_sum)?\\b`).test(all),
  );
  assert.deepEqual(missing, []);
});

test("each query of the dashboard finds data of a daemon at work, and each rule is evaluated", {
  skip: skipWithout(program),
  timeout: 180_000,
}, async () => {
  await using troupe = await busyDaemon();
  await using prometheus = await startPrometheus(pathOf(program), { http: troupe.http, rules: RULES });
  const formats = new Set<string>();
  prometheus.scrapes.on("scraped", (contentType) => formats.add(contentType));
  await allFound(prometheus, troupe);
  const { groups } = await prometheus.ask<Rules>("rules");
  const ill = groups.flatMap(({ rules }) => rules.filter(({ health }) => health !== "ok"));
  assert.deepEqual(ill, []);
  for (const format of formats) assert.match(format, /^application\/openmetrics-text/);
  // Workers have died meanwhile.
  for (const series of counters()) {
    const [resets] = await prometheus.query(`sum(resets(${series}[10m]))`);
    assert.equal(resets?.value[1], "0", series);
  }
});

interface Rules {
  groups: { rules: { health: string }[] }[];
}

/** Lets the daemon work after each scrape, until each query has found data. */
async function allFound(prometheus: PrometheusServer, troupe: BusyDaemon): Promise<void> {
  let left = [...queries, ...variables()];
  const isNoneLeft = async () => {
    await troupe.work();
    const found = await Promise.all(
      left.map(async ({ expr }) => hasData(await prometheus.query(filled(expr)))),
    );
    left = left.filter((_, index) => !found[index]);
    return left.length === 0;
  };
  try {
    await afterEvents(prometheus.scrapes, "scraped", isNoneLeft, "each query has data", DATA_MS_MAX);
  } catch (error) {
    const lacking = left.map(({ title, expr }) => `${title}: ${expr}`);
    throw new Error([(error as Error).message, ...lacking].join("\n"), { cause: error });
  }
}

function counters(): string[] {
  return Object.entries(METRICS).flatMap(([name, { kind }]) =>
    kind === "counter" ? name : kind === "histogram" ? `${name}_count` : [],
  );
}

/** Puts values where Grafana has variables. */
function filled(expr: string): string {
  return expr
    .replaceAll("$__rate_interval", "1m")
    .replaceAll("$__range", "10m")
    .replaceAll(/\$(?:instance|role)\b/g, ".*");
}

/** Returns the queries behind the dashboard's variables. */
function variables(): { title: string; expr: string }[] {
  return dashboard.templating.list.flatMap(({ name, definition }) => {
    const [, expr, label] = /^label_values\((\w+), (\w+)\)$/.exec(definition ?? "") ?? [];
    return expr ? [{ title: `variable ${name}`, expr: `${expr}{${label}!=""}` }] : [];
  });
}

function hasData(samples: readonly { value: [number, string] }[]): boolean {
  return samples.some(({ value }) => Number.isFinite(Number(value[1])));
}
