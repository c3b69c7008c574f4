import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ESLint } from "eslint";
import { shared } from "../harness/shared.ts";
import { tempDir } from "../harness/temp-dir.ts";

const root = join(import.meta.dirname, "../..");
const { dir: planted } = shared(tempDir());

symlinkSync(join(root, "node_modules"), join(planted, "node_modules"));
writeFileSync(
  join(planted, "tsconfig.json"),
  JSON.stringify({ extends: join(root, "tsconfig.json"), include: ["."], exclude: [] }),
);
const eslint = new ESLint({ cwd: planted, overrideConfigFile: join(root, "eslint.config.mjs") });

const refused: [statement: string, rule: string][] = [
  ["f();", "@typescript-eslint/no-floating-promises"],
  ["[1].forEach(async () => f());", "@typescript-eslint/no-misused-promises"],
  ["await 1;", "@typescript-eslint/await-thenable"],
  [`switch (state) { case "READY": break; }`, "@typescript-eslint/switch-exhaustiveness-check"],
  ["try { await f(); } catch {}", "no-restricted-syntax"],
  ["try { await f(); } catch { /* ignore */ }", "no-restricted-syntax"],
  ["await f().catch(() => { /* ignore */ });", "no-restricted-syntax"],
  ["await f().catch(function () {});", "no-restricted-syntax"],
  ["await new Promise((r) => setTimeout(r, 100));", "no-restricted-syntax"],
  ["await new Promise<void>((resolve) => { setTimeout(resolve, 100); });", "no-restricted-syntax"],
  [`import { setTimeout as sleep } from "node:timers/promises"; await sleep(1);`, "no-restricted-imports"],
  ["/* eslint-disable */ f();", "@typescript-eslint/no-floating-promises"],
];

const allowed = [
  "await f();",
  "void f();",
  `import { test } from "node:test"; test("a test", async () => f());`,
  "try { await f(); } catch (error) { throw new Error('f failed', { cause: error }); }",
  "await f().catch((error) => { if (error.code === 'ENOENT') return undefined; throw error; });",
  "await new Promise((_, reject) => setTimeout(reject, 100));",
  `switch (state) { case "READY": break; default: await f(); }`,
];

for (const [statement, rule] of refused) {
  test(`refuses ${statement}`, async () => {
    const broken = await rulesBroken(statement);
    assert.ok(broken.includes(rule), `broken instead: ${broken.join(", ") || "none"}`);
  });
}

for (const statement of allowed) {
  test(`lets ${statement} pass`, async () => assert.deepEqual(await rulesBroken(statement), []));
}

test("time spans use the monotonic clock, except for dates", async () => {
  const span = "export const leftMs = (untilMs: number) => untilMs - Date.now();";
  assert.deepEqual(await rulesBroken(span, "worker/tab/planted.ts"), ["no-restricted-properties"]);
  assert.deepEqual(await rulesBroken(span, "worker/failures/failure-log.ts"), []);
});

async function rulesBroken(statement: string, name = "planted.ts"): Promise<string[]> {
  const file = join(planted, name);
  mkdirSync(dirname(file), { recursive: true });
  const given = `declare const f: () => Promise<void>; declare const state: "READY" | "FAILED";`;
  writeFileSync(file, `${given}\n${statement}\nexport { f, state };\n`);
  const [result] = await eslint.lintFiles([file]);
  return (result?.messages ?? [])
    .filter(({ severity }) => severity === 2)
    .map(({ ruleId, message }) => ruleId ?? message);
}
