// resolve_container, inspect_pattern, extract_anchors: show how a page is built around an element. Expected problems
// are part of the result.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { AnchorInfo as WireAnchorInfo } from "../../proto/gen/troupe.ts";
import type {
  AnchorInfo,
  AnchorsResult,
  ContainerResult,
  Limits,
  PatternResult,
  QueryError,
} from "../bridge/api/bridge-api.ts";
import { DocumentGone } from "../core/gone.ts";
import { quote } from "../snapshot/quote.ts";
import type { Located, Page } from "../tab/page.ts";
import type { ToolHandler } from "./tool.ts";

/** The bounds of the queries. Elements beyond them are counted, not listed. */
const LIMITS: Limits = { maxDepth: 4, maxSiblings: 15, maxDescendants: 100 };

export const resolveContainer: ToolHandler<"ResolveContainer"> = async ({ ref }, { page: open }) => {
  const page = await open();
  const result = await query<ContainerResult>(page, ref, { target: null, ancestors: [] }, (at) =>
    page.ask(at.frame, "resolveContainer", at.local, LIMITS, page.prefixOf(at.frame)),
  );
  return { text: tellContainer(ref, result, page), result };
};

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
    page.ask(at.frame, "inspectPattern", at.local, ancestorLevel, LIMITS, page.prefixOf(at.frame)),
  );
  const { targetSiblingIndex, containerAt, ...rest } = result;
  const container = containerAt && { level: ancestorLevel, ...containerAt };
  return {
    text: tellPattern(ref, result, page),
    result: { ...rest, containerAt: container, ...(targetSiblingIndex !== null && { targetSiblingIndex }) },
  };
};

export const extractAnchors: ToolHandler<"ExtractAnchors"> = async (
  { ref, ancestorLevel = 0 },
  { page: open },
) => {
  const page = await open();
  const nothing = { ancestorAt: null, descendants: [], totalDescendants: 0, maxDepthReached: 0 };
  const result = await query<AnchorsResult>(page, ref, nothing, (at) =>
    page.ask(at.frame, "extractAnchors", at.local, ancestorLevel, LIMITS, page.prefixOf(at.frame)),
  );
  return {
    text: tellAnchors(ref, ancestorLevel, result, page),
    result: { ...result, descendants: result.descendants.map(toWire) },
  };
};

/** Runs a query. An unusable ref is reported in the result, as are problems that the bridge reports. */
async function query<R extends Partial<QueryError>>(
  page: Page,
  ref: string,
  nothing: R,
  ask: (at: Located) => Promise<R>,
): Promise<R> {
  page.tells = "refs";
  try {
    return await ask(await page.locate(ref));
  } catch (error) {
    const problem = expected(error);
    if (!problem) throw error;
    return { ...nothing, ...problem };
  }
}

function expected(error: unknown): QueryError | undefined {
  const suggestion = "Call browser_snapshot() to refresh refs";
  if (isTroupeError(error) && error.type === "UNKNOWN_REF")
    return { error: "Element not found in current snapshot", errorType: "not_found", suggestion };
  if (error instanceof DocumentGone || (isTroupeError(error) && error.type === "FRAME_DETACHED")) {
    return { error: "The element's frame or page is gone", errorType: "disconnected", suggestion };
  }
  return undefined;
}

function problemText({ error, suggestion }: Partial<QueryError>, page: Page): string | undefined {
  return error && [`❌ ${error}`, `💡 Suggestion: ${suggestion}`, `(Role: ${page.call.role})`].join("\n\n");
}

function tellContainer(ref: string, result: ContainerResult, page: Page): string {
  const problem = problemText(result, page);
  if (problem) return problem;
  const { target, ancestors } = result;
  const head = [`Ancestors of ${ref} <${target?.tagName}> ${quote(target?.text ?? "")}, nearest first:`];
  if (ancestors.length === 0) return [...head, "none: it is a direct child of body"].join("\n");
  const lines = ancestors.map(
    ({ level, tagName, attributes, childElements, containsRefs }) =>
      `level ${level}: <${tagName}>${attributesText(attributes)}, ${childElements} children, refs inside: ${refsText(containsRefs)}`,
  );
  return [...head, ...lines].join("\n");
}

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

/** Writes refs as a snapshot does, because refs in that form count as delivered. */
function refsText(refs: readonly string[]): string {
  return refs.map((ref) => `[ref=${ref}]`).join(" ") || "none";
}

function attributesText(attributes: Record<string, string>): string {
  const pairs = Object.entries(attributes).map(([name, value]) => `${name}=${quote(value)}`);
  return pairs.length ? ` ${pairs.join(" ")}` : "";
}

function toWire({ descendants = [], ...anchor }: AnchorInfo): WireAnchorInfo {
  return { ...anchor, descendants: descendants.map(toWire) };
}
