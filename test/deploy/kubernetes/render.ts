/**
 * Renders the manifests of deploy/kubernetes. A rendering is also kept in `rendered/`, with a digest of what it was made
 * from, so machines without kubectl check the same objects.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { tempDir } from "../../harness/temp-dir.ts";
import { ROOT } from "../../readme/pages.ts";

const SOURCES = path.join(ROOT, "deploy/kubernetes");
const KEPT = path.join(import.meta.dirname, "rendered");
const RULES = path.join(ROOT, "deploy/prometheus/troupe.rules.yml");
const RULES_OBJECT = path.join(SOURCES, "components/monitoring/rules.yaml");
const RULES_HEAD = `# Written by \`node test/deploy/kubernetes/table.ts\` from deploy/prometheus/troupe.rules.yml. Change that file instead.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: troupe
spec:
`;

/** The folders to render: one of deploy/kubernetes, or an overlay of such folders. */
export const RENDERINGS = {
  team: "overlays/team",
  "team-with-components": { base: "overlays/team", components: ["gateway", "monitoring", "runtime-default"] },
  "scale-out": "overlays/scale-out",
  node: "node",
} as const;
export type RenderingName = keyof typeof RENDERINGS;
export const RENDERING_NAMES = Object.keys(RENDERINGS) as RenderingName[];

// biome-ignore lint/suspicious/noExplicitAny: the kinds differ, and test/deploy/kubernetes/types.ts checks each.
export type Fields = Record<string, any>;
export interface KubernetesObject extends Fields {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

/** Returns the objects of the kept rendering. */
export function keptObjects(name: RenderingName): KubernetesObject[] {
  return objectsIn(readFileSync(keptFile(name), "utf8"));
}

export function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((each) => each.toJS() as KubernetesObject);
}

/** Returns the digest that the kept rendering names. */
export function keptDigest(name: RenderingName): string | undefined {
  return /^# sources: (\w+)$/m.exec(readFileSync(keptFile(name), "utf8"))?.[1];
}

/** Returns a digest of all sources of the renderings. */
export function sourcesDigest(): string {
  const hash = createHash("sha256");
  for (const file of globSync("**/*.{yaml,json}", { cwd: SOURCES }).toSorted())
    hash.update(`${file}\n`).update(readFileSync(path.join(SOURCES, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Renders by kubectl. Throws if there is none, or if it finds a fault. `folder` holds what it is given. */
export function render(name: RenderingName, folder: string): string {
  const rendering = RENDERINGS[name];
  if (typeof rendering === "string") return kustomize(path.join(SOURCES, rendering));
  const from = (file: string) => path.relative(folder, path.join(SOURCES, file));
  const kustomization = {
    resources: [from(rendering.base)],
    components: rendering.components.map((each) => from(`components/${each}`)),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  return kustomize(folder);
}

/** Returns the object with the rules of deploy/prometheus. */
export function rulesObject(): string {
  return RULES_HEAD + readFileSync(RULES, "utf8").replace(/^(?=.)/gm, "  ");
}

export function writtenRulesObject(): string {
  return readFileSync(RULES_OBJECT, "utf8");
}

function kustomize(folder: string): string {
  return execFileSync("kubectl", ["kustomize", folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function keptFile(name: RenderingName): string {
  return path.join(KEPT, `${name}.yaml`);
}

/** Writes the rules' object, and each rendering. */
export function writeRenderings(): void {
  using temp = tempDir();
  writeFileSync(RULES_OBJECT, rulesObject());
  for (const name of RENDERING_NAMES)
    writeFileSync(keptFile(name), `# sources: ${sourcesDigest()}\n${render(name, temp.dir)}`);
}
