// Sets a session's breakpoints in one process: in original files by their source maps, or in scripts by their address.
import type { CDPSession, Protocol } from "puppeteer-core";
import { addressPattern, isAddress } from "../source-maps/script-address.ts";
import type { Place } from "../source-maps/source-map.ts";
import { conditionOf } from "./breakpoint-condition.ts";
import type { BreakpointSpec, DebugSettings } from "./debug-settings.ts";
import type { OriginalPositions } from "./original-positions.ts";
import type { Script, Scripts } from "./scripts.ts";
import type { SourceMaps } from "./source-maps.ts";

type Location = Protocol.Debugger.Location;

/** Where a breakpoint is in this process. */
export interface Placed {
  /** The places of its code, in original files if these are known. */
  places: Place[];
  /** Scripts that fit its address have been loaded. */
  hasScript: boolean;
}

/** A breakpoint in Chrome. */
interface InChrome {
  ids: string[];
  /** The locations that Chrome has reported. */
  locations: Location[];
  /** The scripts of the original files that it is in. Empty if it is set by the address of scripts. */
  mapped: Set<string>;
}

/** The parts that belong to the process. */
export interface ProcessParts {
  client: CDPSession;
  settings: DebugSettings;
  scripts: Scripts;
  maps: SourceMaps;
  places: OriginalPositions;
}

export class PlacedBreakpoints {
  readonly #parts: ProcessParts;
  readonly #inChrome = new Map<string, InChrome>();
  /** Breakpoints that are being set in the original files of a new script. */
  readonly #placing = new Map<string, Promise<unknown>>();
  #isWaitingForMaps = false;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
  }

  /** Sets all breakpoints of the session by the addresses of scripts. Nothing is asked of servers yet. */
  async begin(): Promise<void> {
    const { breakpoints } = this.#parts.settings;
    await Promise.all([
      ...breakpoints.map((breakpoint) => this.#placeInScripts(breakpoint)),
      this.#waitForMaps(),
    ]);
  }

  /** Sets a breakpoint: in an original file if one fits its address, else in all scripts that fit it, now and later. */
  async place(breakpoint: BreakpointSpec): Promise<Placed> {
    await this.unplace(breakpoint.id);
    await this.#waitForMaps();
    if (!(await this.#placeInOriginals(breakpoint))) await this.#placeInScripts(breakpoint);
    return await this.placed(breakpoint);
  }

  async unplace(id: string): Promise<void> {
    const { ids = [] } = this.#inChrome.get(id) ?? {};
    this.#inChrome.delete(id);
    await Promise.all(
      ids.map((breakpointId) => this.#parts.client.send("Debugger.removeBreakpoint", { breakpointId })),
    );
  }

  async placed({ id, url }: BreakpointSpec): Promise<Placed> {
    await Promise.all(this.#placing.values());
    const { places: all, scripts } = this.#parts;
    const { locations = [], mapped } = this.#inChrome.get(id) ?? {};
    const places = await Promise.all(locations.map((location) => all.of(location)));
    const isMapped = mapped !== undefined && mapped.size > 0;
    return { places, hasScript: isMapped || scripts.all.some((script) => isAddress(url, script.url)) };
  }

  /** Returns our id of a breakpoint of Chrome's. */
  idOf(breakpointId: string): string | undefined {
    return [...this.#inChrome].find(([, { ids }]) => ids.includes(breakpointId))?.[0];
  }

  /** Notes a location that Chrome has found for a breakpoint. */
  resolved(breakpointId: string, location: Location): void {
    for (const { ids, locations } of this.#inChrome.values()) {
      const isKnown = locations.some(
        (each) => each.scriptId === location.scriptId && each.lineNumber === location.lineNumber,
      );
      if (ids.includes(breakpointId) && !isKnown) locations.push(location);
    }
  }

  /** Sets breakpoints in the original files of a new script. Resolves when that is done. */
  async scriptAdded(script: Script): Promise<void> {
    const { breakpoints } = this.#parts.settings;
    const open = breakpoints.filter(({ id }) => !this.#inChrome.get(id)?.mapped.has(keyOf(script)));
    if (script.sourceMapUrl === "" || open.length === 0) return;
    const placing = Promise.all(open.map((breakpoint) => this.#placeInOriginals(breakpoint)));
    // The script begins all the same if this fails.
    this.#placing.set(
      script.id,
      placing.catch(() => undefined),
    );
    try {
      await placing;
    } finally {
      this.#placing.delete(script.id);
    }
  }

  /** Resolves when a script that is about to run has its breakpoints. */
  async ready(scriptId: string): Promise<void> {
    await this.#placing.get(scriptId);
  }

  /** Forgets the locations in a document that is gone. The breakpoints themselves stay. */
  documentGone(): void {
    for (const each of this.#inChrome.values()) each.locations = [];
  }

  /** Has Chrome stop before each script with a source map, because its map says if a breakpoint is in it. */
  async #waitForMaps(): Promise<void> {
    if (this.#isWaitingForMaps || this.#parts.settings.breakpoints.length === 0) return;
    this.#isWaitingForMaps = true;
    const instrumentation = "beforeScriptWithSourceMapExecution";
    await this.#parts.client.send("Debugger.setInstrumentationBreakpoint", { instrumentation });
  }

  async #placeInScripts(breakpoint: BreakpointSpec): Promise<void> {
    const { id, url, line } = breakpoint;
    const inChrome: InChrome = { ids: [], locations: [], mapped: new Set() };
    this.#inChrome.set(id, inChrome);
    await this.#send(inChrome, {
      lineNumber: line - 1,
      urlRegex: addressPattern(url),
      condition: conditionOf(breakpoint),
    });
  }

  /** Returns true if the breakpoint is set in an original file of the page's scripts. */
  async #placeInOriginals(breakpoint: BreakpointSpec): Promise<boolean> {
    const { client, scripts, maps, settings } = this.#parts;
    const { id, url, line } = breakpoint;
    const mapped = scripts.all.filter((script) => script.sourceMapUrl !== "" && script.url !== "");
    const found = await Promise.all(
      mapped.map(async (script) => {
        const generated = (await maps.of(client, script))?.generatedOf(url, line)?.generated;
        return generated && { script, generated };
      }),
    );
    const places = found.filter((each) => each !== undefined);
    if (places.length === 0 || settings.get(id) !== breakpoint) return false;
    await this.unplace(id);
    const inChrome: InChrome = {
      ids: [],
      locations: [],
      mapped: new Set(places.map(({ script }) => keyOf(script))),
    };
    this.#inChrome.set(id, inChrome);
    for (const { script, generated } of places)
      await this.#send(inChrome, {
        url: script.url,
        lineNumber: generated.line + script.startLine,
        columnNumber: generated.column + (generated.line === 0 ? script.startColumn : 0),
        condition: conditionOf(breakpoint),
      });
    return true;
  }

  async #send(inChrome: InChrome, asked: Protocol.Debugger.SetBreakpointByUrlRequest): Promise<void> {
    try {
      const { breakpointId, locations } = await this.#parts.client.send("Debugger.setBreakpointByUrl", asked);
      inChrome.ids.push(breakpointId);
      inChrome.locations.push(...locations);
    } catch (error) {
      // Another breakpoint of the session is at the same place already.
      if (!(error instanceof Error && /already exists/.test(error.message))) throw error;
    }
  }
}

/** A script that is loaded again unchanged has the same key. */
function keyOf({ url, hash }: Script): string {
  return `${url} ${hash}`;
}
