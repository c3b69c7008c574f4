// The table of what each object refers to. `node test/deploy/kubernetes/table.ts` renders all and writes it.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../readme/pages.ts";
import { outside } from "./outside.ts";
import { referencesOf } from "./references.ts";
import { keptObjects, RENDERING_NAMES, writeRenderings } from "./render.ts";

const TABLE = path.join(ROOT, "deploy/kubernetes/REFERENCES.md");
const HEAD = `<!-- Written by \`node test/deploy/kubernetes/table.ts\`. -->

# References

Each object with what it refers to. The tests look for each: in the rendering, among the Secrets that
[KUBERNETES.md](../../docs/KUBERNETES.md#secrets) makes, and among the labels that it names.
`;

export function referenceTable(): string {
  return [HEAD, ...RENDERING_NAMES.map(section)].join("\n");
}

export function writtenTable(): string {
  return readFileSync(TABLE, "utf8");
}

function section(name: (typeof RENDERING_NAMES)[number]): string {
  const all = Map.groupBy(referencesOf(keptObjects(name), outside()), ({ from }) => from);
  const rows = [...all].map(([from, references]) => {
    const to = new Set(references.map((each) => (each.found ? each.to : `${each.to} (not found)`)));
    return `| ${from.replace(/-[a-z0-9]{10}$/, "")} | ${[...to].join("; ").replaceAll(/-[a-z0-9]{10}(?=;|$)/g, "")} |`;
  });
  return [`## ${name}`, "", "| object | refers to |", "| --- | --- |", ...rows, ""].join("\n");
}

if (import.meta.main) {
  writeRenderings();
  writeFileSync(TABLE, referenceTable());
}
