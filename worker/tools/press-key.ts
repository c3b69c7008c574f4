// browser_press_key: a key or a combination, in what has the focus.
import { parseKeys, pressKeys } from "../act/keyboard.ts";
import { perform } from "../act/perform.ts";
import type { ToolHandler } from "./tool.ts";

/** Keys that Chrome makes clicks of. */
const CLICKING = new Set(["Enter", " "]);

export const pressKey: ToolHandler<"PressKey"> = async ({ key }, context) => {
  const keys = parseKeys(key);
  const page = await context.page();
  return await perform(page, context.session, async (send) => {
    await send(() => pressKeys(page, keys), { clicks: CLICKING.has(keys.key.key) });
    return { said: `Pressed ${key}`, fields: {} };
  });
};
