// Translates places of a process's scripts to original files, and reads the files' text.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Place } from "../source-maps/source-map.ts";
import type { Scripts } from "./scripts.ts";
import type { SourceMaps } from "./source-maps.ts";

type Location = Protocol.Debugger.Location;

/** The text of a file, or the part of a file that a script is. */
export interface SourceText {
  text: string;
  /** The number of its first line in the file. */
  firstLine: number;
}

export class OriginalPositions {
  readonly #client: CDPSession;
  readonly #scripts: Scripts;
  readonly #maps: SourceMaps;

  constructor(client: CDPSession, scripts: Scripts, maps: SourceMaps) {
    this.#client = client;
    this.#scripts = scripts;
    this.#maps = maps;
  }

  /** Returns a place in its script. */
  inScript({ scriptId, lineNumber, columnNumber = 0 }: Location): Place {
    const { url = "" } = this.#scripts.get(scriptId) ?? {};
    return { url, line: lineNumber + 1, column: columnNumber + 1 };
  }

  /** Returns a place in the original file, or else in the script. */
  async of(location: Location): Promise<Place> {
    const { scriptId, lineNumber, columnNumber = 0 } = location;
    const script = this.#scripts.get(scriptId);
    const own = this.inScript(location);
    const map = script && (await this.#maps.of(this.#client, script));
    if (!map) return own;
    const line = lineNumber - script.startLine;
    const column = line === 0 ? columnNumber - script.startColumn : columnNumber;
    return map.originalOf({ line, column }) ?? own;
  }

  /** Returns the text of the file that a place is in: the original one or the script. */
  async textAt({ scriptId }: Location, { url }: Place): Promise<SourceText | undefined> {
    const script = this.#scripts.get(scriptId);
    if (!script) return undefined;
    if (url !== script.url) {
      const text = (await this.#maps.of(this.#client, script))?.contentOf(url);
      return text === undefined ? undefined : { text, firstLine: 1 };
    }
    const { scriptSource } = await this.#client.send("Debugger.getScriptSource", { scriptId });
    return { text: scriptSource, firstLine: script.startLine + 1 };
  }
}
