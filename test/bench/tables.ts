/** Prints Markdown tables whose columns also line up in a terminal. */

/** The first row is the heading. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...body] = rows.map((row) => row.map(escaped));
  const widths = heading.map((_, i) => Math.max(3, ...[heading, ...body].map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, i) => (row[i] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(heading), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

const escaped = (cell: string) => cell.replaceAll("|", "\\|").replaceAll("\n", " ");
