// Asks Chrome if the source of a document has scripts. One that has run may have removed itself since.
import { withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";

/** Finds, line by line, elements and attributes that may run scripts, and some words besides. */
const SCRIPTS = "[<:]script|<(?:i?frame|object|embed)|\\bon\\w+\\s*(?:=|$)|javascript:";

/** Chrome never answers for some documents that no server sent. */
const SEARCH_MS_MAX = 250;

/**
 * Returns false if the source proves that no script has run in the document. Chrome searches the answer that it keeps:
 * to search the document itself, it would send requests again.
 */
export async function mayHaveRun(page: Page, frame: Frame): Promise<boolean> {
  const { client, loaderId, world, url } = frame;
  // Such a document has what other documents have written.
  if (!world || url.startsWith("about:")) return true;
  if (world.isScripted !== undefined) return world.isScripted;
  const asked = { requestId: loaderId, query: SCRIPTS, isRegex: true };
  try {
    const search = () => page.during(client.send("Network.searchInResponseBody", asked));
    const { result } = await withinTime(search, SEARCH_MS_MAX);
    world.isScripted = result.length > 0;
  } catch (error) {
    page.call.signal.throwIfAborted();
    if (isGone(error)) throw error;
    // Chrome keeps no answer that is large or old, and written documents have none.
    world.isScripted = true;
  }
  return world.isScripted;
}
