import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { CallError, callError } from "../../../client/connection/call-error.ts";
import { isInterruption, lastingStream } from "../../../client/connection/lasting-stream.ts";
import { type ErrorType, fail } from "../../../proto/errors/catalogue.ts";

const CALL = { tool: "Watch", arguments: {}, profile: "core", role: "", session: "s", tab: "" } as const;
const broken = () =>
  callError(fail("WORKER_UNAVAILABLE", { role: "a", reason: "told to", retryAfterMs: 1000 }), CALL, "");
const never = new AbortController().signal;
const MINUTE = 60_000;

/** Advances time and lets waiting code run. Resolves to the result of `going`, or to undefined if it has not ended. */
async function pass<T>(t: TestContext, ms: number, going: Promise<T>): Promise<T | CallError | undefined> {
  let end: T | CallError | undefined;
  going.then(
    (value) => {
      end = value;
    },
    (error: CallError) => {
      end = error;
    },
  );
  for (let passed = 0; passed < ms && !end; passed += 1000) {
    t.mock.timers.tick(1000);
    await turn();
  }
  return end;
}

test("a stream that cannot be reopened for five minutes fails with its last error", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  // The monotonic clock advances with the mocked time.
  t.mock.method(performance, "now", () => Date.now());
  let opened = 0;
  const stream = lastingStream(
    // biome-ignore lint/correctness/useYield: it fails before
    async function* (): AsyncGenerator<number> {
      opened++;
      throw broken();
    },
    { closed: never },
  );
  const going = stream.next();
  assert.equal(await pass(t, 4 * MINUTE, going), undefined);
  assert.ok(
    opened > 20 && opened < 50,
    `opened ${opened} times: every ten seconds once it has gone on for long`,
  );
  const end = await pass(t, 2 * MINUTE, going);
  assert.ok(end instanceof CallError);
  assert.equal(end.type, "WORKER_UNAVAILABLE");
});

test("a quiet stream continues, however often it is interrupted", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const interruptions = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
  const again: boolean[] = [];
  const stream = lastingStream(
    async function* (_signal, isAgain) {
      again.push(isAgain);
      yield again.length;
      await interruptions[again.length - 1]?.promise;
    },
    { closed: never },
  );
  assert.equal((await stream.next()).value, 1);
  for (const [index, interruption] of interruptions.entries()) {
    const next = stream.next();
    assert.equal(await pass(t, 20 * MINUTE, next), undefined);
    interruption.reject(broken());
    assert.deepEqual(await pass(t, MINUTE, next), { value: index + 2, done: false });
  }
  assert.deepEqual(again, [false, true, true]);
});

test("a stream continues after faults that pass or are being restored", () => {
  const retry = (sameCall: boolean) => ({ afterMs: 1000, sameCall });
  const cases: [ErrorType, ReturnType<typeof retry> | undefined, boolean][] = [
    ["TIMEOUT", undefined, true],
    ["DAEMON_UNREACHABLE", retry(false), true],
    ["DAEMON_DRAINING", retry(true), true],
    ["WORKER_RESTARTED", undefined, true],
    ["BROWSER_CRASHED", undefined, true],
    ["PAGE_CRASHED", undefined, true],
    ["WORKER_UNAVAILABLE", retry(true), true],
    ["WORKER_UNAVAILABLE", undefined, false],
    ["BUSY", retry(true), true],
    ["SESSION_LOST", undefined, false],
    ["UNKNOWN_TAB", undefined, false],
    ["UNKNOWN_ROLE", undefined, false],
    ["CANCELLED", undefined, false],
    ["INTERNAL", undefined, false],
  ];
  for (const [type, given, expected] of cases) {
    assert.equal(isInterruption({ type, retry: given }), expected, `${type} ${JSON.stringify(given)}`);
  }
});
