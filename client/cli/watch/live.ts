// Shows a watched tab on a terminal's screen, drawn anew with each update, until the person quits.
import type { SnapshotUpdate } from "../../../proto/gen/troupe.ts";
import type { Terminal } from "../terminal/command.ts";
import { painter } from "../terminal/paint.ts";
import { plainLines } from "./fit.ts";
import { changedLines, picture, roomOn, scrolled, topFor, type View } from "./picture.ts";
import { Screen } from "./screen.ts";

export interface Live {
  terminal: Terminal;
  title: string;
  /** Ends the updates. */
  stop: AbortController;
}

/** A screen that updates and messages go to. Its disposal gives the terminal back. */
export class LiveScreen implements Disposable {
  readonly #live: Live;
  readonly #screen: Screen;
  #view: View = { lines: [], changed: new Set(), top: 0 };
  #state = "waiting for the page";
  #hasTree = false;

  constructor(live: Live) {
    this.#live = live;
    this.#screen = new Screen(live.terminal, {
      keys: (keys) => this.#pressed(keys),
      redraw: () => this.#draw(),
      ended: () => live.stop.abort(),
    });
    this.#draw();
  }

  show({ kind, text, elementCount }: SnapshotUpdate): void {
    const lines = plainLines(text);
    // A dialog stands before the page, which answers nothing until it is closed.
    const isDialog = kind === "SNAPSHOT_KIND_UNCHANGED";
    const changed = this.#hasTree && !isDialog ? changedLines(this.#view.lines, lines) : new Set<number>();
    const view = isDialog
      ? { ...this.#view, lines: [...lines, "", ...this.#view.lines], changed: new Set([0]), top: 0 }
      : { lines, changed, top: this.#view.top };
    this.#view = { ...view, top: topFor(view, this.#screen.size) };
    this.#state = `${elementCount || "…"} elements, changed at ${timeOfDay()}`;
    this.#hasTree = true;
    this.#draw();
  }

  /** Shows why there are no updates for a while. */
  say(message: string): void {
    this.#state = plainLines(message).join(" ");
    this.#draw();
  }

  [Symbol.dispose](): void {
    this.#screen[Symbol.dispose]();
  }

  #pressed(keys: string): void {
    if (/^[qQ\u0003\u0004]/.test(keys)) {
      this.#live.stop.abort();
      return;
    }
    const room = roomOn(this.#screen.size);
    const by = Object.hasOwn(STEPS, keys) ? STEPS[keys as keyof typeof STEPS](room) : 0;
    if (by === 0) return;
    this.#view = { ...this.#view, top: scrolled(this.#view, by, this.#screen.size) };
    this.#draw();
  }

  #draw(): void {
    const { terminal, title } = this.#live;
    const { size } = this.#screen;
    this.#view = { ...this.#view, top: scrolled(this.#view, 0, size) };
    this.#screen.draw(picture(this.#view, { title, state: this.#state }, size, painter(terminal)));
  }
}

/** How far each key scrolls. */
const STEPS = {
  "\u001b[A": () => -1,
  "\u001bOA": () => -1,
  k: () => -1,
  "\u001b[B": () => 1,
  "\u001bOB": () => 1,
  j: () => 1,
  "\u001b[5~": (room: number) => -room,
  b: (room: number) => -room,
  "\u001b[6~": (room: number) => room,
  " ": (room: number) => room,
  "\u001b[H": () => Number.NEGATIVE_INFINITY,
  g: () => Number.NEGATIVE_INFINITY,
  "\u001b[F": () => Number.POSITIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}
