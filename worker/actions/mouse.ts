// Sends trusted mouse input.
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
 * Chrome chooses the process that gets an input by the frame that it drew last. It draws none for a tab in the
 * background, so it would miss frames that have scrolled there since.
 */
export async function comeToFront(page: Page): Promise<void> {
  const { tab } = page;
  if (!tab.frames.inOneProcess) await page.during(tab.client.send("Page.bringToFront"));
}

/**
 * Moves, presses and releases. Everything is sent at once, because the pipe keeps the order. A dialog that the click
 * opens ends the wait: Chrome answers the release only after the dialog is closed.
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

/**
 * Moves the pointer there, and leaves it there. Some menus take a single movement for a passing pointer. Chrome joins
 * movements that it has not answered into one.
 */
export async function moveTo(page: Page, { client, point: { x, y } }: Aim): Promise<void> {
  page.check();
  for (const from of [x - 1, x])
    await page.during(
      client.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: from, y, button: "none" }),
    );
}
