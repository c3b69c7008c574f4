// What every reply says besides its own result: which page it speaks of, and what a reader must know of it.

import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { PageInfo } from "../../proto/gen/troupe.ts";
import { withoutUserinfo } from "../../proto/text/quote.ts";
import { isGone } from "../core/gone.ts";
import { readPdfs } from "../outside/pdf.ts";
import type { Delivered, SnapshotRecord } from "../refs/delivered.ts";
import { afterAction, afterPage } from "../refs/shown.ts";
import type { Page } from "../tab/page.ts";
import { halfOf, isCut, leftLine, roomBelow, withinBudget } from "./budget.ts";
import { changingLine, downloadLine, FILES_LINE, FILLING, notes, STOPPED } from "./notes.ts";
import { moreWays, tokensFor } from "./profile-words.ts";
import { quote, shownUrl } from "./quote.ts";
import { readTree, type Seen, type TreeRequest } from "./tree.ts";

/** The page that a reply speaks of. */
export function pageInfo({ tab, call }: Page): PageInfo {
  return {
    role: call.role,
    session: call.session,
    tab: tab.id,
    url: withoutUserinfo(tab.url),
    title: tab.title,
    snapshotId: tab.told.look?.id ?? 0,
    warnings: tab.failures.warnings(tab) ?? null,
  };
}

/** `Page "Orders" https://… (tab t1, role customer)`. */
export function pageLine({ tab, call }: Page): string {
  return `Page ${quote(tab.title)} ${shownUrl(tab.url)} (tab ${tab.id}, role ${call.role})`;
}

/** Looks at the page and its title, for what changed since an earlier look where one is given: later changes are told against this one. */
export async function takeSnapshot(
  page: Page,
  since?: SnapshotRecord,
  { told = page.tab.told, ...request }: SnapshotOptions = {},
): Promise<{ seen: Seen; now: SnapshotRecord }> {
  const { tab } = page;
  await readPdfs(page);
  const reading = readTree(page, { ...request, since: since?.frames });
  const [seen] = await Promise.all([reading, tab.readTitle()]);
  const { elementCount, loaderId, frames } = seen;
  const { url, title } = tab;
  return { seen, now: told.remember({ frames, elementCount, loaderId, url, title }) };
}

/** `told`: what remembers the look, where it is not for the session's own replies. */
export interface SnapshotOptions extends Pick<TreeRequest, "room" | "offset" | "watching"> {
  told?: Delivered;
}

/** What was done, then the page's tree within half of the budget, headed by its line. */
export async function wholePage(page: Page, said: readonly string[] = []): Promise<string> {
  const { told } = page.tab;
  const maxTokens = halfOf(tokensFor(page.call));
  const { seen } = await takeSnapshot(page, undefined, { room: roomFor(page, said, maxTokens) });
  const { text, lacks } = pageText(page, seen, { said, maxTokens });
  told.shown = afterPage(told.shown, seen.loaderId, lacks);
  return text;
}

/** How many characters there are for the page's tree in such a reply. */
export function roomFor(page: Page, said: readonly string[] = [], maxTokens?: number): number | undefined {
  const { profile } = page.call;
  const head = [...said, pageLine(page), "", leftLine(0, 0, moreWays(profile))];
  return roomBelow(head, tokensFor(page.call, maxTokens));
}

/** A reply's text; `lacks`: it was too long, and parts were left out. */
export interface Fitted {
  text: string;
  lacks: boolean;
}

/** The page's tree within the budget, between the page's line and what there is to say of it. */
export function pageText(
  page: Page,
  { text, left, elementCount }: Pick<Seen, "text" | "left" | "elementCount">,
  { said = [], maxTokens }: TextOptions = {},
): Fitted {
  const { profile } = page.call;
  const ways = moreWays(profile);
  const head = [...said, pageLine(page), "", ...(left > 0 ? [leftLine(left, elementCount, ways)] : [])];
  const parts = { head, tree: text, tail: notes(page), ways };
  const tokens = tokensFor(page.call, maxTokens);
  return { text: withinBudget(parts, tokens), lacks: left > 0 || isCut(parts, tokens) };
}

/** `said`: lines that come first, and count in the budget. */
export interface TextOptions {
  said?: readonly string[];
  maxTokens?: number | undefined;
}

/** What was done, then what changed since the look; the whole page where the document is another, or where it is shorter. */
export async function changesSince(
  page: Page,
  before: SnapshotRecord | undefined,
  said: readonly string[],
): Promise<string> {
  if (!before || before.loaderId !== page.main().loaderId) return await wholePage(page, said);
  const { told } = page.tab;
  const { seen, now } = await takeSnapshot(page, before, { room: roomFor(page, said) });
  if (seen.kind === "full") {
    told.shown = afterPage(told.shown, seen.loaderId, false);
    return pageText(page, seen, { said }).text;
  }
  const moved = before.url !== now.url || before.title !== now.title ? [pageLine(page)] : [];
  if (seen.text !== "") {
    const { text, lacks } = deltaText(page, before, now, seen.text, { said: [...said, ...moved] });
    told.shown = afterAction(told.shown, lacks);
    return text;
  }
  told.shown = afterAction(told.shown, false);
  return [
    ...said,
    ...moved,
    `Nothing ${moved.length ? "else " : ""}changed on the page.`,
    ...notes(page),
  ].join("\n");
}

/** A delta within the budget. */
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
  // What stands around a changed line need not stand in the text.
  page.tells = "lines";
  // What is cut off is not told: who knew the page as it was before does not know it as it is now.
  const lacks = isCut(parts, tokens);
  if (lacks) for (const tree of page.trees.values()) delete tree.since;
  return { text: withinBudget(parts, tokens), lacks };
}

function deltaLine(before: SnapshotRecord, after: SnapshotRecord): string {
  const elements = after.elementCount.toLocaleString("en-US");
  return `changed since snapshot ${before.id} (snapshot ${after.id}, ${elements} elements; browser_snapshot full=true shows all):`;
}

/** The text goes to the session: the refs in it may be used from now on, and a download in it has been told. */
export function deliver({ tab, worlds, trees, tells }: Page, text: string): void {
  tab.told.deliver(text, worlds, trees, tells);
  if (text.includes(FILLING)) tab.isFilling = false;
  const { changingMs } = tab.activity;
  if (changingMs !== undefined && text.includes(changingLine(changingMs)))
    tab.activity.changingMs = undefined;
  if (text.includes(STOPPED)) tab.activity.isStopped = false;
  if (tab.download && text.includes(downloadLine(tab.download))) tab.download = undefined;
  if (text.includes(FILES_LINE)) tab.askedForFiles = false;
}

/** A look that is nice to have: what makes it impossible now is said by the reply, or by the next call. */
export async function takeSnapshotIfPossible(page: Page): Promise<SnapshotRecord | undefined> {
  try {
    return (await takeSnapshot(page)).now;
  } catch (error) {
    if (isGone(error) || (isTroupeError(error) && error.type === "DIALOG_OPEN")) return undefined;
    throw error;
  }
}
