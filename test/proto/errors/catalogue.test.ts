import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CANDIDATE,
  catalogue,
  detailOf,
  type ErrorDetail,
  type ErrorType,
  errorTypes,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { GRPC_CODE } from "../../../proto/errors/entries/entry.ts";
import { fromStatus, toStatus } from "../../../proto/errors/status.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { findTool, inProfile, PROFILES, type Profile } from "../../../proto/tools/read-tools.ts";
import { cases, failedCall, secret } from "../cases.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const detail = (type: ErrorType, profile: Profile = "core"): ErrorDetail =>
  detailOf(fail(type, cases[type] as never), { ...failedCall, profile }, AT);

for (const type of errorTypes) {
  test(`${type} says what, why, causes and numbered steps, and nothing that only a human could use`, () => {
    const text = planText(detail(type));
    assert.match(text, /^❌ \S/);
    assert.match(text, /Possible causes:\n• \S/);
    assert.match(text, /🔧 Action Required:\n1\. \S/);
    assert.doesNotMatch(text, /undefined|\[object|NaN|\bat .*:\d+:\d+|\x1b|node_modules/);
  });

  test(`${type} repeats nothing in its texts that the caller may have meant to keep`, () => {
    const told = detail(type);
    const texts = [
      planText(told),
      told.message,
      JSON.stringify(told.details),
      ...told.causes,
      ...told.steps.map(({ text }) => text),
    ];
    assert.ok(texts.every((each) => !each.includes(secret)));
  });

  test(`${type} survives its way through gRPC, with a code, an ErrorInfo and all its details`, () => {
    const told = detail(type);
    const status = toStatus(told);
    assert.ok(Object.values(GRPC_CODE).includes(status.code as never));
    assert.deepEqual(fromStatus({ metadata: status.metadata ?? assert.fail() }), told);
    assert.equal(
      planText(fromStatus({ metadata: status.metadata ?? assert.fail() }) ?? assert.fail()),
      planText(told),
    );
  });

  for (const profile of PROFILES) {
    test(`${type} names in its steps only tools that the ${profile} profile has`, () => {
      for (const { tool, text } of detail(type, profile).steps) {
        const known = tool === undefined ? undefined : findTool(tool);
        if (tool !== undefined) assert.ok(known && inProfile(known.profile, profile), `${tool} in: ${text}`);
        for (const [name] of text.matchAll(
          /\b(?:browser|debugger)_\w+|\b(?:select_role|list_current_roles|get_failures)\b/g,
        )) {
          const named = findTool(name);
          assert.ok(named && inProfile(named.profile, profile), `${name} in: ${text}`);
        }
      }
    });
  }
}

test("a recoverable plan ends in a call, a choice, or words for the person who must act", () => {
  for (const type of errorTypes) {
    const { recoverable, steps } = detail(type);
    assert.ok(steps.length > 0, type);
    if (recoverable)
      assert.ok(
        steps.some(
          ({ tool, text }) => tool !== undefined || /call|open|start|enable|pause|list|see|use/i.test(text),
        ),
        type,
      );
  }
});

test("the stale ref's text is the contract's example", () => {
  const stale = detailOf(
    fail("STALE_REF", cases.STALE_REF),
    { ...failedCall, tool: "browser_click", arguments: { ref: "e5" } },
    AT,
  );
  const text = planText(stale);
  assert.ok(
    text.startsWith(
      '❌ Stale Element Reference\n\nElement: e5\nType: button\nLabel: "Submit"\nTag: <button>\n\nThe element was removed from the page',
    ),
  );
  assert.ok(text.includes('\n\nLikely the same element now: e31 button "Submit"\n\n🔧 Action Required:\n'));
  assert.ok(
    text.endsWith(
      '1. Call browser_snapshot() to get fresh element references\n2. Find button "Submit" in it (likely e31)\n3. Call browser_click(ref: "e31")',
    ),
  );
  assert.deepEqual(stale.steps.at(-1)?.arguments, { ref: CANDIDATE });
  assert.deepEqual(stale.candidates, [{ ref: "e31", role: "button", name: "Submit" }]);
});

test("the unknown ref's text and message are those that models already know", () => {
  const text = planText(detail("UNKNOWN_REF"));
  assert.ok(
    text.startsWith(
      "❌ Unknown Element Reference\n\nReference: e99\n\nThis reference doesn't exist in the current snapshot.\n\nPossible causes:\n• ",
    ),
  );
  assert.match(
    text,
    /1\. Call browser_snapshot\(\) to see currently available elements\n2\. Find the correct element reference in the new snapshot\n3\. Use the correct ref from the latest snapshot/,
  );
  assert.equal(
    detail("UNKNOWN_REF").message,
    "Unknown element reference: e99. Ref may be stale after navigation. Take a new snapshot to get fresh refs.",
  );
});

test("an unexpected error says so, and an often normal one says when", () => {
  assert.match(planText(detail("INTERNAL")), /This is an unexpected error\./);
  assert.match(planText(detail("FRAME_DETACHED")), /This is often normal during navigation/);
  assert.equal(detail("INTERNAL").expected, false);
  assert.equal(detail("FRAME_DETACHED").expected, true);
});

test("causes of a failed navigation are told apart, each with a code and a plan", () => {
  const failed = (cause: "dns" | "tls" | "timeout") =>
    detailOf(
      fail("NAVIGATION_FAILED", { url: "https://a.example/", reason: "net::ERR", cause }),
      { ...failedCall, tool: "browser_navigate" },
      AT,
    );
  assert.equal(toStatus(failed("dns")).code, GRPC_CODE.UNAVAILABLE);
  assert.equal(toStatus(failed("tls")).code, GRPC_CODE.FAILED_PRECONDITION);
  assert.equal(failed("timeout").recoverable, true);
  assert.equal(failed("dns").recoverable, false);
  assert.notDeepEqual(failed("dns").causes, failed("tls").causes);
});

test("the corrected call drops the wrong argument and keeps the rest", () => {
  const wrong = fail("INVALID_ARGUMENT", {
    argument: "buton",
    problem: "no such argument",
    nearest: "button",
    corrected: { button: "left" },
  });
  const { steps } = detailOf(
    wrong,
    { ...failedCall, tool: "browser_click", arguments: { ref: "e5", buton: "left" } },
    AT,
  );
  assert.deepEqual(steps, [
    {
      text: 'Call browser_click(ref: "e5", button: "left")',
      tool: "browser_click",
      arguments: { ref: "e5", button: "left" },
    },
  ]);
});

test("an unknown type is shown with its message, causes and steps", () => {
  const newer = {
    ...detail("INTERNAL"),
    type: "SOMETHING_NEWER" as ErrorType,
    title: "Something Newer",
    message: "It is new.",
  };
  assert.match(planText(newer), /^❌ Something Newer\n\nIt is new\./);
});

test("a call that a drain broke off needs a look at its page first; a refused call does not", () => {
  const drained = (effect: "none" | "unknown") =>
    detailOf(fail("DAEMON_DRAINING", { retryAfterMs: 2000, effect }), failedCall, AT);
  const tools = (effect: "none" | "unknown") => drained(effect).steps.map(({ tool }) => tool);
  assert.deepEqual(tools("unknown"), ["browser_snapshot", undefined]);
  assert.match(planText(drained("unknown")), /was under way and may have taken effect/);
  assert.deepEqual(tools("none"), ["browser_type"]);
  assert.match(planText(drained("none")), /nothing was done/);
});

test("the catalogue's titles are told apart", () => {
  const titles = errorTypes.map((type) => catalogue[type].title);
  assert.equal(new Set(titles).size, titles.length);
});
