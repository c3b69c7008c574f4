// Runs in a thread: translates places of a script to its sources, by its source map.
import type { MapText } from "../source-maps/map-text.ts";
import { type Generated, type Place, parseSourceMap } from "../source-maps/source-map.ts";

/** A source map, and places in its script. */
export interface SourceMapTask extends MapText {
  places: readonly Generated[];
}

const URL_LENGTH_MAX = 500;

/** Returns a place in a source for each place, in order, where the map knows one. None at all if it cannot be used. */
export default async function translate({
  text,
  mapUrl,
  places,
}: SourceMapTask): Promise<(Place | undefined)[]> {
  try {
    const map = await parseSourceMap(text, mapUrl);
    return places.map((place) => shortened(map.originalOf(place)));
  } catch {
    return [];
  }
}

function shortened(place: Place | undefined): Place | undefined {
  return place && { ...place, url: place.url.slice(0, URL_LENGTH_MAX) };
}
