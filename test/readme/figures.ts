// The figures in README, taken from the results of the benchmarks.
import { cellOf } from "../bench/results/read-table.ts";

interface Row {
  what: string;
  /** The table of RESULTS.md, by the heading above it, and its column. */
  table: string;
  column: string;
}

const COMPARED = { Troupe: /^Troupe /, "Playwright MCP": /^Playwright MCP / };
const ROWS: readonly Row[] = [
  { what: "first look at 1,250 rows", table: "Full look, the first at a page", column: "1,250 rows" },
  {
    what: "look again, one row changed",
    table: "Look again, after one row has changed",
    column: "1,250 rows",
  },
  { what: "look again, nothing changed", table: "Look again, nothing changed", column: "1,250 rows" },
  {
    what: "click, until the reply",
    table: "Actions, until the reply is there",
    column: "click that changes the page at once",
  },
  {
    what: "type, until the reply",
    table: "Actions, until the reply is there",
    column: "type into a field",
  },
  { what: "first page, nothing runs yet", table: "Starts", column: "first page, nothing runs" },
  { what: "list of tools", table: "The list of tools", column: "tools/list" },
];

/** Returns the table that compares Troupe with Playwright MCP. Throws if the results lack a cell. */
export function figures(results: string): string {
  const rows = ROWS.map(({ what, table, column }) => [
    what,
    // The ratio is to Troupe, which stands beside it here.
    ...Object.values(COMPARED).map((name) => cellOf(results, table, column, name).replace(/, [\d.]+×$/, "")),
  ]);
  return [["", ...Object.keys(COMPARED)], ["---", "---", "---"], ...rows].map(lineOf).join("\n");
}

/** Returns the sentence on how often a plan helps. Throws if the results lack a number. */
export function recoverySentence(recovery: string): string {
  const count = (row: string) => {
    const [, recovered, all] = new RegExp(`\\| \\W*${row}\\W* \\| (\\d+) of (\\d+) `).exec(recovery) ?? [];
    if (!recovered || !all) throw new Error(`RECOVERY.md has no row "${row}"`);
    return { recovered, all };
  };
  const [plan, message] = [count("all, by the plan"), count("all, by the message alone")];
  return `Of ${plan.all} staged faults, a script that only follows the steps recovers from ${plan.recovered}. The message alone is enough for ${message.recovered}.`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
