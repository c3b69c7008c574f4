// The agents of examples/agents/ run as they stand, against a real daemon and a scripted model.
// test/e2e/vendors.test.ts holds their types to the vendors'.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { openShell } from "../harness/reader/shell.ts";
import { shared } from "../harness/shared.ts";
import { startTroupe } from "../harness/troupe.ts";
import { serveModel } from "./model-server.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "examples/agents");
const HOOK = path.join(ROOT, "test/harness/reader/as-package.ts");
const AGENT_TIME = { timeout: 120_000 };
const troupe = shared(await startTroupe());
const product = `${troupe.shopUrl}/product/42`;

/** Runs an example and returns what it prints. */
async function run(example: string, args: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  await using shell = openShell({ TROUPE_STATE_DIR: troupe.stateDir, ...env });
  return await shell.run(`node --import ${HOOK} ${path.join(FOLDER, example)} ${args}`);
}

const agents = {
  "openai.ts": (url: string) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` }),
  "anthropic.ts": (url: string) => ({ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url }),
  "langchain.ts": (url: string) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1` }),
  "local-model.ts": (url: string) => ({ MODEL_URL: `${url}/v1` }),
};

for (const [example, settings] of Object.entries(agents)) {
  test(`${example} puts a product into the cart, after a mistake and its plan`, AGENT_TIME, async () => {
    await using model = await serveModel(product);
    const printed = await run(example, '"Put product 42 into the cart"', settings(model.url));
    assert.match(printed, /Cart \(\d+\)/);
    assert.match(model.results[0] ?? "", /^❌ [\s\S]*🔧 Action Required/);
    assert.equal(model.tools.includes("browser_tabs"), example !== "local-model.ts");
  });
}

test("parallel.ts shows each agent its own page", AGENT_TIME, async () => {
  const urls = [7, 42, 63].map((id) => `${troupe.shopUrl}/product/${id}`);
  const lines = (await run("parallel.ts", urls.join(" "))).trim().split("\n");
  assert.equal(lines.length, urls.length);
  for (const [index, url] of urls.entries())
    assert.match(lines[index] ?? "", new RegExp(`^agent-${index}: t1 .*${url}$`));
});
