// Scrolls and measures how far: by the page's own scroll containers, or else by the wheel.
import { type ElementData, fail } from "../../proto/errors/catalogue.ts";
import type { ScrollAsked, Scrolled } from "../bridge/api/bridge-api.ts";
import { data, deliverElements } from "../snapshot/actionability-error.ts";
import type { Located, Page } from "../tab/page.ts";
import { orDetached } from "./element.ts";
import type { SendInput } from "./perform.ts";
import { react, settled } from "./settle.ts";

/** The wheel turns by this much if the size of the visible part is unknown. */
const WHEEL_PX = 600;

/** The scrolled element, the distance, and the distance that is left. Undefined if only a wheel was turned. */
export interface Moved {
  element?: ElementData;
  movedPx: number;
  leftPx: number;
}

/** Scrolls, and waits for content that this loads: the end may have moved by then. */
export async function scrollBy(
  page: Page,
  at: Located,
  asked: ScrollAsked,
  send: SendInput,
): Promise<Moved | undefined> {
  using reaction = react(page);
  const scrolled = await ask(page, at, asked);
  if (scrolled.state === "fixed") {
    // Chrome does not wait for the wheel's listeners.
    await send(() => turnWheel(page, at, asked, scrolled.point), { heard: true });
    return undefined;
  }
  reaction.caused("input");
  await settled(page, reaction);
  const { element, movedPx } = scrolled;
  if (element) deliverElements(page, [element], "lines");
  const now = isThere(page, at) ? await ask(page, at, { ...asked, amount: 0 }) : scrolled;
  const leftPx = now.state === "ready" ? now.leftPx : scrolled.leftPx;
  return { movedPx, leftPx, ...(element && { element: data(element) }) };
}

async function ask(
  page: Page,
  at: Located,
  asked: ScrollAsked,
): Promise<Exclude<Scrolled, { state: "unknown" }>> {
  const scrolled = await orDetached(page, at, page.ask(at.frame, "scroll", at.ref || undefined, asked));
  if (scrolled.state === "unknown") throw fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
  return scrolled;
}

function isThere({ tab }: Page, { frame }: Located): boolean {
  return tab.isOpen && !tab.halt && frame.world !== undefined;
}

/** Turns the wheel, because pages that move by themselves listen to nothing else. */
async function turnWheel(
  page: Page,
  { frame }: Located,
  { direction, amount = WHEEL_PX }: ScrollAsked,
  { x, y }: { x: number; y: number },
): Promise<void> {
  const by = direction === "up" || direction === "left" ? -amount : amount;
  const isAcross = direction === "left" || direction === "right";
  const turned = isAcross ? { deltaX: by, deltaY: 0 } : { deltaX: 0, deltaY: by };
  await page.during(frame.client.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, ...turned }));
}
