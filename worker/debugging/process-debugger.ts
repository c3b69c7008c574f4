// Debugs the scripts that run in one process of a tab.
import type { CDPSession, Protocol } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";
import { isGone } from "../core/gone.ts";
import type { DebugSettings } from "./debug-settings.ts";
import { OriginalPositions } from "./original-positions.ts";
import { PlacedBreakpoints } from "./placed-breakpoints.ts";
import { Scripts } from "./scripts.ts";
import type { SourceMaps } from "./source-maps.ts";

const ASYNC_DEPTH_MAX = 16;
/** A script whose source map is not there by then runs without the breakpoints in its original files. */
const MAP_MS_MAX = 2_000;

export type PausedEvent = Protocol.Debugger.PausedEvent;

/** The events of a process. */
export interface ProcessEvents {
  /** `wasAsked`: the session asked for a pause. */
  paused(event: PausedEvent, wasAsked: boolean): void;
  resumed(): void;
  /** Called with what fails between two calls. */
  failed(error: Error): void;
}

/** The debugger of one CDP session. {@link ProcessDebugger.enable} turns it on. */
export class ProcessDebugger {
  readonly client: CDPSession;
  readonly scripts = new Scripts();
  readonly places: OriginalPositions;
  readonly breakpoints: PlacedBreakpoints;
  readonly #settings: DebugSettings;
  readonly #events: ProcessEvents;
  /** The worlds of the worker's own scripts, which are stepped over and never pause. */
  readonly #ownWorlds = new Set<string>();
  #enabling: Promise<unknown> | undefined;
  /** A pause was asked for, and no script of the page has run since. */
  #isPausing = false;

  constructor(client: CDPSession, settings: DebugSettings, maps: SourceMaps, events: ProcessEvents) {
    const { scripts } = this;
    this.client = client;
    this.places = new OriginalPositions(client, scripts, maps);
    this.breakpoints = new PlacedBreakpoints({ client, settings, scripts, maps, places: this.places });
    this.#settings = settings;
    this.#events = events;
    this.#watch();
  }

  /** Turns it on with all that the session has set. Resolves when it is on. */
  async enable(): Promise<void> {
    const enabling = this.#enabling ?? this.#enable();
    this.#enabling = enabling;
    try {
      await enabling;
    } catch (error) {
      // The next call tries again.
      if (this.#enabling === enabling) this.#enabling = undefined;
      throw error;
    }
  }

  /** Resolves when it is on, if it was turned on. */
  async whenEnabled(): Promise<void> {
    await this.#enabling;
  }

  async #enable(): Promise<void> {
    await Promise.all([
      this.client.send("Debugger.enable"),
      this.client.send("Debugger.setAsyncCallStackDepth", { maxDepth: ASYNC_DEPTH_MAX }),
      this.pauseOnExceptions(),
      this.#skipOwnWorlds(),
    ]);
    // While a script runs, Chrome carries out commands for breakpoints and pauses before all others.
    await this.breakpoints.begin();
  }

  async pauseOnExceptions(): Promise<void> {
    await this.client.send("Debugger.setPauseOnExceptions", { state: this.#settings.exceptions });
  }

  /** Pauses at the next statement of the page. */
  async pause(): Promise<void> {
    this.#isPausing = true;
    await this.client.send("Debugger.pause");
  }

  /** Resolves when the page gets to a question, which it does between two scripts. */
  async whenIdle(): Promise<void> {
    const [uniqueContextId] = this.#ownWorlds;
    if (uniqueContextId === undefined) return;
    await this.client.send("Runtime.evaluate", { expression: "0", uniqueContextId });
  }

  #watch(): void {
    const { client } = this;
    client.on("Debugger.scriptParsed", (event) => this.#parsed(event));
    client.on("Debugger.breakpointResolved", ({ breakpointId, location }) =>
      this.breakpoints.resolved(breakpointId, location),
    );
    client.on("Debugger.paused", (event) => this.#paused(event));
    client.on("Debugger.resumed", () => this.#events.resumed());
    client.on("Runtime.executionContextCreated", ({ context }) => this.#worldCreated(context));
    client.on("Runtime.executionContextDestroyed", ({ executionContextUniqueId }) =>
      this.#ownWorlds.delete(executionContextUniqueId),
    );
    client.on("Runtime.executionContextsCleared", () => {
      this.#ownWorlds.clear();
      this.scripts.clear();
      this.breakpoints.documentGone();
      // A new document ends the pause of the old one without an event of its own.
      this.#events.resumed();
    });
  }

  #worldCreated({ uniqueId, auxData }: Protocol.Runtime.ExecutionContextDescription): void {
    if ((auxData as { isDefault?: boolean } | undefined)?.isDefault !== false) return;
    this.#ownWorlds.add(uniqueId);
    if (this.#enabling) this.#recordFailure(this.#skipOwnWorlds());
  }

  #parsed(event: Protocol.Debugger.ScriptParsedEvent): void {
    const script = this.scripts.add(event);
    if (!script) return;
    for (const { breakpointId, location } of event.resolvedBreakpoints ?? [])
      this.breakpoints.resolved(breakpointId, location);
    this.#recordFailure(this.breakpoints.scriptAdded(script));
  }

  #paused(event: PausedEvent): void {
    const scriptId = event.callFrames[0]?.location.scriptId ?? "";
    if (event.reason === "instrumentation") this.#recordFailure(this.#runOnceReady(scriptId));
    // The worker's own scripts never count as paused, even if Chrome pauses in one before it knows its world.
    else if (!this.scripts.get(scriptId)) this.#goOn();
    else {
      const wasAsked = this.#isPausing;
      this.#isPausing = false;
      this.#events.paused(event, wasAsked);
    }
  }

  /** Lets a script with a source map begin, once the breakpoints in its original files are set. */
  async #runOnceReady(scriptId: string): Promise<void> {
    await within({ timeMs: MAP_MS_MAX }, this.breakpoints.ready(scriptId));
    await this.client.send("Debugger.resume");
  }

  #goOn(): void {
    this.#recordFailure(this.client.send("Debugger.resume"));
    if (this.#isPausing) this.#recordFailure(this.client.send("Debugger.pause"));
  }

  async #skipOwnWorlds(): Promise<void> {
    try {
      await this.client.send("Debugger.setBlackboxExecutionContexts", { uniqueIds: [...this.#ownWorlds] });
    } catch (error) {
      // Older browsers do not know the command. A pause in such a world is resumed then.
      if (!(error instanceof Error && /wasn't found/.test(error.message))) throw error;
    }
  }

  /** A document or a process that has gone meanwhile needs nothing more. */
  #recordFailure(sent: Promise<unknown>): void {
    sent.catch((error: Error) => {
      if (!isGone(error)) this.#events.failed(error);
    });
  }
}
