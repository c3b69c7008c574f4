// A fault that appears again gets a plan that was not tried yet, and in the end the person who can help.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  detailOf,
  type ErrorData,
  type ErrorDetail,
  type ErrorType,
  type FailedCall,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { callMade } from "../../../proto/plans/next-plan.ts";
import { OpenFaults } from "../../../proto/plans/open-faults.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { toolsOf } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { variants } from "../cases.ts";

const call = (tool: string, args: JsonObject = {}): FailedCall => ({
  tool,
  arguments: args,
  profile: "core",
  role: "a",
  session: "s",
  tab: "t1",
});

/** A session that fails and succeeds at given times. */
class Played {
  readonly #faults = new OpenFaults();
  readonly eachMs: number;
  atMs = 0;

  /** `eachMs`: from one failure to the next. */
  constructor(eachMs = 60_000) {
    this.eachMs = eachMs;
  }

  failed<T extends ErrorType>(
    type: T,
    data: ErrorData[T],
    { tool, arguments: args }: FailedCall,
  ): ErrorDetail {
    const made = call(tool, args);
    this.atMs += this.eachMs;
    return this.#faults.failed(detailOf(fail(type, data), made, 0), made, this.atMs);
  }

  succeeded(tool: string, args: JsonObject = {}, role = "a"): void {
    this.#faults.succeeded({ tool, role, arguments: args }, this.atMs);
  }
}

const buy = { ref: "e1", role: "button", name: "Buy", tag: "button" };
const dialog = { ref: "e7", role: "dialog", name: "Cookies", tag: "div" };
const click = call("browser_click", { ref: "e1" });
const tools = ({ steps }: ErrorDetail) => steps.map(({ tool, text }) => tool ?? text);

test("while a fault may still pass by itself, its plan stays the same", () => {
  const session = new Played(4_000);
  const away = { reason: "it did not answer", retryAfterMs: 2_000, effect: "none" } as const;
  const first = session.failed("STORE_UNAVAILABLE", away, click);
  for (let call = 2; call <= 15; call++)
    assert.deepEqual(session.failed("STORE_UNAVAILABLE", away, click).steps, first.steps, `call ${call}`);
  for (let call = 0; call < 2; call++) session.failed("STORE_UNAVAILABLE", away, click);
  const last = session.failed("STORE_UNAVAILABLE", away, click);
  assert.equal(last.recoverable, false);
});

test("a step that was executed and changed nothing is not given again", () => {
  const session = new Played();
  const covered = { ...buy, by: dialog };
  assert.deepEqual(tools(session.failed("ELEMENT_COVERED", covered, click)), [
    "browser_press_key",
    "browser_click",
  ]);
  session.succeeded("browser_press_key", { key: "Escape" });
  const second = session.failed("ELEMENT_COVERED", covered, click);
  assert.ok(!tools(second).includes("browser_press_key"), planText(second));
});

test("a plan that was not executed is given again, and so is the rest of a partly executed one", () => {
  const session = new Played();
  const stale = { ...buy, candidates: [{ ref: "e31", role: "button", name: "Buy" }] };
  const first = tools(session.failed("STALE_REF", stale, click));
  assert.deepEqual(tools(session.failed("STALE_REF", stale, click)), first);
  session.succeeded("browser_snapshot");
  assert.deepEqual(tools(session.failed("STALE_REF", stale, click)), first.slice(1));
});

test("a fault that was recovered from is new when it appears again", () => {
  const covered = { ...buy, by: dialog };
  const ends: { tool: string; args: JsonObject }[] = [
    { tool: "browser_click", args: { ref: "e1" } },
    { tool: "browser_navigate", args: { url: "https://shop.example/" } },
  ];
  for (const over of ends) {
    const session = new Played();
    const first = tools(session.failed("ELEMENT_COVERED", covered, click));
    session.succeeded("browser_press_key", { key: "Escape" });
    session.succeeded(over.tool, over.args);
    assert.deepEqual(tools(session.failed("ELEMENT_COVERED", covered, click)), first);
  }
});

test("a temporary fault gets one longer wait, and then names a person", () => {
  const session = new Played();
  const reset = { url: "http://shop.example/", reason: "net::ERR_EMPTY_RESPONSE", cause: "empty" } as const;
  const open = call("browser_navigate", { url: reset.url });
  const waits: (number | undefined)[] = [];
  for (let time = 1; time <= 3; time++)
    waits.push(session.failed("NAVIGATION_FAILED", reset, open).retry?.afterMs);
  assert.deepEqual(waits, [1_000, 5_000, undefined]);
  const last = session.failed("NAVIGATION_FAILED", reset, open);
  assert.equal(last.recoverable, false);
  assert.match(last.steps.at(-1)?.text ?? "", /shop\.example/);
});

test("a call repeated sooner than its plan says has not tried the plan", () => {
  const faults = new OpenFaults();
  const busy = { limit: "8 sessions", holders: [], retryAfterMs: 1000 };
  const told = (atMs: number) =>
    faults.failed(detailOf(fail("BUSY", busy), click, 0), click, atMs).retry?.afterMs;
  assert.deepEqual([told(0), told(10), told(1_500)], [1_000, 1_000, 5_000]);
});

test("a fault that did not appear for long is over with the next call", () => {
  const faults = new OpenFaults();
  faults.failed(detailOf(fail("ELEMENT_COVERED", { ...buy, by: dialog }), click, 0), click, 0);
  const read = { tool: "browser_snapshot", role: "a", arguments: {} };
  faults.succeeded(read, 60_000);
  assert.equal(faults.any, true);
  faults.succeeded(read, 16 * 60_000);
  assert.equal(faults.any, false);
});

test("typed text is not held, and the same call is still recognised", () => {
  const typed = call("browser_type", { ref: "e1", text: "correct horse" });
  assert.doesNotMatch(JSON.stringify(callMade(typed)), /correct|e1/);
  assert.deepEqual(callMade(typed), callMade({ ...typed, arguments: { text: "correct horse", ref: "e1" } }));
});

/** Plays a session that follows each plan's tool calls and repeats the call. */
function playOut(type: ErrorType, data: object, failed: FailedCall): void {
  const session = new Played();
  const seen = new Set<string>();
  const isFailed = ({ tool, arguments: args }: ErrorDetail["steps"][number]) =>
    tool === failed.tool && JSON.stringify(args) === JSON.stringify(failed.arguments);
  for (;;) {
    const detail = session.failed(type, data as never, failed);
    if (!detail.recoverable) return;
    const text = planText(detail).split("🔧").at(-1) ?? "";
    assert.ok(!seen.has(text), `${type} gives twice:\n${planText(detail)}`);
    assert.ok(seen.add(text).size < 8, `${type} never ends`);
    // The corrected call would succeed.
    if (detail.steps.some((step) => step.tool === failed.tool && !isFailed(step))) return;
    for (const step of detail.steps)
      if (step.tool !== undefined && !isFailed(step)) session.succeeded(step.tool, step.arguments);
  }
}

test("no plan is given twice to a session that follows it, and the last names who can help", () => {
  const calls = [
    click,
    call("browser_type", { ref: "e1", text: "x" }),
    call("browser_navigate", { url: "https://shop.example/" }),
  ];
  for (const [type, data] of variants) for (const failed of calls) playOut(type, data, failed);
});

test("the first plan of every recoverable fault has a step that calls a tool", () => {
  for (const profile of ["core", "full", "debug"] as const)
    for (const tool of toolsOf(profile))
      for (const [type, data] of variants) {
        const failed = { ...call(tool.name, { ref: "e1" }), profile };
        const detail = detailOf(fail(type, data as never), failed, 0);
        // Only one profile has the debugger's tools.
        if (!detail.recoverable || (detail.category === "DEBUGGER" && profile !== "debug")) continue;
        assert.ok(
          detail.steps.some((step) => step.tool !== undefined),
          `${type} of ${tool.name}:\n${planText(detail)}`,
        );
      }
});
