// browser_press_key: a key or a combination, in what has the focus.
import { parseKeys, pressKeys } from "../actions/keyboard.ts";
import { perform } from "../actions/perform.ts";
import type { ToolHandler } from "./tool.ts";

/** Keys that scroll what has the focus, smoothly and without a script hearing of it. */
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
    await send(() => pressKeys(page, keys), { scrolls: SCROLLING.has(keys.key.key) });
    return { said: `Pressed ${key}`, fields: {} };
  });
};
