// Refuses source maps that would take too much time or memory (ECMA-426). A page may serve any text as one.

const SOURCES_MAX = 20_000;
const SECTIONS_MAX = 10_000;
/** Segments and lines of the script. Large applications have some hundred thousand. */
const SEGMENTS_MAX = 1_500_000;
const LINES_MAX = 1_000_000;
/** Lines of all original files together. */
const SOURCE_LINES_MAX = 5_000_000;

/** Checks a map before its mappings are decoded. Throws an error with the reason. */
export function checkEncoded(json: unknown): void {
  if (!isObject(json)) throw malformed();
  const { sections } = json;
  const parts = sections === undefined ? [json] : sectionMaps(sections);
  let segments = 0;
  let sources = 0;
  for (const part of parts) {
    if (typeof part.mappings !== "string" || !Array.isArray(part.sources)) throw malformed();
    segments += countOf(part.mappings);
    sources += part.sources.length;
  }
  if (segments > SEGMENTS_MAX) throw new Error("its mappings are too long");
  if (sources > SOURCES_MAX) throw new Error("it names too many files");
}

/** Checks that all segments lead to lines of its files. Throws an error with the reason. */
export function checkDecoded(lines: readonly (readonly (readonly number[])[])[], sourceCount: number): void {
  const last = new Map<number, number>();
  for (const line of lines)
    for (const [, source, sourceLine = 0] of line) {
      if (source === undefined) continue;
      if (source < 0 || source >= sourceCount || sourceLine < 0) throw malformed();
      if (sourceLine > (last.get(source) ?? 0)) last.set(source, sourceLine);
    }
  let total = 0;
  for (const lineCount of last.values()) total += lineCount;
  if (total > SOURCE_LINES_MAX) throw new Error("its files have too many lines");
}

/** Returns the maps of an index map. Sections within sections are against the standard. */
function sectionMaps(sections: unknown): Record<string, unknown>[] {
  if (!Array.isArray(sections) || sections.length > SECTIONS_MAX) throw malformed();
  return sections.map((section: unknown) => {
    if (!isObject(section) || !isObject(section.offset) || !isObject(section.map)) throw malformed();
    const { line, column } = section.offset;
    if (!isCount(line) || !isCount(column) || section.map.sections !== undefined) throw malformed();
    return section.map;
  });
}

function countOf(mappings: string): number {
  let count = 1;
  for (let at = 0; at < mappings.length; at++) {
    const unit = mappings.charCodeAt(at);
    if (unit === COMMA || unit === SEMICOLON) count++;
  }
  return count;
}

const COMMA = ",".charCodeAt(0);
const SEMICOLON = ";".charCodeAt(0);

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LINES_MAX;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function malformed(): Error {
  return new Error("it is no source map");
}
