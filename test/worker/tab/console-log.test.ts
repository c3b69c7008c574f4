// Tests how much of a page's console is kept.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CDPSession } from "puppeteer-core";
import { FailedConnections } from "../../../worker/policy/failed-connections.ts";
import { ConsoleLog } from "../../../worker/tab/console/console-log.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const ERRORS = 40;
const LENGTH = 3_000_000;

/** An event as it comes from Chrome. */
function thrown(number: number): object {
  const lines = [
    `Error: number ${number} went wrong`,
    `    at nameOfTheFunction (http://site.test/some/path/${number}.js:1:2)`,
    "x".repeat(LENGTH),
  ];
  const exception = { type: "object", subtype: "error", description: lines.join("\n") };
  const exceptionDetails = { text: "Uncaught", lineNumber: 1, columnNumber: 1, exception };
  return JSON.parse(JSON.stringify({ exceptionDetails })) as object;
}

test("of a long error only that is kept which is shown", () => {
  const console = new ConsoleLog(new FailedConnections(), () => undefined);
  const client = new EventEmitter();
  console.watch(client as unknown as CDPSession);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < ERRORS; number++) client.emit("Runtime.exceptionThrown", thrown(number));
  collectGarbage();
  const kept = process.memoryUsage().heapUsed - before;
  assert.equal(console.messages.length, ERRORS);
  assert.equal(console.messages[0]?.stack[0]?.name, "nameOfTheFunction");
  assert.ok(kept < (ERRORS * LENGTH) / 4, `${kept} bytes are kept`);
});
