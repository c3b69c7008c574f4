// The manifests render, have the fields and types of their kinds, and name only what is there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { tempDir } from "../../harness/temp-dir.ts";
import { outside, unsaid } from "./outside.ts";
import { type Reference, referencesOf } from "./references.ts";
import {
  type Fields,
  type KubernetesObject,
  keptDigest,
  keptObjects,
  objectsIn,
  RENDERING_NAMES,
  render,
  rulesObject,
  sourcesDigest,
  writtenRulesObject,
} from "./render.ts";
import { referenceTable, writtenTable } from "./table.ts";
import { problemsOf } from "./types.ts";

const AGAIN = "run: node test/deploy/kubernetes/table.ts";

for (const name of RENDERING_NAMES) {
  test(`the rendering ${name} is kept as its sources are`, () => {
    assert.equal(keptDigest(name), sourcesDigest(), AGAIN);
    if (!hasKubectl()) return;
    using temp = tempDir();
    assert.deepEqual(keptObjects(name), objectsIn(render(name, temp.dir)), AGAIN);
  });

  test(`the rendering ${name} has the types of its kinds, and no other field`, async () => {
    assert.deepEqual(await problemsOf(keptObjects(name)), []);
  });

  test(`all that the rendering ${name} refers to is there`, () => {
    const references = referencesOf(keptObjects(name), outside());
    assert.ok(references.length > 2);
    assert.deepEqual(missing(references), []);
  });
}

test("the Prometheus Operator's rules are those of deploy/prometheus", () => {
  assert.equal(writtenRulesObject(), rulesObject(), AGAIN);
});

test("the table of references is as the manifests are", () => {
  assert.equal(writtenTable(), referenceTable(), AGAIN);
});

test("the page for operators names all that the manifests expect in the cluster", () => {
  assert.deepEqual(unsaid(), []);
});

const POD = "spec.template.spec";
const HASH = "spec.loadBalancer.consistentHash";
const CONTAINER = `${POD}.containers.0`;
const CONFIGURATION = "data.troupe.yaml";

test("a misspelled field, a wrong type and a value out of bounds are found", async () => {
  const cases: [kind: string, path: string, change: Change, RegExp][] = [
    [
      "Deployment",
      `${CONTAINER}.readinessProbe`,
      { renamed: "readinesProbe" },
      /"readinesProbe"' does not exist/,
    ],
    ["Deployment", "spec.replicas", { is: "2" }, /Deployment\/troupe: .*string.* 'number'/],
    ["Deployment", `${CONTAINER}.name`, {}, /Property '"name"' is missing/],
    ["BackendTrafficPolicy", `${HASH}.header`, { renamed: "headerName" }, /"headerName"' does not exist/],
    ["ScaledObject", "spec.triggers.0.metadata.threshold", { is: 6 }, /ScaledObject\/troupe: /],
    ["Gateway", "spec.listeners.0.port", { is: 70_000 }, /Gateway\/troupe: .*65535/],
    ["PodDisruptionBudget", "spec.maxUnavailable", { renamed: "maxUnavailible" }, /maxUnavailible/],
  ];
  for (const [kind, path, change, found] of cases) {
    const problems = (await problemsOf(withError(kind, path, change))).join("\n");
    assert.match(problems, found, path);
  }
});

test("a reference to what is not there is found", () => {
  const cases: [kind: string, path: string, change: Change, RegExp][] = [
    ["Deployment", `${CONTAINER}.env.0.valueFrom.secretKeyRef.key`, { is: "x" }, /Secret\/troupe-database x/],
    ["Deployment", `${POD}.serviceAccountName`, { is: "trouper" }, /ServiceAccount\/trouper/],
    ["Deployment", `${CONTAINER}.volumeMounts.0.name`, { is: "peer" }, /volume peer/],
    ["Deployment", `${CONTAINER}.livenessProbe.httpGet.port`, { is: "web" }, /container port web/],
    ["ConfigMap", "metadata.name", { is: "x" }, /ConfigMap\/troupe/],
    ["ConfigMap", CONFIGURATION, { from: "first.key", to: "frist.key" }, /Secret\/troupe-keys frist\.key/],
    ["ConfigMap", CONFIGURATION, { from: "/secrets/tls/", to: "/secret/tls/" }, /\/secret\/tls\/tls\.crt/],
    ["Service", "spec.selector", { is: { app: "troupe" } }, /pods app=troupe/],
    ["Service", "spec.ports.0.targetPort", { is: "grcp" }, /container port grcp/],
    ["PodDisruptionBudget", "spec.selector.matchLabels", { is: { app: "x" } }, /pods app=x/],
    ["HTTPRoute", "spec.rules.0.backendRefs.0.port", { is: 80 }, /Service\/troupe port 80/],
    ["HTTPRoute", "spec.hostnames", { is: ["other.example"] }, /Gateway\/troupe http other/],
    ["GRPCRoute", "spec.parentRefs.0.sectionName", { is: "grcp" }, /Gateway\/troupe grcp/],
    ["BackendTrafficPolicy", "spec.targetRefs.0.name", { is: "mpc" }, /HTTPRoute\/mpc/],
    ["ServiceMonitor", "spec.endpoints.0.authorization.credentials.key", { is: "x" }, /troupe-prometheus x/],
    ["ScaledObject", "spec.scaleTargetRef.kind", { is: "StatefulSet" }, /StatefulSet\/troupe/],
  ];
  for (const [kind, path, change, found] of cases) {
    const lost = missing(referencesOf(withError(kind, path, change), outside())).join("\n");
    assert.match(lost, found, path);
  }
});

/** Another value, another name, other words in a text, or nothing in its place. */
type Change = { is: unknown } | { renamed: string } | { from: string; to: string } | Record<string, never>;

/** Returns the objects of `scale-out`, with an error in the first one of this kind. */
function withError(kind: string, path: string, change: Change): KubernetesObject[] {
  const objects = keptObjects("scale-out");
  // The ConfigMap's only key has a dot.
  const steps = path === CONFIGURATION ? ["data", "troupe.yaml"] : path.split(".");
  const last = steps.pop() ?? "";
  const parent = steps.reduce<Fields>(
    (at, step) => at[step] as Fields,
    objects.find((each) => each.kind === kind) ?? {},
  );
  const before = parent[last];
  delete parent[last];
  if ("is" in change) parent[last] = change.is;
  if ("renamed" in change) parent[change.renamed as string] = before;
  if ("from" in change) parent[last] = (before as string).replace(change.from as string, change.to as string);
  return objects;
}

function missing(references: readonly Reference[]): string[] {
  return references.filter(({ found }) => !found).map(({ from, to }) => `${from} needs ${to}`);
}

function hasKubectl(): boolean {
  try {
    execFileSync("kubectl", ["kustomize", "--help"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
