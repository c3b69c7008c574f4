// browser_press_key: presses a key or a combination in the focused element.
import { parseKeys, pressKeys } from "../actions/keyboard.ts";
import { perform } from "../actions/perform.ts";
import type { ToolHandler } from "./tool.ts";

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
    await send(() => pressKeys(page, keys), { scrolls: SCROLLING.has(keys.key.key) });
    return { said: `Pressed ${key}`, fields: {} };
  });
};
