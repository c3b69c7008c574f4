// Leaves out of a bundle's source map what leads into packages, and which column of a line each piece comes from. Both
// together would be more than a tenth of the package.
import { decodedMappings, encodedMap, type SourceMapSegment, TraceMap } from "@jridgewell/trace-mapping";

const FOREIGN = /(?:^|\/)node_modules\//;

/**
 * Returns the map's text with our own files alone. Code of packages then leads nowhere, and to no file of ours. Bundles
 * keep the names of our code, so the map needs none.
 */
export function ownMap(text: string): string {
  const whole = new TraceMap(text);
  const isOwn = whole.sources.map((source) => source !== null && !FOREIGN.test(source));
  const mappings = decodedMappings(whole).map((line) => ownSegments(line, isOwn));
  const { sources } = whole;
  const own = new TraceMap({
    version: 3,
    names: [],
    // The segments name sources by their place.
    sources: sources.map((source, index) => (isOwn[index] ? source : null)),
    mappings,
  });
  return JSON.stringify(encodedMap(own));
}

/** One segment for all that comes from the same line. One without a source ends what an own one began. */
function ownSegments(line: readonly SourceMapSegment[], isOwn: readonly boolean[]): SourceMapSegment[] {
  const kept: SourceMapSegment[] = [];
  for (const segment of line) {
    const last = kept.at(-1);
    const [column, source, row] = segment;
    if (source !== undefined && row !== undefined && isOwn[source]) {
      if (last?.[1] !== source || last[2] !== row) kept.push([column, source, row, 0]);
    } else if (last?.length !== 1) kept.push([column]);
  }
  return kept;
}
