// Another language's client needs proto/ and nothing else of ours.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { protoDir } from "../../proto/schema.ts";
import { startTroupe } from "./troupe.ts";

const run = promisify(execFile);
/** Debian's own, which has python3-grpcio and python3-grpc-tools. */
const PYTHON = "/usr/bin/python3";
const PROTOS = ["browser", "control", "errors", "failures", "options", "page", "structure"].map(
  (name) => `troupe/v1/${name}.proto`,
);
const GOOGLE = ["google/rpc/status.proto", "google/rpc/error_details.proto"];

const missing = await run(PYTHON, ["-c", "import grpc, grpc_tools"]).then(
  () => "",
  () => "python3-grpcio and python3-grpc-tools are not installed (apt-get install them)",
);

test("a Python client generated from proto/ navigates, reads a snapshot's stream and an error's details", {
  skip: missing || false,
}, async () => {
  await using troupe = await startTroupe();
  const generated = await mkdtemp(path.join(tmpdir(), "troupe-python-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(generated, { recursive: true, force: true }));
  await run(PYTHON, [
    "-m",
    "grpc_tools.protoc",
    `-I${protoDir}`,
    `--python_out=${generated}`,
    `--grpc_python_out=${generated}`,
    ...PROTOS,
    ...GOOGLE,
  ]);
  const script = fileURLToPath(new URL("client.py", import.meta.url));
  const { stdout } = await run(PYTHON, [script, generated, troupe.address, `${troupe.shopUrl}/`], {
    timeout: 100_000,
  });
  const told = JSON.parse(stdout);
  assert.equal(told.status, 200);
  assert.match(told.title, /Harbour Goods/);
  assert.equal(told.text.length, told.length);
  assert.match(told.text, /link "Oak Kettle" \[ref=e\d+\]/);
  assert.equal(told.code, "NOT_FOUND");
  assert.equal(told.reason, "UNKNOWN_REF");
  assert.equal(told.type, "UNKNOWN_REF");
  assert.deepEqual(told.details, { ref: "e99999", cause: "unseen" });
  assert.match(told.steps[0], /^Call browser_snapshot\(role: "visitor"\)/);
});
