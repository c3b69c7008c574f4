// A client in another language needs only proto/.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { startTroupe } from "../harness/troupe.ts";
import { generatePython, missingPython, PYTHON, programHere } from "./python.ts";

test("a Python client generated from proto/ navigates, reads a snapshot's stream and an error's details", {
  skip: (await missingPython()) || false,
}, async () => {
  await using troupe = await startTroupe();
  await using generated = await generatePython();
  const { stdout } = await promisify(execFile)(
    PYTHON,
    [programHere("client.py"), generated.dir, troupe.address, `${troupe.shopUrl}/`],
    { timeout: 100_000 },
  );
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
