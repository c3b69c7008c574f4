// extract_anchors: shows the parts of an element's ancestor that distinguish it.
import type { AnchorInfo as WireAnchorInfo } from "../../../proto/gen/troupe.ts";
import type { AnchorInfo, AnchorsResult } from "../../bridge/api/bridge-api.ts";
import { quote } from "../../snapshot/quote.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { attributesText, LIMITS, problemText, query } from "./structure.ts";

export const extractAnchors: ToolHandler<"ExtractAnchors"> = async (
  { ref, ancestorLevel = 0 },
  { page: open },
) => {
  const page = await open();
  const nothing = { ancestorAt: null, descendants: [], totalDescendants: 0, maxDepthReached: 0 };
  const result = await query<AnchorsResult>(page, ref, nothing, (at) =>
    page.ask(at.frame, "extractAnchors", at.ref, ancestorLevel, LIMITS),
  );
  return {
    text: tellAnchors(ref, ancestorLevel, result, page),
    result: { ...result, descendants: result.descendants.map(toWire) },
  };
};

function tellAnchors(ref: string, level: number, result: AnchorsResult, page: Page): string {
  const problem = problemText(result, page);
  if (problem) return problem;
  const { ancestorAt, descendants, totalDescendants, maxDepthReached } = result;
  const head = `Within <${ancestorAt?.tagName}>${attributesText(ancestorAt?.attributes ?? {})}, level ${level} above ${ref}: ${totalDescendants} descendants, ${maxDepthReached} levels:`;
  return [head, ...descendants.flatMap((each) => anchorLines(each))].join("\n");
}

function anchorLines({
  depth,
  tagName,
  attributes,
  ref,
  role,
  name,
  directText,
  fullText,
  omittedChildren,
  descendants,
}: AnchorInfo): string[] {
  const what = [ref && `[ref=${ref}]`, role, name && quote(name)].filter(Boolean).join(" ");
  const text = !name && (directText || fullText) ? ` ${quote(directText || fullText || "")}` : "";
  const left = omittedChildren ? ` (${omittedChildren} children not shown)` : "";
  const line = `${"  ".repeat(depth - 1)}- <${tagName}>${attributesText(attributes)}${what ? ` ${what}` : ""}${text}${left}`;
  return [line, ...(descendants ?? []).flatMap((each) => anchorLines(each))];
}

function toWire({ descendants = [], ...anchor }: AnchorInfo): WireAnchorInfo {
  return { ...anchor, descendants: descendants.map(toWire) };
}
