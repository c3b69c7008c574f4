// browser_find: finds elements by text, regular expression, or role and name, and gives each a ref.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { FindRequest } from "../../../proto/gen/troupe.ts";
import type { Found, Query } from "../../bridge/api/bridge-api.ts";
import { FrameTimeout, frameTimeMs, withinTime } from "../../core/frame-time.ts";
import { DocumentGone } from "../../core/gone.ts";
import { readUnseen } from "../../outside/unseen.ts";
import { probeChanges } from "../../snapshot/change-probe.ts";
import { pageLine } from "../../snapshot/reply.ts";
import type { Frame } from "../../tab/frames/frame.ts";
import type { Page } from "../../tab/page.ts";
import type { Threads } from "../../threads/threads.ts";
import type { ToolHandler } from "../tool.ts";

const LIMIT_DEFAULT = 10;

export const find: ToolHandler<"Find"> = async (request, { page: open, threads, call }) => {
  if (!request.text && !request.regex && !request.ariaRole && !request.name) {
    throw fail("INVALID_ARGUMENT", {
      argument: "text",
      problem: "there is nothing to find",
      hint: "with text, regex, ariaRole or name",
    });
  }
  const page = await open();
  page.detail = "lines";
  const limit = request.limit ?? LIMIT_DEFAULT;
  call.waitsFor = "the page's content";
  const found: Found = { hits: [], total: 0 };
  const silent: string[] = [];
  for (const frame of [page.main(), ...page.tab.frames.children]) {
    const inFrame = await orSilent(page, frame, () =>
      findIn(page, frame, request, limit - found.hits.length, threads),
    );
    if (!inFrame) silent.push(`f${frame.number}`);
    found.hits.push(...(inFrame?.hits ?? []));
    found.total += inFrame?.total ?? 0;
  }
  await page.tab.readTitle();
  const left = silent.length ? [`Not searched, as they do not answer: frames ${silent.join(", ")}`] : [];
  return { text: [pageLine(page), "", ...linesOf(found, request), ...left].join("\n"), total: found.total };
};

/** Leaves out a child frame that hangs. */
async function orSilent(page: Page, frame: Frame, search: () => Promise<Found>): Promise<Found | undefined> {
  if (frame.number === 0) return await search();
  if (!frame.loaderId) return undefined;
  try {
    return await withinTime(search, frameTimeMs(page.call));
  } catch (error) {
    if (error instanceof FrameTimeout) return undefined;
    throw error;
  }
}

async function findIn(
  page: Page,
  frame: Frame,
  request: FindRequest,
  limit: number,
  threads: Threads,
): Promise<Found> {
  const { text, regex, ariaRole, name } = request;
  const query: Query = {
    ...(text && { text }),
    ...(ariaRole && { role: ariaRole }),
    ...(name && { name }),
    limit: Math.max(0, limit),
  };
  try {
    const probe = (await probeChanges(page, frame, page.tab.delivered.snapshot?.frames)).get(frame);
    const styleMoved = probe?.styleMoved ?? true;
    if (probe) await readUnseen(page, frame, probe);
    query.styleMoved = styleMoved;
    if (regex) {
      const { texts, lines } = await page.ask(frame, "findable", styleMoved);
      query.styleMoved = false;
      const matches = await page.during(threads.search("regex", { pattern: regex, texts }));
      if (matches.length === 0) return { hits: [], total: 0 };
      query.lines = matches.map(({ index, match }) => ({ line: lines[index] ?? -1, match }));
    }
    const found = await page.ask(frame, "find", query);
    if (probe) frame.styleCount = probe.styleCount;
    return found;
  } catch (error) {
    // A frame that went away meanwhile holds nothing to find.
    if (error instanceof DocumentGone && frame.number > 0) return { hits: [], total: 0 };
    throw error;
  }
}

/** Writes each path once: hits with a common beginning stand below it. */
function linesOf({ hits, total }: Found, { regex }: FindRequest): string[] {
  if (hits.length === 0) return [regex ? NO_MATCH : NOTHING];
  const lines: string[] = [];
  let shown: string[] = [];
  for (const { path, line } of hits) {
    const shared = sharedLength(shown, path);
    for (let depth = shared; depth < path.length; depth++) lines.push("  ".repeat(depth) + path[depth]);
    lines.push("  ".repeat(path.length) + line);
    shown = path;
  }
  const more = total - hits.length;
  return [...lines, "", `${total} found${more > 0 ? `, ${more} not shown (limit shows more)` : ""}`];
}

const NOTHING = "Nothing found. Check the words, or read the page with browser_snapshot.";
const NO_MATCH =
  "Nothing found. regex is matched against each element's name, and against its text, without role, ref or attributes.";

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
