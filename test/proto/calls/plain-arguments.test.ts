import assert from "node:assert/strict";
import { test } from "node:test";
import { requestOf } from "../../../proto/calls/arguments.ts";
import { plainArguments } from "../../../proto/calls/plain-arguments.ts";
import { toolNamed } from "../../../proto/calls/tool-call.ts";
import { detailOf, type ErrorData, fail, isTroupeError } from "../../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { failedCall } from "../cases.ts";

const COUNT = 380_000;
const many = (): JsonObject =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`a${index}`, 1]));

test("of too many arguments only enough are kept to refuse the call", () => {
  for (const args of [many(), { arguments: many() }, { ref: "e5", ...many() }])
    assert.equal(Object.keys(plainArguments(args)).length, 100);
  const args = plainArguments({ ref: "e5", ...many() });
  assert.throws(
    () => requestOf(toolNamed("browser_click", "core"), args),
    (error) => isTroupeError(error) && /and many more$/.test((error.data as { problem: string }).problem),
  );
});

test("an error does not repeat a value's many names", () => {
  const data = { argument: "ref", problem: "wrong", found: many() } as ErrorData["INVALID_ARGUMENT"];
  const { details } = detailOf(fail("INVALID_ARGUMENT", data), failedCall, 0);
  assert.equal(Object.keys(details.found as JsonObject).length, 50);
});
