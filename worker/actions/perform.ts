// Runs an action from beginning to end: sends real input, waits until it has settled, and reports what changed.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import type { Reaction } from "../activity/reaction.ts";
import { AGAIN_MS_MAX, FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { timeLeftMs } from "../core/time-left.ts";
import type { SnapshotRecord } from "../refs/delivered.ts";
import type { Session } from "../session/session.ts";
import { haltLine } from "../snapshot/notes.ts";
import { changesSince, takeSnapshotIfPossible, wholePage } from "../snapshot/reply.ts";
import { haltError, isHalt } from "../tab/interrupts.ts";
import { Page } from "../tab/page.ts";
import { scriptTimeOf } from "../tab/page-metrics.ts";
import type { Tab } from "../tab/tab.ts";
import { takeBlocked } from "./blocked-document.ts";
import { react, settled } from "./settle.ts";

/** An action in words, such as `Clicked e5 button "Add to cart"`, and the other fields of its reply. */
export interface Done<T extends object> {
  said: string;
  fields: T;
}

/**
 * Sends trusted input that may never be answered. A dialog, a breakpoint or the tab's end ends the wait.
 * `heard`: a script of the page may already have had an event of the action. `clicks`: the input is a click. `scrolls`:
 * the input may scroll the page. `asks`: asks the page about the input, once that has been sent.
 */
export type SendInput = (input: () => Promise<void>, options?: SendOptions) => Promise<void>;

interface SendOptions {
  heard?: boolean;
  clicks?: boolean;
  scrolls?: boolean;
  asks?: () => Promise<void>;
}

/**
 * Runs an action and returns the tool's whole reply, with its consequences. The action resolves when its input has been
 * sent. A dialog, a pause, a new document or the tab's end is a consequence, not a failure. Throws NAVIGATION_BLOCKED if it
 * leads to a document that the role may not open.
 */
export async function perform<T extends object>(
  page: Page,
  session: Session,
  action: (send: SendInput) => Promise<Done<T>>,
): Promise<{ text: string; shown: Page } & T> {
  const state = await stateBefore(page, session);
  using reaction = react(page);
  const { said, fields } = await carryOut(page, reaction, action);
  return { ...(await consequences(page, session, { ...state, said })), ...fields };
}

/** Notes the state before an action. Throws if the page is halted. */
export async function stateBefore(page: Page, session: Session): Promise<State> {
  const { tab } = page;
  if (tab.halt) throw haltError(tab.halt);
  const before = tab.delivered.snapshot ?? (await takeSnapshotIfPossible(page));
  tab.unreported.take("blocked");
  return { before, tabsBefore: new Set(session.tabs.open) };
}

/** Sends an action's input and waits until it has settled. */
export async function carryOut<T extends object>(
  page: Page,
  reaction: Reaction,
  action: (send: SendInput) => Promise<Done<T>>,
): Promise<Done<T>> {
  // A script may have had an event before the input: a field gets the focus first.
  const ranBefore = scriptTime(page);
  // An action that sends input gets the failure itself.
  ranBefore.catch(() => undefined);
  const done = await action((input, options) => sendInput(page, reaction, ranBefore, input, options));
  await settled(page, reaction);
  return done;
}

const STILL_LEAVING =
  "Another page is on its way, but its server has not answered yet; browser_snapshot waits for it.";

const SILENT = "The page does not answer since then; browser_snapshot looks again.";

/**
 * The bridge's hit guard adds 1 to 3 µs to a click's script time. A page's listener that starts a timer adds 13 µs or
 * more.
 */
const GUARD_S_MAX = 3.5e-6;

async function sendInput(
  page: Page,
  reaction: Reaction,
  ranBefore: Promise<ScriptTime | undefined>,
  input: () => Promise<void>,
  { heard = false, clicks = false, scrolls = false, asks }: SendOptions = {},
): Promise<void> {
  const before = heard ? undefined : await ranBefore;
  const { notes } = page.call;
  if (notes) await within(page.call, notes.kept());
  const open = page.tab.halt;
  try {
    await input();
  } catch (error) {
    const byHalt = isHalt(error) && !open && page.tab.halt;
    if (!byHalt && !(await hasClosed(page, error))) throw error;
  }
  reaction.caused("input");
  reaction.scrolls ||= scrolls;
  // Both questions leave in one write, and the count comes first.
  const [after] = await Promise.all([before && scriptTime(page), asks?.()]);
  const ranS = before ? ranSince(before, after) : Number.POSITIVE_INFINITY;
  const unheard = ranS <= (clicks ? GUARD_S_MAX : 0);
  reaction.unheard = unheard && reaction.unheard !== false;
}

/** How long a document's scripts have run, in seconds. */
interface ScriptTime {
  loaderId: string;
  ranS: number;
}

/** Another document may have a process of its own, whose count is another one. */
function ranSince(before: ScriptTime, after: ScriptTime | undefined): number {
  return after?.loaderId === before.loaderId ? after.ranS - before.ranS : Number.POSITIVE_INFINITY;
}

/**
 * Returns how long the page's scripts have run. Returns undefined if that proves nothing: another page is coming, or
 * scripts run in other processes too.
 */
async function scriptTime(page: Page): Promise<ScriptTime | undefined> {
  const { tab } = page;
  if (tab.halt || !tab.isOpen || tab.activity.navigating || !tab.frames.inOneProcess) return undefined;
  try {
    const ranS = await page.during(scriptTimeOf(tab.client));
    return { loaderId: page.main().loaderId, ranS };
  } catch (error) {
    if (isGone(error) || isHalt(error) || !tab.isOpen) return undefined;
    throw error;
  }
}

/** The page that the session knows, and its tabs. */
export interface State {
  before: SnapshotRecord | undefined;
  tabsBefore: ReadonlySet<Tab>;
}

/** The action in words, and the state before it. */
interface Before extends State {
  said: string;
}

/** Reports the settled action with its consequences: a new tab, the tab's end, a halt or changes. */
export async function consequences(
  page: Page,
  session: Session,
  { said, before, tabsBefore }: Before,
): Promise<{ text: string; shown: Page }> {
  const { tab } = page;
  const newest = session.tabs.open.filter((each) => !tabsBefore.has(each)).at(-1);
  if (newest) {
    const opened = await newTab(new Page(newest, page.call), session, said);
    if (opened) return opened;
  }
  const done = newest ? [said, `It opened tab ${newest.id}, which is closed again.`].join("\n") : said;
  try {
    if (tab.isOpen) return { text: await unlessBlocked(tab, () => changes(page, done, before)), shown: page };
  } catch (error) {
    // The page was halted or closed while it was being read.
    if (isHalt(error) && tab.halt) return { text: [done, haltLine(tab.halt)].join("\n"), shown: page };
    if (tab.isOpen) throw error;
  }
  session.losses.report(tab.id, "unknown");
  const shown = new Page(await session.currentTab(), page.call);
  return { text: await wholePage(shown, [done, `The tab ${tab.id} was closed.`]), shown };
}

/** Shows the new tab. Returns undefined if it closes before it is read, as one that only begins a download does. */
async function newTab(
  page: Page,
  session: Session,
  said: string,
): Promise<{ text: string; shown: Page } | undefined> {
  const { tab } = page;
  const opened = [said, `Opened tab ${tab.id}, which is the current one now.`];
  try {
    using reaction = react(page);
    await settled(page, reaction);
    if (!tab.isOpen) return undefined;
    if (tab.halt) return { text: [...opened, haltLine(tab.halt)].join("\n"), shown: page };
    return { text: await unlessBlocked(tab, () => wholePage(page, opened)), shown: page };
  } catch (error) {
    page.call.signal.throwIfAborted();
    // The new tab is empty and has always been.
    if (isTroupeError(error) && error.type === "NAVIGATION_BLOCKED") {
      if (tab.isOpen) await session.opener.discard(tab);
      await within(page.call, tab.interrupts.whenClosed);
      throw error;
    }
    if (!(await hasClosed(page, error))) throw error;
    return undefined;
  }
}

/**
 * Returns true if the tab is closed. If the error says that its document is gone, this waits for the tab's end, which
 * Chrome reports later.
 */
async function hasClosed(page: Page, error: unknown): Promise<boolean> {
  const { tab } = page;
  if (!tab.isOpen || !isGone(error)) return !tab.isOpen;
  try {
    await page.nextDocument();
  } catch (failed) {
    if (tab.isOpen) throw failed;
  }
  return !tab.isOpen;
}

/** Reports a blocked document before the page that is left, even if the block comes to light during the read. */
async function unlessBlocked<T>(tab: Tab, read: () => Promise<T>): Promise<T> {
  const before = takeBlocked(tab);
  if (before) throw before;
  const seen = await read();
  const meanwhile = takeBlocked(tab);
  if (meanwhile) throw meanwhile;
  return seen;
}

async function changes(page: Page, said: string, before: SnapshotRecord | undefined): Promise<string> {
  const { tab } = page;
  if (tab.halt) return [said, haltLine(tab.halt)].join("\n");
  if (tab.activity.navigating) return [said, STILL_LEAVING].join("\n");
  try {
    const isSilent = page.call.silentPage === page;
    const timeMs = Math.min(
      timeLeftMs(page.call, "changes"),
      isSilent ? AGAIN_MS_MAX : Number.POSITIVE_INFINITY,
    );
    return await withinTime(() => changesSince(page, before, [said]), timeMs);
  } catch (error) {
    if (!(error instanceof FrameTimeout)) throw error;
    return [said, tab.activity.navigating ? STILL_LEAVING : SILENT].join("\n");
  }
}
