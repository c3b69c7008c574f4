// The figures of a scenario, and their bars.

/** A figure. `bar` is the required value. A figure without a bar is for information. */
export interface Figure {
  name: string;
  value: number;
  unit?: "ms" | "%" | "MiB" | "calls" | "s";
  bar?: { most: number } | { least: number };
  /** Details that help to find the cause. */
  note?: string;
}

/** Returns true if a figure reaches its bar. */
export function isReached({ value, bar }: Figure): boolean {
  if (!bar) return true;
  // A figure that could not be measured does not reach its bar.
  if (Number.isNaN(value)) return false;
  return "most" in bar ? value <= bar.most : value >= bar.least;
}

/** Returns the figures of a scenario as lines of a table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [figure.name, shown(figure), barOf(figure), standingOf(figure)]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([name = "", value = "", bar = "", standing = ""]) =>
      `  ${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${bar.padEnd(widths[2] ?? 0)}  ${standing}`.trimEnd(),
    )
    .join("\n");
}

function shown({ value, unit }: Figure): string {
  const number = Number.isNaN(value) ? "none" : String(Math.round(value * 100) / 100);
  return unit ? `${number} ${unit}` : number;
}

function barOf({ bar }: Figure): string {
  if (!bar) return "";
  return "most" in bar ? `at most ${bar.most}` : `at least ${bar.least}`;
}

function standingOf(figure: Figure): string {
  const standing = !figure.bar ? "" : isReached(figure) ? "reached" : "NOT REACHED";
  return [standing, figure.note && `(${figure.note})`].filter(Boolean).join(" ");
}
