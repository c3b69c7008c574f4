import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOf, type ErrorData, type ErrorType, errorTypes, fail } from "../../proto/errors/catalogue.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import { PROFILES, toolsOf } from "../../proto/tools/read-tools.ts";
import { cases, failedCall } from "../proto/cases.ts";
import { faults } from "./catalogue.ts";
import { complaintsAbout } from "./plan-complaints.ts";

const provoked = new Set(faults.map(({ type }) => type));

test("a fault causes every error type", () => {
  for (const type of errorTypes) assert.ok(provoked.has(type), `no fault brings about ${type}`);
});

test("there are at least sixty faults, each with a name of its own", () => {
  assert.ok(faults.length >= 60, `${faults.length}`);
  assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
});

test("every type's plan names only tools of its reader's profile, and has all its parts", () => {
  for (const profile of PROFILES)
    for (const { name: tool } of toolsOf(profile))
      for (const type of errorTypes) {
        const detail = detailFor(type, { ...failedCall, tool, profile });
        assert.deepEqual(
          complaintsAbout(planText(detail, profile), detail, profile, OWN),
          [],
          `${type} of ${tool} in the ${profile} profile:\n${planText(detail, profile)}`,
        );
      }
});

test("a text that lacks a part, or reveals internals, causes a complaint", () => {
  const detail = detailFor("STALE_REF", failedCall);
  const text = planText(detail);
  assert.deepEqual(complaintsAbout(text, detail, "core"), []);
  for (const [worse, complaint] of [
    [text.replace("❌", "!"), "it lacks the title"],
    [text.replace("• ", "- "), "it lacks the causes"],
    [text.replace("\n2. ", "\n- "), "it lacks the numbered steps"],
    [`${text}\n    at click (file.ts:3:4)`, "it holds a stack"],
    [`\u001b[31m${text}`, "it holds an ANSI code"],
    [`${text} /home/ada/troupe`, "it holds a path of the host"],
    [`${text} puppeteer`, "it holds a package's name"],
  ] as const)
    assert.ok(complaintsAbout(worse, detail, "core").includes(complaint), complaint);
  const steps = [{ text: 'Call browser_tabs(action: "list")', tool: "browser_tabs" }];
  assert.deepEqual(complaintsAbout(planText({ ...detail, steps }), { ...detail, steps }, "small"), [
    "the plan names browser_tabs, which the small profile lacks",
  ]);
});

/** Paths that the cases themselves name. */
const OWN = ["/etc/passwd", "/home/ada/shop", "unix:/run/troupe.sock"];

function detailFor<T extends ErrorType>(type: T, call: typeof failedCall) {
  return detailOf(fail(type, cases[type] as ErrorData[T]), call, Date.UTC(2026, 10, 20));
}
