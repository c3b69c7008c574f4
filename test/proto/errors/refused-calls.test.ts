// Tests the errors of calls that are refused before they act: a missing header, an address closed to every role.
import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOf, fail } from "../../../proto/errors/catalogue.ts";
import { planText } from "../../../proto/plans/plan-text.ts";

const of = (tool: string) =>
  ({ tool, arguments: {}, profile: "core", role: "a", session: "s", tab: "t1" }) as const;

test("an address that is closed to every role is told as that, in whole sentences", () => {
  const data = { url: "http://169.254.169.254/", allowed: [], reason: "it is a cloud metadata address" };
  const text = planText(detailOf(fail("NAVIGATION_BLOCKED", data), of("browser_navigate"), 0));
  assert.match(text, /^It is a cloud metadata address\.$/m);
  assert.match(text, /^Allowed: any http\(s\) page, but neither cloud metadata nor the daemon itself$/m);
  assert.doesNotMatch(text, /The configuration limits|another site/);
});

test("the plan for a missing header asks for no other call, which would lack the header, too", () => {
  const hint = 'with the header x-troupe-session, such as "my-session"';
  const data = { argument: "x-troupe-session", problem: "the header x-troupe-session is missing", hint };
  const { steps } = detailOf(fail("INVALID_ARGUMENT", data), of("browser_click"), 0);
  assert.deepEqual(
    steps.map(({ text }) => text),
    [`Call browser_click again ${hint}`],
  );
});
