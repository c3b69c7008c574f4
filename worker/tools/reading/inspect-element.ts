// inspect_element: gives stable locators of an element, each checked to match exactly that one.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { ElementLocator, InspectElementRequest } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { orDetached } from "../../actions/element.ts";
import { type FramedLocators, locatorsOf } from "../../recording/locate.ts";
import { playwrightCode, testingLibraryCode } from "../../recording/locator-code.ts";
import { missingElement } from "../../snapshot/actionability-error.ts";
import { quote } from "../../snapshot/quote.ts";
import { pageLine } from "../../snapshot/reply.ts";
import type { Located, Page } from "../../tab/page.ts";
import type { Reply, ToolHandler } from "../tool.ts";
import { inEachFrame } from "./in-each-frame.ts";

const LOCATORS_MAX = 6;
const HITS_MAX = 5;
/** A redesign keeps roles, names, labels and test ids. */
const STRICT = 65;

export const inspectElement: ToolHandler<"InspectElement"> = async (request, { page: open, call }) => {
  if (!request.ref && !request.description)
    throw fail("INVALID_ARGUMENT", {
      argument: "ref",
      problem: "there is nothing to inspect",
      hint: "with ref or description",
      look: true,
    });
  const page = await open();
  page.detail = "lines";
  call.waitsFor = "the element's locators";
  if (request.ref) return await inspect(page, await page.locate(request.ref), request);
  const { hits, total, whole } = await describedHits(page, request);
  const [only, ...others] = hits;
  if (only && others.length === 0 && whole) return await inspect(page, only, request);
  return {
    text: [pageLine(page), "", ...choice(hits, total, whole)].join("\n"),
    element: null,
    locators: [],
  };
};

type Hit = Located & { line: string };

async function describedHits(page: Page, { description = "", near }: InspectElementRequest) {
  const found: { hits: Hit[]; total: number; whole: boolean } = { hits: [], total: 0, whole: false };
  const partial: Hit[] = [];
  await inEachFrame(page, async (frame) => {
    const query = { description, ...(near && { near }), limit: HITS_MAX };
    const { hits, total, whole } = await page.ask(frame, "described", query);
    const here = hits.map((hit) => ({ ...hit, frame }));
    if (!whole) partial.push(...here);
    if (!whole) return;
    found.whole = true;
    found.total += total;
    found.hits.push(...here);
  });
  return found.whole ? found : { hits: partial.slice(0, HITS_MAX), total: partial.length, whole: false };
}

function choice(hits: readonly Hit[], total: number, whole: boolean): string[] {
  if (hits.length === 0)
    return ["No element fits the description. Read the page with browser_snapshot, then give a ref."];
  const shown = hits.slice(0, HITS_MAX).map(({ line }) => line);
  return [
    whole
      ? `${total} elements fit. Call inspect_element again with the ref of one, or with near:`
      : "No element fits all words. The nearest:",
    ...shown,
  ];
}

async function inspect(
  page: Page,
  at: Located,
  { strictStability }: InspectElementRequest,
): Promise<Reply<"InspectElement">> {
  const options = { most: LOCATORS_MAX, ...(strictStability && { stability: STRICT }) };
  const found = await orDetached(page, at, locatorsOf(page, at, options));
  if (found.state !== "found") throw await missingElement(page, at);
  // The answer came in passing, so the ref's document is read now.
  await page.ask(at.frame, "resolve", at.ref);
  const { element } = found;
  const locators = codeOf(found);
  await page.tab.readTitle();
  const head = `${at.ref} ${named(element)} <${element.tag}> [ref=${at.ref}]`;
  const text = [pageLine(page), "", head, ...linesOf(found, locators, strictStability)].join("\n");
  return {
    text,
    element: { ref: at.ref, role: element.role, name: element.name, tag: element.tag },
    locators,
  };
}

function codeOf({
  locators,
  frames,
  shadowed,
}: Extract<FramedLocators, { state: "found" }>): ElementLocator[] {
  const isPlain = frames.length === 0 && !shadowed;
  return locators.map(({ kind, stability, parts, css }) => ({
    kind,
    stability,
    playwright: playwrightCode({ frames, parts }),
    testingLibrary: isPlain ? testingLibraryCode(parts) : "",
    css: css ?? "",
  }));
}

function linesOf(
  { closed }: Extract<FramedLocators, { state: "found" }>,
  locators: readonly ElementLocator[],
  strict = false,
): string[] {
  if (closed) return ["It lies in a closed shadow root: no locator of a test tool reaches it."];
  if (locators.length === 0) return [strict ? NONE_STRICT : "No locator matches it alone."];
  const lines = locators.flatMap(({ kind, stability, playwright, testingLibrary, css }, index) => [
    `${index + 1}. ${kind}, stability ${stability}`,
    `   Playwright: ${playwright}`,
    ...(testingLibrary ? [`   Testing Library: ${testingLibrary}`] : []),
    ...(css ? [`   CSS: ${quote(css)}`] : []),
  ]);
  return [...lines, "Each matches exactly this element now."];
}

const NONE_STRICT = "No stable locator matches it alone. Without strictStability there may be others.";
