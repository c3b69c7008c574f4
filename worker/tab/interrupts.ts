// A tab's dialogs, its pauses by the debugger, and its end. They interrupt every wait for its page.
import { fail, isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";

/** A dialog that comes this soon after the last one closed belongs to the same row. */
const IN_A_ROW_MS = 1_000;

/** A dialog that waits for an answer. */
export interface OpenDialog {
  kind: "dialog";
  /** The tab that it belongs to. */
  tab: string;
  type: string;
  text: string;
  /** How many dialogs the page has opened one right after the other, with this one. */
  inARow: number;
}

/** A pause of the page's scripts by the debugger. */
export interface Pause {
  kind: "pause";
  /** The tab that it belongs to. */
  tab: string;
  /** The address of the source and its line, from 1. */
  url: string;
  line: number;
  /** The place and the reason in words, such as `app.ts:12 in addToCart (breakpoint b1)`. */
  words: string;
}

/** A reason why the page answers nothing. It ends by a call of the session. */
export type Halt = OpenDialog | Pause;

type TabState =
  /** `last`: the last dialog. */
  | { state: "RUNNING"; last?: { inARow: number; closedAtMs: number } }
  | { state: "ASKING"; dialog: OpenDialog }
  /** `error`: the reason, for later calls. */
  | { state: "CLOSED"; error: TroupeError };

type TabEvent =
  | { event: "dialogOpened"; dialog: Omit<OpenDialog, "inARow" | "kind"> }
  | { event: "dialogClosed" }
  | { event: "paused"; pause: Omit<Pause, "kind"> }
  | { event: "resumed" }
  /** The page has crashed, with its dialog. `error`: the error of the calls that waited for it. */
  | { event: "crashed"; error: TroupeError }
  | { event: "closed"; error: TroupeError };

/** `haltInterrupts`: a dialog or a pause ends the wait; true by default. `whilePaused`: of these two, only a dialog does. */
export interface GuardOptions {
  haltInterrupts?: boolean;
  whilePaused?: boolean;
}

export class Interrupts {
  readonly #related: () => readonly Interrupts[];
  readonly #changed: () => void;
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting = new Set<(crash?: TroupeError) => void>();
  #state: TabState = { state: "RUNNING" };
  #pause: Pause | undefined;

  /** `related`: those of the tabs in the same process. `changed`: called after an event of this tab or of theirs. */
  constructor(related: () => readonly Interrupts[], changed: () => void) {
    this.#related = related;
    this.#changed = changed;
  }

  /** Resolves when the target is gone. */
  get whenClosed(): Promise<void> {
    return this.#closed.promise;
  }

  get isOpen(): boolean {
    return this.#state.state !== "CLOSED";
  }

  /** The tab's own open dialog. */
  get ownDialog(): OpenDialog | undefined {
    return this.#state.state === "ASKING" ? this.#state.dialog : undefined;
  }

  /** The open dialog here or in a tab of the same process. */
  get dialog(): OpenDialog | undefined {
    return this.ownDialog ?? this.#related().find(({ ownDialog }) => ownDialog)?.ownDialog;
  }

  /** The tab's own pause. */
  get ownPause(): Pause | undefined {
    return this.#pause;
  }

  /** The pause here or in a tab of the same process. */
  get pause(): Pause | undefined {
    return this.#pause ?? this.#related().find(({ ownPause }) => ownPause)?.ownPause;
  }

  /** The reason why the page answers nothing. */
  get halt(): Halt | undefined {
    return this.dialog ?? this.pause;
  }

  apply(event: TabEvent): void {
    this.#state = nextState(this.#state, event, performance.now());
    this.#pause = nextPause(this.#pause, event);
    if (event.event === "closed") this.#closed.resolve();
    for (const each of [this, ...this.#related()]) {
      for (const interrupt of [...each.#waiting])
        interrupt(event.event === "crashed" && each === this ? event.error : undefined);
      each.#changed();
    }
  }

  /** Throws if the tab is closed, or if the page is halted and the options do not allow that. */
  check({ haltInterrupts = true, whilePaused = false }: GuardOptions = {}): void {
    if (this.#state.state === "CLOSED") throw this.#state.error;
    const halt = whilePaused ? this.dialog : this.halt;
    if (haltInterrupts && halt) throw haltError(halt);
  }

  /** Rejects early with the signal's reason, a crash, the tab's end, or a halt unless it is allowed. */
  async guard<T>(promise: Promise<T>, signal: AbortSignal, options?: GuardOptions): Promise<T> {
    // The promise may reject after the check has thrown, so a rejection must count as handled.
    promise.catch(() => undefined);
    signal.throwIfAborted();
    this.check(options);
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const interrupt = (crash?: TroupeError) => {
      try {
        if (crash) throw crash;
        this.check(options);
      } catch (error) {
        reject(error);
      }
    };
    this.#waiting.add(interrupt);
    try {
      return await within({ signal }, Promise.race([promise, interrupted]));
    } finally {
      this.#waiting.delete(interrupt);
    }
  }
}

function nextState(state: TabState, event: TabEvent, nowMs: number): TabState {
  if (state.state === "CLOSED") return state;
  const last = state.state === "RUNNING" ? state.last : { inARow: state.dialog.inARow, closedAtMs: nowMs };
  switch (event.event) {
    case "dialogOpened": {
      const inARow = last && nowMs - last.closedAtMs <= IN_A_ROW_MS ? last.inARow + 1 : 1;
      return { state: "ASKING", dialog: { ...event.dialog, kind: "dialog", inARow } };
    }
    case "dialogClosed":
    case "crashed":
      return { state: "RUNNING", ...(last && { last }) };
    case "closed":
      return { state: "CLOSED", error: event.error };
    default:
      return state;
  }
}

function nextPause(pause: Pause | undefined, event: TabEvent): Pause | undefined {
  switch (event.event) {
    case "paused":
      return { ...event.pause, kind: "pause" };
    case "resumed":
    case "crashed":
    case "closed":
      return undefined;
    default:
      return pause;
  }
}

/** Returns DIALOG_OPEN or EXECUTION_PAUSED. */
export function haltError(halt: Halt): TroupeError {
  if (halt.kind === "pause") {
    const { url, line, words, tab } = halt;
    return fail("EXECUTION_PAUSED", { url, line, words, tab });
  }
  const { type, text, tab, inARow } = halt;
  return fail("DIALOG_OPEN", { dialog: type, text, tab, ...(inARow > 1 && { inARow }) });
}

/** Returns true for the errors of {@link haltError}. */
export function isHalt(error: unknown): boolean {
  return isTroupeError(error) && (error.type === "DIALOG_OPEN" || error.type === "EXECUTION_PAUSED");
}
