// Reads a source map: from places in a script to places in its original files, and back.
import type { TraceMap } from "@jridgewell/trace-mapping";
import { checkDecoded, checkEncoded } from "./bounds.ts";
import { isAddress } from "./script-address.ts";

/** A place in a file. Line and column count from 1. */
export interface Place {
  url: string;
  line: number;
  column: number;
}

/** A place in a script, relative to its beginning. Line and column count from 0. */
export interface Generated {
  line: number;
  column: number;
}

export interface SourceMap {
  /** The original files. */
  readonly sources: readonly string[];
  originalOf(generated: Generated): Place | undefined;
  /** Returns the first code at or after that line of an original file. Undefined if there is none. */
  generatedOf(asked: string, line: number): { place: Place; generated: Generated } | undefined;
  /** Returns the text of an original file, if the map holds it. */
  contentOf(source: string): string | undefined;
}

/** A line without code is moved down by at most this. */
const MOVED_MAX = 100;

/** Throws an error with the reason if the text is no source map that can be used. */
export async function parseSourceMap(text: string, mapUrl: string): Promise<SourceMap> {
  // Google's servers may put this before JSON.
  const json: unknown = JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, ""));
  checkEncoded(json);
  const { FlattenMap, ...tools } = await import("@jridgewell/trace-mapping");
  const map = FlattenMap(json as never, mapUrl);
  checkDecoded(tools.decodedMappings(map), map.sources.length);
  return new ReadSourceMap(map, tools);
}

type Tools = Omit<typeof import("@jridgewell/trace-mapping"), "FlattenMap">;

class ReadSourceMap implements SourceMap {
  readonly #map: TraceMap;
  readonly #tools: Tools;

  constructor(map: TraceMap, tools: Tools) {
    this.#map = map;
    this.#tools = tools;
  }

  get sources(): readonly string[] {
    return this.#map.resolvedSources.filter((source) => source !== "");
  }

  originalOf({ line, column }: Generated): Place | undefined {
    const found = this.#tools.originalPositionFor(this.#map, { line: line + 1, column });
    return found.source === null
      ? undefined
      : { url: found.source, line: found.line, column: found.column + 1 };
  }

  generatedOf(asked: string, line: number): { place: Place; generated: Generated } | undefined {
    const { LEAST_UPPER_BOUND: bias, generatedPositionFor } = this.#tools;
    for (const source of this.sources.filter((each) => isAddress(asked, each)))
      for (let at = line; at <= line + MOVED_MAX; at++) {
        const found = generatedPositionFor(this.#map, { source, line: at, column: 0, bias });
        if (found.line === null) continue;
        const generated = { line: found.line - 1, column: found.column };
        return { generated, place: this.originalOf(generated) ?? { url: source, line: at, column: 1 } };
      }
    return undefined;
  }

  contentOf(source: string): string | undefined {
    return this.#tools.sourceContentFor(this.#map, source) ?? undefined;
  }
}
