// The whole tree of a tab: the main frame's, with those of its frames put in where their iframes stand.

import type { FrameHole, Tree, TreeOptions } from "./bridge/api.ts";
import { missingElement } from "./element.ts";
import { frameTimeMs, withinTime } from "./frame-time.ts";
import type { Frame } from "./frames.ts";
import { DocumentGone, isGone } from "./gone.ts";
import type { Located, Page } from "./page.ts";

/** Frames beyond this are left out, and said. */
const FRAMES_MAX = 200;

/** What a tree is asked for with. */
export type TreeRequest = Pick<TreeOptions, "depth" | "interactiveOnly"> & { at?: Located };

/** Lines of the tree, two spaces a level. */
export interface WholeTree {
  lines: string[];
  elementCount: number;
  /** The main document. */
  loaderId: string;
}

/** Reads the tree. A main document that goes away meanwhile is read again as the new one. */
export async function readTree(page: Page, request: TreeRequest = {}): Promise<WholeTree> {
  page.call.waitsFor = "the page's content";
  for (;;) {
    try {
      return await readOnce(page, request);
    } catch (error) {
      if (!isGone(error) || request.at) throw error;
    }
  }
}

async function readOnce(page: Page, { at, ...options }: TreeRequest): Promise<WholeTree> {
  const frame = at?.frame ?? page.main();
  const budget = { frames: FRAMES_MAX };
  const tree = await page.ask(frame, "tree", {
    ...options,
    prefix: page.prefixOf(frame),
    ...(at && { ref: at.local }),
  });
  if (tree.missing && at) throw await missingElement(page, at);
  const { lines, elementCount } = await expand(page, frame, tree, options, budget);
  return { lines, elementCount, loaderId: page.main().loaderId };
}

type Expanded = Pick<WholeTree, "lines" | "elementCount">;

async function expand(
  page: Page,
  frame: Frame,
  tree: Tree,
  options: TreeRequest,
  budget: { frames: number },
): Promise<Expanded> {
  const lines = tree.text === "" ? [] : tree.text.split("\n");
  if (tree.frames.length === 0) return { lines, elementCount: tree.elementCount };
  const inside = await childrenByRef(page, frame);
  const parts = await Promise.all(
    tree.frames.map((hole) => contentOf(page, inside.get(hole.ref), hole, options, budget)),
  );
  return splice(lines, tree, parts);
}

function splice(lines: string[], tree: Tree, parts: (Expanded | undefined)[]): Expanded {
  let { elementCount } = tree;
  const result: string[] = [];
  let from = 0;
  tree.frames.forEach((hole, index) => {
    const part = parts[index];
    result.push(...lines.slice(from, hole.line));
    from = hole.line + 1;
    const own = lines[hole.line] ?? "";
    const indent = "  ".repeat(hole.level + 1);
    result.push(part?.lines.length ? `${own}:` : own);
    for (const line of part?.lines ?? []) result.push(indent + line);
    elementCount += part?.elementCount ?? 0;
  });
  for (let index = from; index < lines.length; index++) result.push(lines[index] ?? "");
  return { lines: result, elementCount };
}

async function childrenByRef(page: Page, frame: Frame): Promise<Map<string, Frame>> {
  const children = page.tab.frames.children.filter((child) => child.parent === frame);
  const refs = await Promise.all(children.map((child) => page.ownerRef(child)));
  return new Map(
    children.flatMap((child, index) =>
      refs[index] ? [[page.prefixOf(frame) + refs[index], child] as const] : [],
    ),
  );
}

/** The lines of a frame's content, without indentation; a frame that cannot be read says why, and is recorded. */
async function contentOf(
  page: Page,
  frame: Frame | undefined,
  hole: FrameHole,
  options: TreeRequest,
  budget: { frames: number },
): Promise<Expanded | undefined> {
  if (!frame) return undefined;
  const depth = options.depth === undefined ? undefined : options.depth - hole.level - 1;
  if (depth !== undefined && depth < 1) return undefined;
  if (budget.frames-- <= 0)
    return { lines: [`- … not read: more than ${FRAMES_MAX} frames`], elementCount: 0 };
  // It shows nothing yet: whoever wants to wait for it waits for what it is to show.
  if (!frame.loaderId) return notReachable(page, hole, new Error("timeout: its server has not answered yet"));
  try {
    const request = { ...options, ...(depth !== undefined && { depth }) };
    const content = await withinTime(
      async () => {
        const tree = await page.ask(frame, "tree", { ...request, prefix: page.prefixOf(frame) });
        return await expand(page, frame, tree, request, budget);
      },
      frameTimeMs(page.call, page.tab.failures.isUnexpanded(page.tab, hole.ref)),
    );
    page.tab.failures.frameExpanded(page.tab, hole.ref);
    return content;
  } catch (error) {
    if (page.call.signal.aborted || page.tab.dialog || !(error instanceof Error)) throw error;
    return notReachable(page, hole, error instanceof DocumentGone ? new Error("detached") : error);
  }
}

function notReachable(page: Page, hole: FrameHole, error: Error): Expanded {
  page.tab.failures.frameNotExpanded(page.tab, hole.ref, error);
  return { lines: [`- … not reachable: ${error.message}`], elementCount: 0 };
}
