/** Reads the tables of RESULTS.md, for what is made of its figures. */

/** Returns a cell, by the heading above its table, its column, and its row's first words. Throws if it is missing. */
export function cellOf(results: string, table: string, column: string, name: RegExp): string {
  const [, body = ""] = results.split(`### ${table}\n`);
  const rows = (body.split("\n###")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const at = rows[0]?.indexOf(column) ?? -1;
  const cell = rows.find(([, first = ""]) => name.test(first))?.[at];
  if (!cell) throw new Error(`RESULTS.md has no ${column} for ${name} under "${table}"`);
  return cell;
}

/** Returns a cell's milliseconds, or undefined if it has none. */
export function msOf(cell: string): number | undefined {
  const [, text] = /^([\d,.]+) ms\b/.exec(cell) ?? [];
  return text === undefined ? undefined : Number(text.replaceAll(",", ""));
}
