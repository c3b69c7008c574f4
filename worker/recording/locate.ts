// Asks the page for locators of a session's element, in its document and in those around it.
import type { LocatorOptions, LocatorsFound } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import { DocumentGone } from "../core/gone.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Located, Page } from "../tab/page.ts";

/** A page that answers a record's question later than this is not waited for. */
const ANSWER_MS_MAX = 2_000;

type Found = Extract<LocatorsFound, { state: "found" }>;

/** The answer for an element. `frames`: selectors of the iframes around it, the outermost first. */
export type FramedLocators = Exclude<LocatorsFound, Found> | (Found & { frames: string[] });

/** Returns the element's locators. There is none if no locator finds an iframe around it. */
export async function locatorsOf(
  page: Page,
  { frame, ref }: Pick<Located, "frame" | "ref">,
  options: LocatorOptions,
): Promise<FramedLocators> {
  const found = await page.askInPassing(frame, "locators", ref, options);
  if (found.state !== "found") return found;
  const frames = await framesAround(page, frame);
  return frames ? { ...found, frames } : { ...found, locators: [], frames: [] };
}

/** Returns selectors of the iframes around a frame's document, the outermost first. Undefined if one has none. */
export async function framesAround(page: Page, frame: Frame): Promise<string[] | undefined> {
  const frames: string[] = [];
  for (let at = frame; at.parent; at = at.parent) {
    const owner = await page.ownerRef(at);
    if (owner === undefined) throw new DocumentGone(`frame f${at.number} is gone`);
    const around = await page.askInPassing(at.parent, "locators", owner, { most: 10 });
    const css = around.state === "found" ? around.locators.find((each) => each.css)?.css : undefined;
    if (css === undefined) return undefined;
    frames.unshift(css);
  }
  return frames;
}

/** A call for questions that go on after the reply. */
export function inBackground(call: Call): Call {
  return { ...call, signal: AbortSignal.timeout(ANSWER_MS_MAX), notes: undefined };
}
