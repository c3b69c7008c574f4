// Trusted mouse input.
import type { Protocol } from "puppeteer-core";
import type { Page } from "../tab/page.ts";
import type { Aim } from "./element.ts";

export type Button = "left" | "right" | "middle";
/** `count`: 2 is a double click. `modifiers`: bits of {@link MODIFIER_BITS}. */
export interface How {
  button: Button;
  count: 1 | 2;
  modifiers: number;
}
/** Bits of Input.dispatchMouseEvent and dispatchKeyEvent. */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;
const BUTTON_BITS: Record<Button, number> = { left: 1, right: 2, middle: 4 };

/**
 * Which process input is for, Chrome tells by the picture that it drew last. Of a tab behind another one it draws none:
 * what had scrolled there since would be passed over for a frame that was there before.
 */
export async function comeToFront(page: Page): Promise<void> {
  const { tab } = page;
  if (!tab.frames.inOneProcess) await page.during(tab.client.send("Page.bringToFront"));
}

/**
 * Moves, presses and releases. Everything is sent at once: the pipe keeps the order. A dialog that the click opens ends
 * the wait: Chrome answers the release only when the dialog is closed.
 */
export async function click(
  page: Page,
  { client, point }: Aim,
  { button, count, modifiers }: How,
): Promise<void> {
  page.check();
  const send = (type: Protocol.Input.DispatchMouseEventRequest["type"], more: object) =>
    client.send("Input.dispatchMouseEvent", { type, x: point.x, y: point.y, modifiers, ...more });
  const sent = [send("mouseMoved", { button: "none" })];
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    sent.push(send("mousePressed", { button, buttons: BUTTON_BITS[button], clickCount }));
    sent.push(send("mouseReleased", { button, buttons: 0, clickCount }));
  }
  await page.during(Promise.all(sent));
}
