// Loads the source maps of a tab's scripts: from the script itself, or through the page's own network.
import type { CDPSession } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";
import { readMapText } from "../source-maps/map-text.ts";
import { parseSourceMap, type SourceMap } from "../source-maps/source-map.ts";
import type { Script } from "./scripts.ts";

const MAPS_MAX = 50;
/** The worker keeps maps of this length in all. */
const ALL_CHARS_MAX = 40_000_000;
const LOAD_MS_MAX = 5_000;
const REASON_LENGTH_MAX = 200;

/** A map that was asked for. `chars`: the length of its text once that is known. */
interface Loading {
  map: Promise<SourceMap | undefined>;
  chars: number;
}

/** The source maps of a tab. */
export class SourceMaps {
  readonly #loading = new Map<string, Loading>();
  /** Why maps cannot be used, by the address of their script. */
  readonly broken = new Map<string, string>();

  /** Returns the script's map. Undefined if it has none that can be used. */
  async of(client: CDPSession, script: Script): Promise<SourceMap | undefined> {
    if (script.sourceMapUrl === "") return undefined;
    const key = `${script.hash} ${script.url} ${script.sourceMapUrl.slice(0, 1_000)}`;
    const known = this.#loading.get(key);
    if (known) return await known.map;
    const loading: Loading = { map: Promise.resolve(undefined), chars: 0 };
    loading.map = this.#load(client, script, loading);
    this.#loading.set(key, loading);
    this.#makeRoom();
    return await loading.map;
  }

  async #load(client: CDPSession, script: Script, loading: Loading): Promise<SourceMap | undefined> {
    try {
      const reading = readMapText(client, script);
      const { text, mapUrl } = await within({ timeMs: LOAD_MS_MAX, late: tooSlow }, reading);
      loading.chars = text.length;
      this.#makeRoom();
      return await parseSourceMap(text, mapUrl);
    } catch (error) {
      if (this.broken.size < MAPS_MAX)
        this.broken.set(script.url, String((error as Error).message).slice(0, REASON_LENGTH_MAX));
      return undefined;
    }
  }

  /** Forgets the oldest maps beyond the bounds. */
  #makeRoom(): void {
    let chars = [...this.#loading.values()].reduce((sum, each) => sum + each.chars, 0);
    for (const [key, oldest] of this.#loading) {
      if (this.#loading.size <= MAPS_MAX && chars <= ALL_CHARS_MAX) return;
      chars -= oldest.chars;
      this.#loading.delete(key);
    }
  }
}

function tooSlow(): Error {
  return new Error(`it did not come within ${LOAD_MS_MAX / 1_000} s`);
}
