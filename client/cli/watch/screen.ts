// Takes over a terminal's screen, and gives it back as it was, however the program ends.
import type { Terminal } from "../terminal/command.ts";
import type { ScreenSize } from "./picture.ts";

/** The alternate screen, no cursor, no wrapping of long lines. */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";
/** A terminal that knows these shows the picture at once. */
const TOGETHER = { begin: "\u001b[?2026h", end: "\u001b[?2026l" };
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SUSPEND = "\u001a";
/** A terminal that reports no size is taken for one of these. */
const SIZE_DEFAULT: ScreenSize = { rows: 24, columns: 80 };

export interface ScreenEvents {
  /** The person pressed these keys. */
  keys(keys: string): void;
  /** The picture must be drawn again. */
  redraw(): void;
  /** The terminal or another program ends this one. */
  ended(): void;
}

/** Its disposal gives the terminal back. */
export class Screen implements Disposable {
  readonly #terminal: Terminal;
  readonly #events: ScreenEvents;
  #isOpen = false;

  constructor(terminal: Terminal, events: ScreenEvents) {
    this.#terminal = terminal;
    this.#events = events;
    const { input, output } = terminal;
    output.on("resize", events.redraw);
    input?.setEncoding("utf8").on("data", this.#read).on("end", events.ended).on("error", events.ended);
    for (const signal of ENDING) process.on(signal, events.ended);
    process.on("SIGCONT", this.#resume);
    process.on("exit", this.#leave);
    this.#enter();
  }

  get size(): ScreenSize {
    const { rows, columns } = this.#terminal.output;
    return { rows: rows || SIZE_DEFAULT.rows, columns: columns || SIZE_DEFAULT.columns };
  }

  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    const picture = lines.map((line) => `${line}${REST_OF_LINE}`).join("\r\n");
    this.#terminal.output.write(`${TOGETHER.begin}${HOME}${picture}${REST_OF_SCREEN}${TOGETHER.end}`);
  }

  [Symbol.dispose](): void {
    this.#leave();
    const { input, output } = this.#terminal;
    output.off("resize", this.#events.redraw);
    input?.off("data", this.#read).off("end", this.#events.ended).off("error", this.#events.ended).pause();
    for (const signal of ENDING) process.off(signal, this.#events.ended);
    process.off("SIGCONT", this.#resume);
    process.off("exit", this.#leave);
  }

  #enter(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#terminal.input?.setRawMode(true);
    this.#terminal.output.write(ENTER);
  }

  readonly #leave = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#terminal.output.write(LEAVE);
    this.#terminal.input?.setRawMode(false);
  };

  /** In raw mode the terminal itself does not suspend the program. */
  readonly #read = (keys: string | Buffer): void => {
    if (String(keys).includes(SUSPEND)) {
      this.#leave();
      process.kill(process.pid, "SIGTSTP");
    } else this.#events.keys(String(keys));
  };

  readonly #resume = (): void => {
    this.#enter();
    this.#events.redraw();
  };
}
