// Holds what a session has set in its debugger. It counts for all tabs of the session in the role, and for later ones.
import type { Breakpoint, SessionRecord } from "../../proto/gen/troupe.ts";

export type ExceptionState = "none" | "uncaught" | "all";
/** A breakpoint as the session asked for it. Empty texts mean that there is none. */
export type BreakpointSpec = Required<Pick<Breakpoint, "id" | "url" | "line">> & {
  condition: string;
  logMessage: string;
};
type DebuggerRecord = NonNullable<SessionRecord["debugger"]>;

/** A session may have this many breakpoints. */
export const BREAKPOINTS_MAX = 100;

const STATES: readonly ExceptionState[] = ["none", "uncaught", "all"];

/** A session's debugger: off, or on with its breakpoints. */
export class DebugSettings {
  #isOn = false;
  #exceptions: ExceptionState = "none";
  readonly #breakpoints = new Map<string, BreakpointSpec>();
  #nextNumber = 1;

  /** `record`: the settings of a worker that died, or from before the session's hibernation. */
  constructor(record?: DebuggerRecord | null) {
    if (!record) return;
    this.#isOn = true;
    this.#exceptions = STATES.find((state) => state === record.exceptions) ?? "none";
    this.#nextNumber = record.nextBreakpoint;
    for (const { id, url, line, condition = "", logMessage = "" } of record.breakpoints)
      this.#breakpoints.set(id, { id, url, line, condition, logMessage });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get exceptions(): ExceptionState {
    return this.#exceptions;
  }

  /** All breakpoints, oldest first. */
  get breakpoints(): readonly BreakpointSpec[] {
    return [...this.#breakpoints.values()];
  }

  turnOn(): void {
    this.#isOn = true;
  }

  pauseOn(exceptions: ExceptionState): void {
    this.#exceptions = exceptions;
  }

  /** Adds a breakpoint. One at the same place is replaced and keeps its id. */
  add(asked: Omit<BreakpointSpec, "id">): BreakpointSpec {
    const same = this.breakpoints.find(({ url, line }) => url === asked.url && line === asked.line);
    const breakpoint = { ...asked, id: same?.id ?? `b${this.#nextNumber++}` };
    this.#breakpoints.set(breakpoint.id, breakpoint);
    return breakpoint;
  }

  get(id: string): BreakpointSpec | undefined {
    return this.#breakpoints.get(id);
  }

  remove(id: string): void {
    this.#breakpoints.delete(id);
  }

  /** Returns what another worker needs to set it again. Undefined while the debugger is off. */
  record(): DebuggerRecord | null {
    if (!this.#isOn) return null;
    return {
      breakpoints: [...this.breakpoints],
      nextBreakpoint: this.#nextNumber,
      exceptions: this.#exceptions,
    };
  }
}
