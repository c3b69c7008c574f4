// Translates positions in a page's scripts to the sources that they were made from.
import { within } from "../../../proto/machine/within.ts";
import { isGone } from "../../core/gone.ts";
import { type MapText, readMapText } from "../../source-maps/map-text.ts";
import { readResource } from "../../source-maps/resource.ts";
import type { Place } from "../../source-maps/source-map.ts";
import { sourceMapUrl } from "../../source-maps/source-map-url.ts";
import type { Page } from "../../tab/page.ts";
import type { Threads } from "../../threads/threads.ts";

/** Longer scripts are not read. */
const SCRIPT_BYTES_MAX = 20_000_000;
/** A server that does not give a map in this time is not waited for. */
const MAP_MS_MAX = 5_000;
/** No further map is read after so long. */
const MAPS_MS_MAX = 8_000;

/** Returns the place in a source for each place in a script, where a map knows one. Each script's map is read once. */
export async function stackSources(
  places: readonly Place[],
  page: Page,
  threads: Threads,
): Promise<ReadonlyMap<Place, Place>> {
  const untilMs = performance.now() + MAPS_MS_MAX;
  const found = new Map<Place, Place>();
  for (const [url, inScript] of Map.groupBy(places, (place) => place.url)) {
    if (performance.now() > untilMs) break;
    const map = await mapOf(page, url);
    if (!map) continue;
    const generated = inScript.map(({ line, column }) => ({ line: line - 1, column: column - 1 }));
    const originals = await threads.translate({ ...map, places: generated });
    for (const [index, place] of inScript.entries()) {
      const original = originals[index];
      if (original) found.set(place, original);
    }
  }
  return found;
}

/** Returns the script's map. Undefined if it has none that can be read in time. */
async function mapOf(page: Page, url: string): Promise<MapText | undefined> {
  try {
    const reading = within({ timeMs: MAP_MS_MAX }, readMap(page, url));
    return await page.during(reading, { haltInterrupts: false });
  } catch (error) {
    if (page.call.signal.aborted && !isGone(error)) throw error;
    return undefined;
  }
}

async function readMap(page: Page, url: string): Promise<MapText | undefined> {
  const { client, id: frameId } = page.main();
  const script = await readResource(client, { url, frameId, bytesMax: SCRIPT_BYTES_MAX });
  const named = sourceMapUrl(script);
  return named === undefined ? undefined : await readMapText(client, { url, sourceMapUrl: named, frameId });
}
