// browser_press_key: presses a key or a combination in the focused element.
import { focused } from "../actions/element.ts";
import { parseKeys, pressKeys } from "../actions/keyboard.ts";
import { perform } from "../actions/perform.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Page } from "../tab/page.ts";
import type { ToolHandler } from "./tool.ts";

/** A page that is slower than this to report its focus is not waited for. */
const FOCUS_MS_MAX = 500;
/** These keys scroll the focused element smoothly, and no script gets an event for it. */
const SCROLLING: ReadonlySet<string> = new Set([
  "End",
  "Home",
  "PageDown",
  "PageUp",
  "ArrowDown",
  "ArrowUp",
  "ArrowLeft",
  "ArrowRight",
  " ",
]);

export const pressKey: ToolHandler<"PressKey"> = async ({ key }, context) => {
  const keys = parseKeys(key);
  const page = await context.page();
  return await perform(page, context.session, async (send) => {
    await noteTouched(page);
    await send(() => pressKeys(page, keys), { scrolls: SCROLLING.has(keys.key.key) });
    return { said: `Pressed ${key}`, fields: {} };
  });
};

/** Notes the focused element. A page that does not report it gets the key all the same. */
async function noteTouched(page: Page): Promise<void> {
  try {
    const focus = await withinTime(() => focused(page), FOCUS_MS_MAX);
    if (focus) page.tab.touched.touched(focus.frame, focus.ref);
  } catch (error) {
    if (!isGone(error) && !(error instanceof FrameTimeout)) throw error;
  }
}
