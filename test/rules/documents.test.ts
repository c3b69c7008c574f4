import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { METRICS } from "../../daemon/telemetry/metrics-table.ts";
import { errorTypes } from "../../proto/errors/catalogue.ts";
import { NAVIGATION } from "../../proto/errors/entries/navigation.ts";
import { tools } from "../../proto/tools/read-tools.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { configurationDocument, configurationSchema } from "./documents/configuration.ts";
import { outOfDate } from "./documents/documents.ts";
import { errorsDocument } from "./documents/errors.ts";
import { metricsDocument } from "./documents/metrics.ts";
import { toolsDocument } from "./documents/tools.ts";

test("a missing or different document is out of date, and an identical one is not", () => {
  using temp = tempDir();
  const folder = temp.dir;
  const all = outOfDate(folder);
  for (const { name, text } of all) writeFileSync(join(folder, name), text);
  assert.deepEqual(outOfDate(folder), []);
  writeFileSync(join(folder, "TOOLS.md"), "# Tools");
  assert.deepEqual(
    outOfDate(folder).map(({ name }) => name),
    ["TOOLS.md"],
  );
  assert.equal(all.length, 6);
});

test("every type that is built has an example as an LLM reads it, and no other type is documented", () => {
  const text = errorsDocument();
  for (const type of errorTypes) {
    const [, section = ""] = text.split(`\n## ${type}\n`);
    assert.match(section.split("\n## ")[0] ?? "", /```\n❌ [\s\S]*🔧 Action Required:\n1\. /, type);
  }
  assert.doesNotMatch(text, /undefined|\[object|NaN/);
});

test("a type whose plan depends on the case shows each case as the error itself does", () => {
  const text = errorsDocument();
  for (const cause of Object.keys(NAVIGATION))
    assert.match(text, new RegExp(`^\\| ${cause} \\| (?:yes|no)[^|]* \\| .+ \\| 1\\. .+ \\|$`, "m"));
  assert.match(
    text,
    /^\| tls-authority \| no \| The certificate is self-signed.*trust the certificate of nowhere\.example/m,
  );
  assert.match(text, /^\| it is no ref \| yes \| Typo in the ref name<br>A selector or a label/m);
  assert.match(text, /^\| its file holds a fresher login; the call may have been carried out \| yes \|/m);
});

test("every tool has its arguments, every metric its labels", () => {
  const written = toolsDocument();
  for (const { name, description, arguments: all } of tools()) {
    const section = written.split(`\n## ${name}\n`)[1]?.split("\n## ")[0] ?? "";
    assert.ok(section.includes(description), name);
    for (const argument of all)
      assert.ok(section.includes(`| \`${argument.name}\` |`), `${name}.${argument.name}`);
  }
  for (const name of Object.keys(METRICS)) assert.ok(metricsDocument().includes(`| \`${name}\` |`), name);
  assert.doesNotMatch(written, /undefined|\[object|NaN/);
});

test("the configuration's schema is JSON Schema, and schema and document have every key", () => {
  const schema = JSON.parse(configurationSchema());
  assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
  assert.equal(schema.additionalProperties, false);
  const role = schema.properties.roles.additionalProperties.properties;
  assert.match(role.memory.description, /sum of PSS.*such as/);
  const text = configurationDocument();
  for (const key of Object.keys(schema.properties)) assert.match(text, new RegExp(`\\b${key}\\b`), key);
  for (const key of Object.keys(role)) assert.match(text, new RegExp(`\`roles\\.NAME\\.${key}\\b`), key);
  assert.doesNotMatch(JSON.stringify(schema), /"(?:allowed|words|secret)":/);
});
