// A run over MCP is exported: by the agent itself, by a person, and from the session store by another worker.
import assert from "node:assert/strict";
import { test } from "node:test";
import { main } from "../../../client/cli/program.ts";
import { shared } from "../../harness/shared.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";

const troupe = shared(await startTroupe());

async function command(...words: string[]): Promise<string> {
  const said = { out: "", err: "" };
  const code = await main(words, {
    cwd: troupe.dir,
    env: { TROUPE_ADDRESS: troupe.address },
    print: (text: string) => {
      said.out += text;
    },
    complain: (text: string) => {
      said.err += text;
    },
  });
  assert.equal(code, 0, said.err);
  return said.out;
}

test("an agent's run is exported by itself, by a person, and by another worker", async () => {
  await using agent = await troupe.agent("--role", "visitor", "--profile", "full", "--session", "buyer");
  const product = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
  await agent.text("browser_click", { ref: refOf(product, "button", "Add to cart") });
  const own = await agent.text("browser_export_test", { as: "playwright" });
  assert.match(own, /getByRole\("button", \{ name: "Add to cart", exact: true \}\)/);
  assert.equal(await command("export", "buyer", "--as", "playwright"), own);

  const steps = JSON.parse(await command("export", "buyer", "--as", "steps"));
  assert.deepEqual([steps.version, steps.role, steps.dropped], [1, "visitor", 0]);
  const [opened, clicked] = steps.steps;
  assert.deepEqual([opened.tool, opened.args.url], ["browser_navigate", `${troupe.shopUrl}/product/42`]);
  assert.deepEqual([clicked.tool, clicked.targets.ref.role], ["browser_click", "button"]);
  assert.ok(clicked.targets.ref.locators.length > 0);
  assert.deepEqual(JSON.parse(await agent.text("browser_export_test", { as: "steps" })), steps);

  await command("restart", "visitor");
  assert.deepEqual(JSON.parse(await command("export", "buyer", "--as", "steps")), steps);
  await agent.text("browser_snapshot");
  assert.match(await agent.text("browser_export_test"), /Add to cart/);
});
