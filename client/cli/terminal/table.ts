// Prints rows of text in aligned columns, for people.
import { oneLine } from "../../../proto/text/quote.ts";

/** Prints the head in capitals, then one line for each row. An empty cell is shown as `-`. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [
    head.map((cell) => cell.toUpperCase()),
    ...rows.map((row) => row.map((cell) => oneLine(`${cell}`) || "-")),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A duration in its two largest units. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
