// Draws what a watched tab shows as the lines of a screen.
import type { Paint } from "../terminal/paint.ts";
import { fitted } from "./fit.ts";

/** The page as it was last sent, and where the person looks. */
export interface View {
  lines: readonly string[];
  /** The numbers of the lines that the last update changed. */
  changed: ReadonlySet<number>;
  /** The first line that is shown. */
  top: number;
}

export interface ScreenSize {
  rows: number;
  columns: number;
}

/** The rows for the title and for the state of the stream. */
const FRAME_ROWS = 2;
const MARK = "▌ ";
const ROWS_MIN = 3;

/** Returns how many lines of the page fit. */
export function roomOn({ rows }: ScreenSize): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** Returns the lines after `now` has replaced `before`, those that are new marked. Equal lines may change places. */
export function changedLines(before: readonly string[], now: readonly string[]): Set<number> {
  const known = new Map<string, number>();
  for (const line of before) known.set(line, (known.get(line) ?? 0) + 1);
  const changed = new Set<number>();
  for (const [index, line] of now.entries()) {
    const left = known.get(line) ?? 0;
    if (left === 0) changed.add(index);
    else known.set(line, left - 1);
  }
  return changed;
}

/** Returns the first line to show so that a change is in sight. A view that shows one already stays. */
export function topFor({ lines, changed, top }: View, size: ScreenSize): number {
  const room = roomOn(size);
  const [first] = changed;
  const inSight = [...changed].some((index) => index >= top && index < top + room);
  return bounded(first === undefined || inSight ? top : first - Math.floor(room / 3), lines.length, room);
}

/** Returns the first line to show after scrolling. */
export function scrolled({ lines, top }: View, by: number, size: ScreenSize): number {
  return bounded(top + by, lines.length, roomOn(size));
}

function bounded(top: number, count: number, room: number): number {
  return Math.max(0, Math.min(top, count - room));
}

/** Returns exactly as many lines as the screen has rows, none wider than the screen. */
export function picture(
  view: View,
  { title, state }: { title: string; state: string },
  size: ScreenSize,
  paint: Paint,
): string[] {
  const { rows, columns } = size;
  if (rows < ROWS_MIN) return [fitted(state, columns)];
  const room = roomOn(size);
  const shown = view.lines.slice(view.top, view.top + room).map((line, index) => {
    const isChanged = view.changed.has(view.top + index);
    const text = fitted(`${isChanged ? MARK : " ".repeat(MARK.length)}${line}`, columns);
    return isChanged ? paint("yellow", text) : text;
  });
  const blank = Array.from({ length: room - shown.length }, () => "");
  const below = Math.max(0, view.lines.length - view.top - room);
  const place = [view.top > 0 ? `${view.top} lines above` : "", below > 0 ? `${below} below` : ""];
  const foot = [state, ...place.filter(Boolean), "q quits"].join(" · ");
  return [paint("bold", fitted(title, columns)), ...shown, ...blank, paint("dim", fitted(foot, columns))];
}
