import assert from "node:assert/strict";
import { test } from "node:test";
import {
  detailOf,
  type ErrorDetail,
  type ErrorType,
  errorTypes,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { type ListedTool, toolList } from "../../../proto/tools/tool-list.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { cases } from "../cases.ts";

const listed = new Map(toolList("small").map((tool) => [tool.name, tool]));

/** The call of a model whose grammar comes from the schema: it has every argument. */
function fullCall({ inputSchema }: ListedTool): JsonObject {
  const samples = { string: "e5", integer: 1, boolean: true } as Record<string, JsonObject[string]>;
  const entries = Object.entries(inputSchema.properties);
  return Object.fromEntries(entries.map(([name, { type }]) => [name, samples[type] ?? null]));
}

/** The tools whose calls can fail so. A stale ref needs a ref, an unknown tab a tab. */
function toolsFor(type: ErrorType): ListedTool[] {
  const needed = [
    ...("ref" in cases[type] ? ["ref"] : []),
    ...("tab" in cases[type] ? ["tab"] : []),
    ...("missing" in cases[type] ? ["text", "submit"] : []),
  ];
  return [...listed.values()].filter(({ inputSchema }) =>
    needed.every((name) => name in inputSchema.properties),
  );
}

/** The case, and similar ones with other plans. */
function variants(type: ErrorType): object[] {
  const data = cases[type] as unknown as Record<string, unknown>;
  const others: Record<string, unknown[]> = {
    effect: ["none", "unknown"],
    cause:
      type === "UNKNOWN_REF"
        ? ["malformed", "earlier-page", "unseen"]
        : ["dns", "refused", "tls", "timeout", "aborted", "empty", "redirects", "invalid-url", "other"],
    nearest: [undefined],
    candidates: [undefined, []],
    tabs: [["t1"], []],
    reloaded: [true],
    dialog: ["alert", "beforeunload"],
    retryAfterMs: [1000],
    allowed: [[]],
    frame: ["main"],
    readonly: [undefined],
  };
  const changed = Object.entries(others).flatMap(([key, values]) =>
    key in data ? values.map((value) => ({ ...data, [key]: value })) : [],
  );
  return [data, ...changed];
}

/** The calls that can fail so: with all the arguments that a small model can give, and with none. */
function failures(type: ErrorType): ErrorDetail[] {
  const calls = toolsFor(type).flatMap((tool) =>
    [fullCall(tool), {}].map((args) => ({ tool: tool.name, args })),
  );
  return variants(type).flatMap((data) =>
    calls.map(({ tool, args }) =>
      detailOf(
        fail(type, data as never),
        {
          tool,
          arguments: args,
          profile: "small",
          role: "a",
          ownRole: "role" in args,
          session: "s",
          tab: "t1",
        },
        0,
      ),
    ),
  );
}

const TOOLS =
  /\b(?:(?:browser|debugger|list|get|select)_[a-z_]+|resolve_container|inspect_pattern|extract_anchors)\b/g;

for (const type of errorTypes) {
  test(`a model with only the small tools and their arguments can follow every plan of ${type}`, () => {
    const details = failures(type);
    assert.ok(details.length > 0);
    for (const { tool, arguments: args = {}, text } of details.flatMap(({ steps }) => steps)) {
      const properties = tool === undefined ? {} : listed.get(tool)?.inputSchema.properties;
      assert.ok(properties, `${tool} in: ${text}`);
      for (const name of Object.keys(args)) assert.ok(name in properties, `${name} in: ${text}`);
    }
    for (const text of details.map((detail) => planText(detail, "small"))) {
      // The text may name the unknown tool.
      for (const [name] of text.replace(/^Tool: .*$/m, "").matchAll(TOOLS))
        assert.ok(listed.has(name), `${name} in:\n${text}`);
    }
  });
}

test("plans of the small profile use words for steps that it has no tools for", () => {
  const plan = (type: ErrorType) => {
    const call = { tool: "browser_click", arguments: { ref: "e5", role: "costumer", tab: "t9" } };
    const detail = detailOf(
      fail(type, cases[type] as never),
      { ...call, profile: "small", role: "costumer", session: "s", tab: "t9" },
      0,
    );
    return planText(detail, "small");
  };
  assert.match(plan("UNKNOWN_ROLE"), /1\. The roles are: visitor, customer\n/);
  assert.match(plan("UNKNOWN_TAB"), /1\. The open tabs are: t1, t2\n/);
});
