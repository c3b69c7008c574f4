// inspect_pattern: compares the children of an element's ancestor.
import type { PatternResult } from "../../bridge/api/bridge-api.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { attributesText, LIMITS, problemText, query, refsText } from "./structure.ts";

export const inspectPattern: ToolHandler<"InspectPattern"> = async (
  { ref, ancestorLevel = 0 },
  { page: open },
) => {
  const page = await open();
  const nothing = {
    ancestorLevel,
    containerAt: null,
    targetSiblingIndex: null,
    siblings: [],
    totalSiblings: 0,
  };
  const result = await query<PatternResult>(page, ref, nothing, (at) =>
    page.ask(at.frame, "inspectPattern", at.ref, ancestorLevel, LIMITS),
  );
  const { targetSiblingIndex, containerAt, ...rest } = result;
  const container = containerAt && { level: ancestorLevel, ...containerAt };
  return {
    text: tellPattern(ref, result, page),
    result: { ...rest, containerAt: container, ...(targetSiblingIndex !== null && { targetSiblingIndex }) },
  };
};

function tellPattern(ref: string, result: PatternResult, page: Page): string {
  const problem = problemText(result, page);
  if (problem) return problem;
  const { ancestorLevel, containerAt, targetSiblingIndex, siblings, totalSiblings } = result;
  const [first, last] = [siblings[0]?.index, siblings.at(-1)?.index];
  const shown = siblings.length < totalSiblings ? `, numbers ${first} to ${last} shown` : "";
  const head = `${totalSiblings} children of <${containerAt?.tagName}>${attributesText(containerAt?.attributes ?? {})}, level ${ancestorLevel} above ${ref}${shown}:`;
  const lines = siblings.map(({ index, tagName, attributes, containsRefs, containsText }) => {
    const mark = index === targetSiblingIndex ? " (holds the element)" : "";
    const texts = containsText.map((text) => quote(text)).join(", ");
    return `${index}${mark}: <${tagName}>${attributesText(attributes)}, refs: ${refsText(containsRefs)}${texts ? `, texts: ${texts}` : ""}`;
  });
  return [head, ...lines].join("\n");
}
