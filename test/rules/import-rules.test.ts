import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { shared } from "../harness/shared.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { cruiseImports, importRules, layeredFolders } from "./import-rules.ts";

const { dir: planted } = shared(tempDir());
plantTargets();

for (const { rule, refused, allowed } of importRules) {
  describe(`the import rule ${rule.name}`, () => {
    for (const [file, statement] of refused) {
      test(`refuses ${statement} in ${file}`, async () => {
        const broken = await brokenRules(file, statement);
        assert.ok(broken.includes(rule.name), `broken instead: ${broken.join(", ") || "none"}`);
      });
    }
    for (const [file, statement] of allowed) {
      test(`lets ${statement} in ${file} pass`, async () => {
        assert.deepEqual(await brokenRules(file, statement), []);
      });
    }
  });
}

async function brokenRules(file: string, statement: string): Promise<string[]> {
  plant(file, `${statement};\n`);
  const { files, violations } = await cruiseImports(planted);
  rmSync(join(planted, file));
  assert.ok(files.includes(file), `${file} was not read`);
  // A cycle is reported once, at any of its files.
  const concerned = violations.filter(
    ({ from, cycle = [] }) =>
      from === file || from === dirname(file) || cycle.some(({ name }) => name === file),
  );
  return concerned.map(({ rule }) => rule.name);
}

/** Makes the targets of the planted statements: a `b` in each folder, and three packages. */
function plantTargets(): void {
  const folders =
    "proto proto/gen daemon daemon/console/page worker worker/bridge client client/one client/two deploy/example test";
  for (const folder of [...folders.split(" "), ...layeredFolders])
    plant(`${folder}/b.ts`, "export type B = 1;\nexport const b = 1;\n");
  plant("client/one/cycle-back.ts", `import "../two/b.ts";\n`);
  plant("deploy/b.mjs", "export const b = 1;\n");
  plant("client/cycle-back.ts", `import "./cycle.ts";\n`);
  plant(
    "package.json",
    JSON.stringify({
      dependencies: { "runtime-package": "1.0.0", "puppeteer-core": "1.0.0" },
      devDependencies: { "development-package": "1.0.0" },
    }),
  );
  for (const name of ["runtime-package", "development-package", "undeclared-package", "puppeteer-core"]) {
    const exports = { ".": "./index.js", "./outer.js": "./lib/outer.js" };
    plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", exports }));
    for (const file of ["index.js", "inner.js", "lib/outer.js"]) plant(`node_modules/${name}/${file}`, "");
  }
}

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(planted, file)), { recursive: true });
  writeFileSync(join(planted, file), text);
}
