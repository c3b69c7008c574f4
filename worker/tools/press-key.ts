// browser_press_key: a key or a combination, in what has the focus.
import { parseKeys, pressKeys } from "../act/keyboard.ts";
import { perform } from "../act/perform.ts";
import type { ToolHandler } from "./tool.ts";

export const pressKey: ToolHandler<"PressKey"> = async ({ key }, context) => {
  const keys = parseKeys(key);
  const page = await context.page();
  return await perform(page, context.session, async (send) => {
    await send(() => pressKeys(page, keys));
    return { said: `Pressed ${key}`, fields: {} };
  });
};
