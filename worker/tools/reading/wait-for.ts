// browser_wait_for: waits until a text appears or goes, until an element reaches a state, or for a time. The page's own
// events end the wait.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { WaitForRequest } from "../../../proto/gen/troupe.ts";
import { within } from "../../../proto/machine/within.ts";
import { detached } from "../../actions/element.ts";
import { settled, watched } from "../../actions/settle.ts";
import type { Waiting } from "../../approvals/approvals.ts";
import type { Condition, Waited } from "../../bridge/api/bridge-api.ts";
import { CALL_MS_DEFAULT } from "../../core/call.ts";
import { FrameTimeout, withinTime } from "../../core/frame-time.ts";
import { isGone } from "../../core/gone.ts";
import { timeLeftMs } from "../../core/time-left.ts";
import { missingElement } from "../../snapshot/actionability-error.ts";
import { quote, shownUrl } from "../../snapshot/quote.ts";
import { changesSince, takeSnapshotIfPossible } from "../../snapshot/reply.ts";
import type { Frame } from "../../tab/frames/frame.ts";
import type { Page } from "../../tab/page.ts";
import type { Reply, ToolContext, ToolHandler } from "../tool.ts";

const SECONDS_DEFAULT = 10;
/** A frame that hangs cannot report that the time is up, so the worker waits this much longer. */
const GRACE_MS = 500;
/** The part of a call's time that a wait cannot have. */
const RESERVED_MS = 2_000;

const STATES = {
  ELEMENT_STATE_UNSPECIFIED: "visible",
  ELEMENT_STATE_VISIBLE: "visible",
  ELEMENT_STATE_HIDDEN: "hidden",
  ELEMENT_STATE_ENABLED: "enabled",
  ELEMENT_STATE_DISABLED: "disabled",
  ELEMENT_STATE_GONE: "gone",
} as const;

export const waitFor: ToolHandler<"WaitFor"> = async (request, context) => {
  const wish = wishOf(request, context);
  const waiting = wish.condition ? [] : context.role.approvals.of(context.session.key);
  if (waiting.length > 0) return await personDecides(wish, waiting, context);
  const page = await context.page();
  const before = page.tab.delivered.snapshot ?? (await takeSnapshotIfPossible(page));
  const { said, timeMs } = await fulfilled(wish, page);
  return { text: await changesSince(page, before, [said]), timeMs };
};

/**
 * Waits for a person to decide about an action of the session, and then for what that leads to. Until then, Chrome may
 * pass no questions on to the page, because another one is on its way.
 */
async function personDecides(
  { beganAtMs, timeMs }: Wish,
  waiting: readonly Waiting[],
  context: ToolContext,
): Promise<Reply<"WaitFor">> {
  const { signal } = context.call;
  const outcome = await within({ timeMs, signal }, Promise.race(waiting.map(({ over }) => over)));
  const tookMs = () => Math.round(performance.now() - beganAtMs);
  if (!outcome) return { text: `Waited ${tookMs()} ms. Nobody has decided yet.`, timeMs: tookMs() };
  const page = await context.page();
  const before = page.tab.delivered.snapshot;
  using reaction = watched(page, true);
  await settled(page, reaction);
  return { text: await changesSince(page, before, [`Waited ${tookMs()} ms for a person`]), timeMs: tookMs() };
}

/** A wait that has begun. */
interface Wish extends What {
  ref: string | undefined;
  beganAtMs: number;
  timeMs: number;
}

/** Begins a wait. Throws INVALID_ARGUMENT for a request that is wrong on every page. */
export function wishOf(request: WaitForRequest, { call, role }: Pick<ToolContext, "call" | "role">): Wish {
  const what = conditionOf(request);
  const askedMs = boundedTime(request.time, role.config.callTimeoutMs || CALL_MS_DEFAULT);
  // The role's start and the calls before this one have already used part of the call's time.
  const timeMs = Math.max(0, Math.min(askedMs, timeLeftMs(call, "wish")));
  return { ...what, ref: request.ref, beganAtMs: performance.now(), timeMs };
}

/** Waits until the wish comes true. Throws TIMEOUT if it does not. */
export async function fulfilled(wish: Wish, page: Page): Promise<{ said: string; timeMs: number }> {
  const { condition, words, ref, beganAtMs, timeMs } = wish;
  page.call.waitsFor = words;
  const met = condition ? await wait(page, condition, ref, beganAtMs + timeMs) : await passed(page, timeMs);
  const tookMs = Math.round(performance.now() - beganAtMs);
  await page.tab.readTitle();
  if (met) return { said: `Waited ${tookMs} ms${condition ? ` for ${words}` : ""}`, timeMs: tookMs };
  throw fail("TIMEOUT", {
    waitedFor: words,
    afterMs: timeMs,
    page: `${quote(page.tab.title)} ${shownUrl(page.tab.url)}`,
  });
}

/** Without a condition, the call waits only for a time. */
interface What {
  condition?: Condition;
  words: string;
}

function conditionOf({ text, textGone, ref, time, state = "ELEMENT_STATE_VISIBLE" }: WaitForRequest): What {
  const given = [text, textGone, ref].filter(Boolean).length;
  if (given === 0 && time !== undefined) return { words: "the time to pass" };
  if (given !== 1) {
    throw fail("INVALID_ARGUMENT", {
      argument: "text",
      problem: "exactly one of text, textGone and ref is needed",
      hint: "with exactly one of text, textGone and ref",
      ...(given === 0 && { look: true }),
      // If several were given, the text is the most certain one to keep.
      ...(given > 1 && {
        corrected: text
          ? { text, textGone: null, ref: null, state: null }
          : { textGone: textGone ?? "", ref: null, state: null },
      }),
    });
  }
  if (text) return { condition: { text }, words: `the text ${JSON.stringify(text)} to appear` };
  if (textGone) return { condition: { textGone }, words: `the text ${JSON.stringify(textGone)} to go` };
  const wanted = STATES[state];
  return { condition: { ref: ref ?? "", state: wanted }, words: `${ref} to be ${wanted}` };
}

/** Returns the time asked for. Throws INVALID_ARGUMENT if it is longer than a call can take. */
function boundedTime(seconds: number | undefined, callTimeoutMs: number): number {
  const mostMs = callTimeoutMs - RESERVED_MS;
  if (seconds === undefined) return Math.min(SECONDS_DEFAULT * 1000, mostMs);
  if (seconds * 1000 <= mostMs) return seconds * 1000;
  throw fail("INVALID_ARGUMENT", {
    argument: "time",
    problem: `time is ${seconds}; a wait can take at most ${Math.floor(mostMs / 1000)} seconds`,
    hint: `with time at most ${Math.floor(mostMs / 1000)}`,
    corrected: { time: Math.floor(mostMs / 1000) },
  });
}

/** Waits the whole time, unless the page opens a dialog meanwhile. */
async function passed(page: Page, timeMs: number): Promise<true> {
  await page.during(within({ timeMs, signal: page.call.signal }, page.tab.interrupts.whenClosed));
  return true;
}

async function wait(
  page: Page,
  condition: Condition,
  ref: string | undefined,
  until: number,
): Promise<boolean> {
  if (ref !== undefined) return await waitForElement(page, ref, condition, until);
  try {
    return await withinTime(() => waitInFrames(page, condition, until), until - performance.now() + GRACE_MS);
  } catch (error) {
    if (error instanceof FrameTimeout) return false;
    throw error;
  }
}

/**
 * A text has appeared when any frame shows it. It is gone when no frame shows it. Frames that come meanwhile count too.
 */
async function waitInFrames(page: Page, condition: Condition, until: number): Promise<boolean> {
  const waits = new Map<string, Promise<Outcome>>();
  // One frame that shows the text proves that it has appeared. One frame that still shows it at the end proves that it
  // has not gone.
  const decisive = condition.textGone === undefined;
  for (;;) {
    const changed = page.during(page.tab.frames.changed(page.call.signal));
    // The race below may be over when this rejects. The next round then handles its cause.
    changed.catch(() => undefined);
    const worlds = worldsOf(page);
    for (const gone of [...waits.keys()].filter((id) => !worlds.has(id))) waits.delete(gone);
    for (const [id, frame] of worlds)
      if (!waits.has(id)) waits.set(id, waitIn(page, frame, condition, until));
    const isWhole = worlds.has(page.main().world?.uniqueId ?? "");
    const outcome = await Promise.race([decided([...waits.values()], decisive, isWhole), changed]);
    if (typeof outcome === "boolean") return outcome;
  }
}

function worldsOf({ tab }: Page): Map<string, Frame> {
  const { main, children } = tab.frames;
  const frames = main ? [main, ...children] : children;
  return new Map(frames.flatMap((frame) => (frame.world ? [[frame.world.uniqueId, frame] as const] : [])));
}

/** gone: the frame's document went away before its wait was decided. */
type Outcome = boolean | "gone";

async function waitIn(page: Page, frame: Frame, condition: Condition, until: number): Promise<Outcome> {
  try {
    return (await page.ask(frame, "waitFor", condition, Math.max(0, until - performance.now()))).met;
  } catch (error) {
    if (isGone(error)) return "gone";
    throw error;
  }
}

/** Combines the outcomes of all frames. Stays undecided while a document that went away has no successor yet. */
async function decided(waits: Promise<Outcome>[], decisive: boolean, isWhole: boolean): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  for (const each of waits) each.then((outcome) => outcome === decisive && resolve(decisive), reject);
  Promise.all(waits).then((outcomes) => isWhole && !outcomes.includes("gone") && resolve(!decisive), reject);
  return await promise;
}

async function waitForElement(
  page: Page,
  ref: string,
  condition: Condition,
  until: number,
): Promise<boolean> {
  const at = await page.locate(ref);
  try {
    const waited: Waited = await page.ask(
      at.frame,
      "waitFor",
      { ...condition, ref: at.ref },
      Math.max(0, until - performance.now()),
    );
    if ("unknown" in waited) throw await missingElement(page, at);
    return waited.met;
  } catch (error) {
    if (!isGone(error)) throw error;
    // The element goes with its document, so it is gone and hidden.
    if (condition.state === "gone" || condition.state === "hidden") return true;
    throw detached(page, at, error);
  }
}
