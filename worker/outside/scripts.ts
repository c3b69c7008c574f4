// Asks Chrome if the source of a document has scripts. One that has run may have removed itself since.
import { isGone } from "../core/gone.ts";
import type { Frame } from "../tab/frames.ts";
import type { Page } from "../tab/page.ts";

/** Finds elements and attributes that run scripts, and some words besides. */
const SCRIPTS = "[<:]script|\\bon\\w+\\s*=|javascript:";

/** Returns false if the source proves that no script has run in the document. */
export async function mayHaveRun(page: Page, frame: Frame): Promise<boolean> {
  const { client, id, url, world } = frame;
  if (!world) return true;
  if (world.isScripted !== undefined) return world.isScripted;
  const asked = { frameId: id, url: url.replace(/#.*$/, ""), query: SCRIPTS, isRegex: true };
  try {
    const { result } = await page.during(client.send("Page.searchInResource", asked));
    world.isScripted = result.length > 0;
  } catch (error) {
    page.call.signal.throwIfAborted();
    if (isGone(error)) throw error;
    // Chrome keeps no source of data: addresses and of written documents.
    world.isScripted = true;
  }
  return world.isScripted;
}
