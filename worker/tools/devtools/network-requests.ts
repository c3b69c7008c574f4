// browser_network_requests: lists the requests of a tab's pages. They come from memory, so the page is not asked.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { NetworkRequestsRequest } from "../../../proto/gen/troupe.ts";
import { counted } from "../../../proto/text/counted.ts";
import type { LoggedRequest } from "../../network/logged-request.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";
import { keptTab } from "./kept-tab.ts";
import { infoOf, isPending, requestLine } from "./request-words.ts";

const LIMIT_DEFAULT = 50;

/** A page has many of these, and they seldom say why it does not work. */
const FILES: ReadonlySet<string> = new Set([
  "stylesheet",
  "image",
  "media",
  "font",
  "script",
  "manifest",
  "prefetch",
  "preflight",
  "other",
]);

export const networkRequests: ToolHandler<"NetworkRequests"> = async (request, context) => {
  const hasStatus = statusTest(request.status);
  const page = await keptTab(request.tab, context);
  if (!page)
    return { text: "No tab is open in this role, so there are no requests.", requests: [], total: 0 };
  const { tab } = page;
  const all = tab.requests.requests;
  const isAsked = request.filter !== undefined || request.status !== undefined;
  const fitting = (await filtered(all, request, page, context)).filter(hasStatus);
  const wanted = isAsked ? fitting : fitting.filter((each) => !isPlainFile(each));
  const shown = wanted.slice(-(request.limit ?? LIMIT_DEFAULT));
  const forgotten = tab.requests.count - all.length;
  const lines = [
    ...(wanted.length > shown.length ? [`The last ${shown.length} of ${wanted.length} requests:`] : []),
    ...shown.flatMap((each) => [...(each.isNavigation ? ["Navigation:"] : []), requestLine(each, tab)]),
    ...filesLine(fitting.length - wanted.length),
    ...(forgotten > 0 ? [`${counted(forgotten, "older request")} no longer kept`] : []),
  ];
  return {
    text: lines.length > 0 ? lines.join("\n") : "No requests.",
    requests: shown.map((each) => infoOf(each, tab)),
    total: wanted.length,
    shown: page,
  };
};

function isPlainFile(request: LoggedRequest): boolean {
  const { type, failure, answer } = request;
  return FILES.has(type) && failure === undefined && (answer?.status ?? 0) < 400 && !isPending(request);
}

function filesLine(count: number): string[] {
  return count > 0
    ? [`${counted(count, "file")} not listed, such as scripts and images (filter: "." lists all)`]
    : [];
}

/** The expression meets addresses without their secrets, so that it cannot find out a secret. */
async function filtered(
  requests: readonly LoggedRequest[],
  { filter }: NetworkRequestsRequest,
  page: Page,
  { threads }: ToolContext,
): Promise<readonly LoggedRequest[]> {
  if (filter === undefined) return requests;
  const texts = requests.map((each) => {
    const { method, url, type } = infoOf(each, page.tab);
    return `${method} ${url} ${type}`;
  });
  const searching = threads.search("filter", { pattern: filter, texts });
  const found = new Set((await page.during(searching, { haltInterrupts: false })).map(({ index }) => index));
  return requests.filter((_request, index) => found.has(index));
}

/** Returns the test for a status such as `404`, `4xx`, `failed` or `pending`. */
export function statusTest(status: string | undefined): (request: LoggedRequest) => boolean {
  const word = status?.trim().toLowerCase();
  if (word === undefined) return () => true;
  if (word === "pending") return isPending;
  if (word === "failed")
    return ({ failure, answer }) => failure !== undefined || (answer?.status ?? 0) >= 400;
  const digits = /^[1-5](?:\d\d|xx)$/.test(word) ? word.replace(/x/g, "") : undefined;
  if (digits !== undefined) return ({ answer }) => String(answer?.status ?? "").startsWith(digits);
  throw fail("INVALID_ARGUMENT", {
    argument: "status",
    problem: "status is neither a status code nor a word for one",
    allowed: ["404", "4xx", "5xx", "failed", "pending"],
  });
}
