// query_elements: finds elements by a CSS selector, and gives each a ref.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { QueryElementsRequest } from "../../../proto/gen/troupe.ts";
import type { ElementsFound, ElementsQuery } from "../../bridge/api/bridge-api.ts";
import { quote } from "../../snapshot/quote.ts";
import { pageLine } from "../../snapshot/reply.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { inEachFrame } from "./in-each-frame.ts";

const LIMIT_DEFAULT = 10;

type Found = Extract<ElementsFound, { state: "found" }>;

export const queryElements: ToolHandler<"QueryElements"> = async (request, { page: open, call }) => {
  const page = await open();
  page.detail = "lines";
  call.waitsFor = "the page's elements";
  const limit = request.limit ?? LIMIT_DEFAULT;
  const all: Found = { state: "found", hits: [], total: 0, hidden: 0, otherText: 0, near: [] };
  const { silent } = await inEachFrame(page, async (frame) => {
    const found = await page.ask(
      frame,
      "queryElements",
      queryOf(request, Math.max(0, limit - all.hits.length)),
    );
    if (found.state === "invalid") throw invalidSelector(request.selector);
    all.hits.push(...found.hits);
    all.near.push(...found.near);
    for (const count of ["total", "hidden", "otherText"] as const) all[count] += found[count];
  });
  await page.tab.readTitle();
  const near = all.total + all.hidden + all.otherText > 0 ? [] : all.near.slice(0, NEAR_MAX);
  const left = silent.length ? [`Not searched, as they do not answer: frames ${silent.join(", ")}`] : [];
  return {
    text: [pageLine(page), "", ...linesOf(all, near, request, page), ...left].join("\n"),
    total: all.total,
    hidden: all.hidden,
    near: near.map(({ selector }) => selector),
  };
};

const NEAR_MAX = 5;

function queryOf(
  { selector, textContains, includeHidden }: QueryElementsRequest,
  limit: number,
): ElementsQuery {
  return { selector, ...(textContains && { text: textContains }), hidden: includeHidden ?? false, limit };
}

function invalidSelector(selector: string): Error {
  return fail("INVALID_ARGUMENT", {
    argument: "selector",
    problem: `selector is no valid CSS selector: ${quote(selector, 100)}`,
    hint: "with a CSS selector such as form button",
    likelyCause: "It uses the syntax of another tool, such as XPath, :contains(…) or text=…",
  });
}

function linesOf(
  { hits, total, hidden, otherText }: Found,
  near: Found["near"],
  { includeHidden }: QueryElementsRequest,
  page: Page,
): string[] {
  const left = [
    ...(hidden > 0 && !includeHidden ? [`${hidden} hidden (includeHidden shows them)`] : []),
    ...(otherText > 0 ? [`${otherText} without that text`] : []),
  ];
  const rest = left.length ? [`Left out: ${left.join(", ")}`] : [];
  if (total === 0) {
    const like = near.map(({ selector, count }) => `- ${quote(selector)} (${count})`);
    const nearest = like.length ? ["Nearest selectors that exist:", ...like] : [];
    return [`No element matches in ${page.tab.id}.`, ...rest, ...nearest];
  }
  const more = total - hits.length;
  const lines = hits.map(({ line, tag, visible, attributes }) => {
    const facts = Object.entries(attributes).map(([name, value]) => `${name}=${quote(value)}`);
    return `${line}\n  <${[tag, ...facts].join(" ")}>${visible ? "" : " hidden"}`;
  });
  return [...lines, "", `${total} found${more > 0 ? `, ${more} not shown (limit shows more)` : ""}`, ...rest];
}
