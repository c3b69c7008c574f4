// Names that every object inherits, written by a client. They mean nothing, and no table has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toolCall } from "../../../proto/calls/tool-call.ts";
import { detailOf, isTroupeError } from "../../../proto/errors/catalogue.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { type Tool, tools } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { parseKeys } from "../../../worker/actions/keyboard.ts";

const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

for (const name of INHERITED) {
  test(`${name} is refused as an argument, a value and a key, with a plan`, () => {
    for (const tool of tools()) {
      refusedOrTaken(tool, object(name, "x"));
      for (const argument of tool.arguments) {
        refusedOrTaken(tool, { [argument.name]: name });
        refusedOrTaken(tool, { [argument.name]: [name] });
        refusedOrTaken(tool, { [argument.name]: object(name, 1) });
      }
    }
    for (const keys of [name, `${name}+A`, `Control+${name}`])
      assert.throws(() => parseKeys(keys), isTroupeError, keys);
  });
}

/** Makes an object with an own property of that name, as JSON.parse does. */
function object(name: string, value: string | number): JsonObject {
  return JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as JsonObject;
}

/** A wrong call is an error of the catalogue, and its plan can be printed. */
function refusedOrTaken(tool: Tool, args: JsonObject): void {
  try {
    toolCall(tool, args);
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    const call = {
      tool: tool.name,
      arguments: args,
      profile: "full",
      role: "",
      session: "s",
      tab: "",
    } as const;
    assert.match(planText(detailOf(error, call, 0)), /1\. /);
  }
}
