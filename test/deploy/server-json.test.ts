// server.json as the MCP registry takes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { mcp } from "../../client/cli/commands/mcp.ts";
import { PROFILES } from "../../proto/tools/read-tools.ts";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8"));
const server = read("server.json");

test("server.json names the package, its version and flags that exist", () => {
  const { name, version, mcpName } = read("package.json");
  assert.equal(server.name, mcpName);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.description.length <= 100, `${server.description.length} characters`);
  const [{ identifier, transport, packageArguments, ...npm }] = server.packages;
  assert.deepEqual([identifier, npm.version, server.version], [name, version, version]);
  assert.deepEqual(transport, { type: "stdio" });
  const [command, ...flags] = packageArguments;
  assert.equal(command.value, mcp.usage);
  for (const flag of flags)
    assert.ok(
      mcp.options?.some(([form]) => form.startsWith(`${flag.name} `)),
      flag.name,
    );
  assert.deepEqual(flags[0].choices, PROFILES);
});
