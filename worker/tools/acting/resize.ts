// browser_resize: changes the size of the window in the session's tabs.
import type { ToolHandler } from "../tool.ts";
import { emulateNow } from "./emulate.ts";

export const resize: ToolHandler<"Resize"> = async ({ width, height }, context) =>
  await emulateNow(context, { ...context.session.emulation.now, width, height });
