// Writes ERRORS.md from the catalogue of errors, each with an example's text for an LLM.
import {
  catalogue,
  detailOf,
  type ErrorDetail,
  type ErrorType,
  errorTypes,
  type FailedCall,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { toStatus } from "../../../proto/errors/status.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { furtherCases } from "./error-cases.ts";
import { code, document, fence, table } from "./markdown.ts";

const AT = Date.UTC(2026, 10, 20, 12);
const GRPC_NAMES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
].concat(
  [
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
  ],
  ["INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"],
);

/** The call of an example, if it is not a click. */
const CALLS: Partial<Record<ErrorType, [tool: string, args: JsonObject]>> = {
  INVALID_ARGUMENT: ["browser_click", { ref: "e5", buton: "left" }],
  UNKNOWN_TOOL: ["browser_clik", { ref: "e5" }],
  UNKNOWN_ROLE: ["select_role", { role: "costumer" }],
  UNKNOWN_TAB: ["browser_snapshot", { tab: "t9" }],
  UNKNOWN_REF: ["browser_click", { ref: "e99" }],
  NO_HISTORY: ["browser_navigate_back", {}],
  NO_DIALOG: ["browser_handle_dialog", { accept: true }],
  RESULT_TOO_LARGE: ["browser_snapshot", { maxTokens: 0 }],
  ELEMENT_NOT_EDITABLE: ["browser_type", { ref: "e5", text: "…" }],
  OPTION_NOT_FOUND: ["browser_select_option", { ref: "e5", values: ["Gren"] }],
  NAVIGATION_FAILED: ["browser_navigate", { url: "https://nowhere.example/" }],
  NAVIGATION_BLOCKED: ["browser_navigate", { url: "file:///etc/passwd" }],
  TIMEOUT: ["browser_wait_for", { text: "Done" }],
};

/** Data that completes an example and that the catalogue leaves out. */
const DATA: Partial<Record<ErrorType, JsonObject>> = {
  INVALID_ARGUMENT: { corrected: { buton: null, button: "left" } },
  UNKNOWN_TOOL: { corrected: { calls: [{ tool: "browser_click", arguments: { ref: "e5" } }] } },
};

export function errorsDocument(): string {
  const details = errorTypes.map((type) => exampleOf(type));
  return document([
    "# Errors",
    'Every failure is one of these types, at every door. An LLM reads the text below as the result of its call; a program reads the same as data: `_meta["troupe.v1/error"]` in MCP, `troupe.v1.ErrorDetail` in `grpc-status-details-bin` beside `google.rpc.ErrorInfo`, `error` in HTTP. `resolve_container`, `inspect_pattern` and `extract_anchors` answer expected problems of their own in their results, as no failures.',
    "**Recoverable** is a promise: whoever follows the steps in order, waiting `retry.afterMs` where it is given, gets done what the failed call was meant to do, or is told to choose where the call did not say which element was meant. Where it says *by case*, the data decides. Steps name tools of the client's profile only; what it lacks is said in words. In a step's arguments `\"$candidate\"` stands for the ref of the element that is meant: that of `candidates[0]`, else of the first line of the newest snapshot with its role and name.",
    table(
      ["type", "category", "gRPC", "recoverable"],
      details.map(({ type, category, ...detail }) => [
        `[${code(type)}](#${type.toLowerCase()})`,
        category,
        codeOf({ type, category, ...detail }),
        recoverableOf(type, detail.recoverable),
      ]),
    ),
    "As data, a stale ref looks like this:",
    fence(JSON.stringify(exampleOf("STALE_REF"), null, 2), "json"),
    ...details.flatMap(section),
  ]);
}

function exampleOf(
  type: ErrorType,
  data: object = { ...catalogue[type].example, ...DATA[type] },
): ErrorDetail {
  const [tool, args] = CALLS[type] ?? ["browser_click", { ref: "e5" }];
  const call: FailedCall = {
    tool,
    arguments: args,
    profile: "core",
    role: "customer",
    session: "s1",
    tab: "t1",
  };
  return detailOf(fail(type, data as never), call, AT);
}

function section(detail: ErrorDetail): string[] {
  const { type, category, title, expected, retry } = detail;
  const facts = [
    category,
    `gRPC ${codeOf(detail)}`,
    `recoverable: ${recoverableOf(type, detail.recoverable)}`,
    expected ? "often normal" : "unexpected",
    retry && `retry after ${retry.afterMs} ms${retry.sameCall ? ", the same call" : ""}`,
  ];
  const names = Object.keys(detail.details);
  return [
    `## ${type}`,
    `${title}. ${detail.message}`,
    facts.filter(Boolean).join(" · "),
    ...(names.length > 0 ? [`\`details\`: ${names.map(code).join(", ")}`] : []),
    fence(planText(detail, "core")),
    ...casesOf(type),
  ];
}

/** Returns the differences of the type's other cases from the example. */
function casesOf(type: ErrorType): string[] {
  const rows = furtherCases(type).map(([words, data]) => {
    const { causes, steps, recoverable, retry } = exampleOf(type, data);
    const numbered = steps.map(({ text }, index) => `${index + 1}. ${text}`).join("<br>");
    const wait = retry && retry.afterMs > 0 ? `; retry after ${retry.afterMs} ms` : "";
    return [words, `${recoverable ? "yes" : "no"}${wait}`, causes.join("<br>"), numbered];
  });
  if (rows.length === 0) return [];
  const lead = type === "NAVIGATION_FAILED" ? "By `details.cause`:" : "In other cases:";
  return [lead, table(["where", "recoverable", "possible causes", "steps"], rows)];
}

function recoverableOf(type: ErrorType, ofExample: boolean): string {
  const { recoverable } = catalogue[type];
  return typeof recoverable === "function" ? "by case" : ofExample ? "yes" : "no";
}

/** If the code depends on the case, this is the example's. */
function codeOf(detail: ErrorDetail): string {
  return GRPC_NAMES[toStatus(detail).code ?? 0] ?? "UNKNOWN";
}
