// browser_wait_for: a text that appears or goes, or an element's state, by the page's own events.
import { fail } from "../../proto/errors.ts";
import type { WaitForRequest } from "../../proto/gen/troupe.ts";
import type { Condition, Waited } from "../bridge/api.ts";
import type { Frame } from "../frames.ts";
import { isGone } from "../gone.ts";
import type { Page } from "../page.ts";
import { changesSince, lookIfPossible } from "../reply.ts";
import type { ToolHandler } from "../tool.ts";

const SECONDS_DEFAULT = 10;
/** What is left of a call for telling how the wait ended. */
const REPLY_MS = 2_000;

const STATES = {
  ELEMENT_STATE_UNSPECIFIED: "visible",
  ELEMENT_STATE_VISIBLE: "visible",
  ELEMENT_STATE_HIDDEN: "hidden",
  ELEMENT_STATE_ENABLED: "enabled",
  ELEMENT_STATE_DISABLED: "disabled",
  ELEMENT_STATE_GONE: "gone",
} as const;

export const waitFor: ToolHandler<"WaitFor"> = async (request, { page: open, call }) => {
  const what = conditionOf(request);
  const began = Date.now();
  const timeMs = boundedTime(request.time, call.deadline - began);
  const page = await open();
  const before = page.tab.told.look ?? (await lookIfPossible(page));
  call.waitsFor = what.words;
  const met = await wait(page, what, request.ref, began + timeMs);
  const tookMs = Date.now() - began;
  await page.tab.readTitle();
  if (!met)
    throw fail("TIMEOUT", {
      waitedFor: what.words,
      afterMs: timeMs,
      page: `${JSON.stringify(page.tab.title)} ${page.tab.url}`,
    });
  return {
    text: [`Waited ${tookMs} ms for ${what.words}`, await changesSince(page, before)].join("\n"),
    timeMs: tookMs,
  };
};

interface What {
  condition: Condition;
  words: string;
}

function conditionOf({ text, textGone, ref, state = "ELEMENT_STATE_VISIBLE" }: WaitForRequest): What {
  if ([text, textGone, ref].filter(Boolean).length !== 1) {
    throw fail("INVALID_ARGUMENT", {
      argument: "text",
      problem: "give exactly one of text, textGone and ref",
      allowed: ["text", "textGone", "ref"],
    });
  }
  if (text) return { condition: { text }, words: `the text ${JSON.stringify(text)} to appear` };
  if (textGone) return { condition: { textGone }, words: `the text ${JSON.stringify(textGone)} to go` };
  const wanted = STATES[state];
  return { condition: { ref: ref ?? "", state: wanted }, words: `${ref} to be ${wanted}` };
}

function boundedTime(seconds = SECONDS_DEFAULT, leftMs: number): number {
  const mostMs = leftMs - REPLY_MS;
  const asked = seconds * 1000;
  if (asked <= mostMs || seconds === SECONDS_DEFAULT) return Math.max(0, Math.min(asked, mostMs));
  throw fail("INVALID_ARGUMENT", {
    argument: "time",
    problem: `time is ${seconds}; a wait can take at most ${Math.floor(mostMs / 1000)} seconds`,
  });
}

/** A document that goes away meanwhile is waited in as the new one; whatever holds in any frame counts for a text. */
async function wait(
  page: Page,
  { condition }: What,
  ref: string | undefined,
  until: number,
): Promise<boolean> {
  if (ref !== undefined) return await waitForElement(page, ref, condition, until);
  while (Date.now() < until) {
    const frames = [page.main(), ...page.tab.frames.children];
    const waits = frames.map((frame) => waitIn(page, frame, condition, until));
    const everywhere = condition.textGone !== undefined;
    const outcome = await (everywhere ? Promise.all(waits).then(joined) : firstMet(waits));
    if (outcome !== "again") return outcome;
  }
  return false;
}

type Outcome = boolean | "again";

async function waitIn(page: Page, frame: Frame, condition: Condition, until: number): Promise<Outcome> {
  try {
    return (await page.ask(frame, "waitFor", condition, Math.max(0, until - Date.now()))).met;
  } catch (error) {
    if (isGone(error)) return "again";
    throw error;
  }
}

function joined(outcomes: Outcome[]): Outcome {
  return outcomes.includes("again") ? "again" : outcomes.every(Boolean);
}

/** The first frame in which it holds, or that went away; false when it held in none. */
async function firstMet(waits: Promise<Outcome>[]): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  for (const each of waits) each.then((outcome) => outcome && resolve(outcome), reject);
  void Promise.allSettled(waits).then(() => resolve(false));
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
      { ...condition, ref: at.local },
      Math.max(0, until - Date.now()),
    );
    if ("unknown" in waited) throw fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
    return waited.met;
  } catch (error) {
    // With its document the element is gone, and hidden.
    if (isGone(error)) return condition.state === "gone" || condition.state === "hidden";
    throw error;
  }
}
