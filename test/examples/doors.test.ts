// The clients of examples/doors/ run as they stand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { missingPython } from "../e2e/python.ts";
import { freePort } from "../harness/free-port.ts";
import { openShell } from "../harness/reader/shell.ts";
import { shared } from "../harness/shared.ts";
import { startTroupe } from "../harness/troupe.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const DOOR_TIME = { timeout: 120_000 };
const troupe = shared(await startTroupe());
const product = `${troupe.shopUrl}/product/42`;

/** Runs an example and returns what it prints. */
async function run(example: string, ...args: (string | number)[]): Promise<string> {
  await using shell = openShell();
  return await shell.run([path.join(ROOT, "examples/doors", example), ...args].join(" "));
}

test("mcp-by-url.ts reads a product with the token of the state folder", DOOR_TIME, async () => {
  const token = readFileSync(path.join(troupe.stateDir, "token"), "utf8").trim();
  await using shell = openShell();
  const program = path.join(ROOT, "examples/doors/mcp-by-url.ts");
  const printed = await shell.run(`node ${program} "${troupe.http}/mcp?role=customer" ${token} ${product}`);
  assert.match(printed, /Add to cart/);
});

test("rest.sh reads a product as the customer", DOOR_TIME, async () => {
  const printed = await run("rest.sh", troupe.stateDir, troupe.http, product);
  assert.match(printed, /"success":true[\s\S]*Add to cart[\s\S]*\[ref=e\d+\]/);
});

test("python.sh reads a product and the plan of a failed call", {
  ...DOOR_TIME,
  skip: (await missingPython()) || false,
}, async () => {
  const printed = await run("python.sh", path.join(ROOT, "proto"), ".", troupe.address, product);
  assert.match(printed, /button "Add to cart"[\s\S]*NOT_FOUND UNKNOWN_REF\n- Call browser_snapshot/);
});

test("tls.sh serves over TLS with certificates made here, and ends its daemon", DOOR_TIME, async () => {
  const printed = await run("tls.sh", await freePort(), await freePort());
  assert.match(printed, /HTTP +https:[\s\S]*default/);
});
