// Prints an error as the text for an LLM: what, why, causes, and numbered steps.

import {
  catalogue,
  type ErrorData,
  type ErrorDetail,
  type ErrorEntry,
  type ErrorType,
  expectationOf,
  type FailedCall,
} from "../errors/catalogue.ts";
import { type InSteps, placeInWords } from "../errors/steps/in-steps.ts";
import { named } from "../text/named.ts";
import { oneLine } from "../text/quote.ts";
import type { Profile } from "../tools/read-tools.ts";

/**
 * Returns the text of an error. A type that this version does not know, such as a newer daemon's, is shown by its
 * message.
 */
export function planText(detail: ErrorDetail, profile: Profile = "core"): string {
  const entry = catalogue[detail.type] as ErrorEntry<ErrorData[ErrorType]> | undefined;
  const data = detail.details as unknown as ErrorData[ErrorType];
  const { step: place } = detail.details as InSteps;
  const call: FailedCall = {
    tool: detail.tool,
    arguments: {},
    profile,
    role: detail.role,
    session: detail.session,
    tab: detail.tab,
  };
  return [
    `❌ ${detail.title}`,
    typeof detail.details.restored === "string" ? oneLine(detail.details.restored) : "",
    place ? placeInWords(place) : "",
    (entry?.facts?.(data, call) ?? []).map(([label, value]) => `${label}: ${oneLine(value)}`).join("\n"),
    [oneLine(entry?.why?.(data, call) ?? detail.message), expectation(entry, detail)]
      .filter(Boolean)
      .join("\n"),
    section(
      "Possible causes:",
      detail.causes.map((cause) => `• ${cause}`),
    ),
    likely(detail),
    section(
      "🔧 Action Required:",
      detail.steps.map((step, index) => `${index + 1}. ${step.text}`),
    ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function expectation(entry: ErrorEntry<ErrorData[ErrorType]> | undefined, detail: ErrorDetail): string {
  const data = detail.details as unknown as ErrorData[ErrorType];
  const expected = entry && expectationOf(entry, data);
  if (typeof expected === "string") return expected;
  return detail.expected ? "" : "This is an unexpected error.";
}

function likely({ candidates }: ErrorDetail): string {
  if (candidates.length === 0) return "";
  return oneLine(
    `Likely the same element now: ${candidates.map((each) => `${each.ref} ${named(each)}`).join(", ")}`,
  );
}

function section(title: string, lines: string[]): string {
  return lines.length ? [title, ...lines].join("\n") : "";
}
