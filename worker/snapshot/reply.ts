// Writes what every reply says besides its own result: its page, and what a reader must know of that page.

import type { PageInfo } from "../../proto/gen/troupe.ts";
import { withoutUserinfo } from "../../proto/text/quote.ts";
import { isGone } from "../core/gone.ts";
import { readPdfs } from "../outside/pdf.ts";
import type { Delivered, SnapshotRecord } from "../refs/delivered.ts";
import { afterAction, afterPage } from "../refs/shown.ts";
import { isHalt } from "../tab/interrupts.ts";
import type { Page } from "../tab/page.ts";
import { halfOf, isCut, leftLine, roomBelow, withinBudget } from "./budget.ts";
import { factLines, notes } from "./notes.ts";
import { moreWays, tokensFor } from "./profile-words.ts";
import { quote, shownUrl } from "./quote.ts";
import { readTree, type Seen, type TreeRequest } from "./tree.ts";

/** Describes the page of a reply. */
export function pageInfo({ tab, call }: Page): PageInfo {
  return {
    role: call.role,
    session: call.session,
    tab: tab.id,
    url: withoutUserinfo(tab.url),
    title: tab.title,
    snapshotId: tab.delivered.snapshot?.id ?? 0,
    warnings: tab.failures.warnings(tab) ?? null,
  };
}

/** For example: `Page "Orders" https://… (tab t1, role customer)`. */
export function pageLine({ tab, call }: Page): string {
  return `Page ${quote(tab.title)} ${shownUrl(tab.url)} (tab ${tab.id}, role ${call.role})`;
}

/**
 * Reads the page and its title, and remembers this as a snapshot. With an earlier snapshot, it reads only the changes
 * since.
 */
export async function takeSnapshot(
  page: Page,
  since?: SnapshotRecord,
  { delivered = page.tab.delivered, ...request }: SnapshotOptions = {},
): Promise<{ seen: Seen; now: SnapshotRecord }> {
  const { tab } = page;
  await readPdfs(page);
  const reading = readTree(page, { ...request, since: since?.frames });
  const [seen] = await Promise.all([reading, tab.readTitle()]);
  const { elementCount, loaderId, frames } = seen;
  const { url, title } = tab;
  return { seen, now: delivered.remember({ frames, elementCount, loaderId, url, title }) };
}

/** `delivered`: the record that remembers the snapshot, if it is not for the session's own replies. */
export interface SnapshotOptions extends Pick<TreeRequest, "room" | "offset" | "watching"> {
  delivered?: Delivered;
}

/** Writes what was done, the page's line, and the page's tree within half of the budget. */
export async function wholePage(page: Page, said: readonly string[] = []): Promise<string> {
  page.call.beforeReading?.();
  const { delivered } = page.tab;
  const maxTokens = halfOf(tokensFor(page.call));
  const { seen } = await takeSnapshot(page, undefined, { room: roomFor(page, said, maxTokens) });
  const { text, lacks } = pageText(page, seen, { said, maxTokens });
  delivered.shown = afterPage(delivered.shown, seen.loaderId, lacks);
  return text;
}

/** Returns how many characters such a reply has for the page's tree. */
export function roomFor(page: Page, said: readonly string[] = [], maxTokens?: number): number | undefined {
  const { profile } = page.call;
  const head = [...said, pageLine(page), "", leftLine(0, moreWays(profile))];
  return roomBelow(head, tokensFor(page.call, maxTokens));
}

/** A reply's text. `lacks`: it was too long, so parts were left out. */
export interface Fitted {
  text: string;
  lacks: boolean;
}

/** Writes the page's tree within the budget, between the page's line and its notes. */
export function pageText(
  page: Page,
  { text, left }: Pick<Seen, "text" | "left">,
  { said = [], maxTokens }: TextOptions = {},
): Fitted {
  const { profile } = page.call;
  const ways = moreWays(profile);
  const head = [...said, pageLine(page), "", ...(left > 0 ? [leftLine(left, ways)] : [])];
  const parts = { head, tree: text, tail: notes(page), ways };
  const tokens = tokensFor(page.call, maxTokens);
  return { text: withinBudget(parts, tokens), lacks: left > 0 || isCut(parts, tokens) };
}

/** `said`: lines that come first and count in the budget. */
export interface TextOptions {
  said?: readonly string[];
  maxTokens?: number | undefined;
}

/**
 * Writes what was done, then the changes since the snapshot. It writes the whole page if the document is another, or if
 * that is shorter.
 */
export async function changesSince(
  page: Page,
  before: SnapshotRecord | undefined,
  said: readonly string[],
): Promise<string> {
  if (!before || before.loaderId !== page.main().loaderId) return await wholePage(page, said);
  page.call.beforeReading?.();
  const { delivered } = page.tab;
  const { seen, now } = await takeSnapshot(page, before, { room: roomFor(page, said) });
  if (seen.kind === "full") {
    delivered.shown = afterPage(delivered.shown, seen.loaderId, false);
    return pageText(page, seen, { said }).text;
  }
  const moved = before.url !== now.url || before.title !== now.title ? [pageLine(page)] : [];
  if (seen.text !== "") {
    const { text, lacks } = deltaText(page, before, now, seen.text, { said: [...said, ...moved] });
    delivered.shown = afterAction(delivered.shown, lacks);
    return text;
  }
  delivered.shown = afterAction(delivered.shown, false);
  return [
    ...said,
    ...moved,
    `Nothing ${moved.length ? "else " : ""}changed on the page.`,
    ...notes(page),
  ].join("\n");
}

/** Writes a delta within the budget. */
export function deltaText(
  page: Page,
  before: SnapshotRecord,
  after: SnapshotRecord,
  delta: string,
  { said = [], maxTokens }: TextOptions,
): Fitted {
  const { profile } = page.call;
  const head = [...said, deltaLine(before, after)];
  const parts = { head, tree: delta, tail: notes(page), ways: moreWays(profile) };
  const tokens = tokensFor(page.call, maxTokens);
  // The text need not hold the lines around a changed line.
  page.detail = "lines";
  // Changes that were cut off are not delivered. A reader of the earlier snapshot then no longer knows the page as it
  // is now.
  const lacks = isCut(parts, tokens);
  if (lacks) for (const tree of page.trees.values()) delete tree.since;
  return { text: withinBudget(parts, tokens), lacks };
}

function deltaLine(before: SnapshotRecord, after: SnapshotRecord): string {
  const elements = after.elementCount.toLocaleString("en-US");
  return `changed since snapshot ${before.id} (snapshot ${after.id}, ${elements} elements; browser_snapshot full=true shows all):`;
}

/** Marks the text as delivered to the session. Its refs are valid from now on, and its notes need no repeating. */
export function deliver({ tab, call, worlds, trees, detail }: Page, text: string): void {
  tab.delivered.deliver(text, worlds, trees, detail);
  for (const { fact, line } of factLines(tab, call.profile))
    if (text.includes(line)) tab.unreported.take(fact);
}

/** Takes an optional snapshot. If that is impossible now, this reply or the next call says why. */
export async function takeSnapshotIfPossible(page: Page): Promise<SnapshotRecord | undefined> {
  try {
    return (await takeSnapshot(page)).now;
  } catch (error) {
    if (isGone(error) || isHalt(error)) return undefined;
    throw error;
  }
}
