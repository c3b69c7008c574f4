// Asks Chrome if the source of a document has scripts. One that has run may have removed itself since.
import { isGone } from "../core/gone.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";

/** Finds, line by line, elements and attributes that may run scripts, and some words besides. */
const SCRIPTS = "[<:]script|<(?:i?frame|object|embed)|\\bon\\w+\\s*(?:=|$)|javascript:";

/**
 * Returns false if the source proves that no script has run in the document. Chrome searches the answer that it keeps:
 * to search the document itself, it would send requests again.
 */
export async function mayHaveRun(page: Page, frame: Frame): Promise<boolean> {
  const { client, loaderId, world } = frame;
  if (!world) return true;
  if (world.isScripted !== undefined) return world.isScripted;
  const asked = { requestId: loaderId, query: SCRIPTS, isRegex: true };
  try {
    const { result } = await page.during(client.send("Network.searchInResponseBody", asked));
    world.isScripted = result.length > 0;
  } catch (error) {
    page.call.signal.throwIfAborted();
    if (isGone(error)) throw error;
    // Chrome keeps no answer that is large or old, and written documents have none.
    world.isScripted = true;
  }
  return world.isScripted;
}
