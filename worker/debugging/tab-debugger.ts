// Debugs a tab: all processes that draw a part of its page. Its workers are left out.
import type { CDPSession } from "puppeteer-core";
import { isGone } from "../core/gone.ts";
import type { BreakpointSpec, DebugSettings } from "./debug-settings.ts";
import type { Locals } from "./locals.ts";
import type { Placed } from "./placed-breakpoints.ts";
import { type PausedEvent, ProcessDebugger } from "./process-debugger.ts";
import { SourceMaps } from "./source-maps.ts";
import { describeStop, type Stop } from "./stop.ts";

export type Direction = "over" | "into" | "out";

const STEPS = { over: "Debugger.stepOver", into: "Debugger.stepInto", out: "Debugger.stepOut" } as const;

/** Chrome's refusal to leave a pause that is over. */
const NOT_PAUSED = /only perform operation while paused/;

/** A pause of one process. `stop`: where it is, once that is read. */
interface Pause {
  stop?: Stop;
  ended: PromiseWithResolvers<void>;
}

/** Called by a tab's debugger. */
export interface TabDebuggerParts {
  settings: DebugSettings;
  paused(stop: Stop): void;
  /** If another process of the page is paused, too, `paused` follows with its stop. */
  resumed(): void;
  /** Called with what fails between two calls. */
  failed(error: Error): void;
}

export class TabDebugger {
  readonly maps = new SourceMaps();
  readonly #parts: TabDebuggerParts;
  readonly #processes = new Map<CDPSession, ProcessDebugger>();
  /** The processes that are paused, in the order of their pauses. */
  readonly #pauses = new Map<ProcessDebugger, Pause>();
  /** The processes of a page that another one is about to replace. */
  readonly #abandoned = new Set<ProcessDebugger>();
  #lastLocals: Locals | undefined;

  constructor(parts: TabDebuggerParts) {
    this.#parts = parts;
  }

  /** Where the page is paused. If several of its processes are, the first one. */
  get stop(): Stop | undefined {
    for (const { stop } of this.#pauses.values()) if (stop) return stop;
    return undefined;
  }

  get processes(): readonly ProcessDebugger[] {
    return [...this.#processes.values()].filter(({ client }) => !client.detached);
  }

  /** Follows a process, before its scripts run. Resolves when its debugger is on, if the session's is. */
  async begin(client: CDPSession): Promise<void> {
    const { settings } = this.#parts;
    const process: ProcessDebugger = new ProcessDebugger(client, settings, this.maps, {
      paused: (event, wasAsked) => void this.#paused(process, event, wasAsked),
      resumed: () => this.#resumed(process),
      failed: this.#parts.failed,
    });
    this.#processes.set(client, process);
    // The next page may pause, and so may its frames.
    client.on("Page.frameNavigated", ({ frame }) => frame.parentId === undefined && this.#abandoned.clear());
    if (settings.isOn) await process.enable();
  }

  /** Notes that a process of the page is gone. */
  end(client: CDPSession): void {
    const process = this.#processes.get(client);
    this.#processes.delete(client);
    if (process) this.#resumed(process);
  }

  /** Notes that the page's process has crashed. Chrome turns the debugger of the next one on again. */
  crashed(): void {
    for (const process of this.#processes.values()) this.#resumed(process);
  }

  async enable(): Promise<void> {
    await this.#all((process) => process.enable());
  }

  /** Sets a breakpoint in all processes. */
  async place(breakpoint: BreakpointSpec): Promise<Placed> {
    return joined(await this.#all((process) => process.breakpoints.place(breakpoint)));
  }

  async placed(breakpoint: BreakpointSpec): Promise<Placed> {
    return joined(await this.#all((process) => process.breakpoints.placed(breakpoint)));
  }

  async unplace(id: string): Promise<void> {
    await this.#all((process) => process.breakpoints.unplace(id));
  }

  async pauseOnExceptions(): Promise<void> {
    await this.#all((process) => process.pauseOnExceptions());
  }

  /** Pauses at the next statement of the page, in whichever process that runs. */
  async pause(): Promise<void> {
    await this.#all((process) => process.pause());
  }

  /** Resolves when no process of the page runs a script. */
  async whenIdle(): Promise<void> {
    await this.#all((process) => process.whenIdle());
  }

  /** Resolves when Chrome has ended the pause. The page may be paused again by then. */
  async resume(stop: Stop): Promise<void> {
    await this.#leave(stop, stop.process.client.send("Debugger.resume"));
  }

  /** Resolves when the page has left the place. */
  async step(stop: Stop, direction: Direction): Promise<void> {
    await this.#leave(stop, stop.process.client.send(STEPS[direction]));
  }

  /**
   * Ends all pauses and the scripts that are paused, because another page takes their place. Further pauses of the page
   * end too, until the other page has come or the signal aborts.
   */
  async abandon(until: AbortSignal): Promise<void> {
    for (const process of this.#processes.values()) this.#abandoned.add(process);
    until.addEventListener("abort", () => this.#abandoned.clear(), { once: true });
    const pauses = [...this.#pauses];
    await Promise.all(pauses.map(([process, { ended }]) => unlessOver([endScript(process), ended.promise])));
  }

  async #leave(stop: Stop, sent: Promise<unknown>): Promise<void> {
    // Chrome's events of the end and of the next pause may come before its answer.
    const pause = this.#pauses.get(stop.process);
    await unlessOver(pause?.stop === stop ? [sent, pause.ended.promise] : [sent]);
  }

  async #paused(process: ProcessDebugger, event: PausedEvent, wasAsked: boolean): Promise<void> {
    const pause: Pause = { ended: Promise.withResolvers() };
    this.#pauses.set(process, pause);
    try {
      if (this.#abandoned.has(process)) return await endScript(process);
      const last = this.#lastLocals;
      const stop = await describeStop(process, event, { wasAsked, last });
      // The page may have been resumed or left meanwhile.
      if (this.#pauses.get(process) !== pause || this.#abandoned.has(process)) return;
      const isFirst = this.stop === undefined;
      pause.stop = stop;
      this.#lastLocals = stop.locals;
      if (isFirst) this.#parts.paused(stop);
    } catch (error) {
      if (!isGone(error) && !isOver(error)) this.#parts.failed(error as Error);
    }
  }

  #resumed(process: ProcessDebugger): void {
    const pause = this.#pauses.get(process);
    if (!pause) return;
    const wasFirst = pause.stop !== undefined && pause.stop === this.stop;
    this.#pauses.delete(process);
    pause.ended.resolve();
    if (!wasFirst) return;
    this.#parts.resumed();
    const next = this.stop;
    if (next) this.#parts.paused(next);
  }

  /** Works on all processes. One that goes away meanwhile is left out. */
  async #all<T>(work: (process: ProcessDebugger) => Promise<T> | undefined): Promise<T[]> {
    const done = await Promise.all(
      this.processes.map(async (process) => {
        try {
          await process.whenEnabled();
          return await work(process);
        } catch (error) {
          if (isGone(error)) return undefined;
          throw error;
        }
      }),
    );
    return done.filter((each) => each !== undefined);
  }
}

/** Leaves a pause and ends the script that is paused, which may not pause again. */
async function endScript({ client }: ProcessDebugger): Promise<void> {
  await Promise.all([
    client.send("Debugger.setSkipAllPauses", { skip: true }),
    client.send("Debugger.resume", { terminateOnResume: true }),
    client.send("Debugger.setSkipAllPauses", { skip: false }),
  ]);
}

/** Waits for all parts of leaving a pause. One that has ended by itself meanwhile has been left. */
async function unlessOver(parts: readonly Promise<unknown>[]): Promise<void> {
  try {
    await Promise.all(parts);
  } catch (error) {
    if (!isOver(error)) throw error;
  }
}

/** The pause has ended by itself meanwhile. */
function isOver(error: unknown): boolean {
  return error instanceof Error && NOT_PAUSED.test(error.message);
}

function joined(all: readonly Placed[]): Placed {
  return { places: all.flatMap(({ places }) => places), hasScript: all.some(({ hasScript }) => hasScript) };
}
