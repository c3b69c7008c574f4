/** The plots that README shows. They are drawn from the tables of RESULTS.md. */
import { cellOf, msOf } from "../results/read-table.ts";
import { type BarPlot, barPlot } from "./bar-plot.ts";

const SERIES = ["Troupe", "Playwright MCP", "chrome-devtools-mcp", "agent-browser"] as const;
const AXIS = "milliseconds, median, logarithmic: shorter is better";

interface Group {
  name: string;
  table: string;
  column: string;
}

const PLOTS: readonly { file: string; title: string; groups: readonly Group[] }[] = [
  {
    file: "docs/bench-looks.svg",
    title: "Looks at a page of 1,250 rows, 10,000 elements",
    groups: [
      group("first, in full", "Full look, the first at a page", "1,250 rows"),
      group("first, without arguments", "Look without arguments, the first at a page", "1,250 rows"),
      group("again, one row changed", "Look again, after one row has changed", "1,250 rows"),
      group("again, nothing changed", "Look again, nothing changed", "1,250 rows"),
    ],
  },
  {
    file: "docs/bench-actions.svg",
    title: "Actions and starts, until the reply is there",
    groups: [
      group(
        "click that changes the page",
        "Actions, until the reply is there",
        "click that changes the page at once",
      ),
      group("type into a field", "Actions, until the reply is there", "type into a field"),
      group("navigate (small page)", "Actions, until the reply is there", "navigate (small page)"),
      group("first page, nothing runs", "Starts", "first page, nothing runs"),
    ],
  },
];

/** Returns the files with their texts. Throws if the results lack a cell. */
export function plotsOf(results: string): { file: string; text: string }[] {
  return PLOTS.map(({ file, title, groups }) => {
    const plot: BarPlot = {
      title,
      axis: AXIS,
      series: SERIES,
      groups: groups.map(({ name, table, column }) => ({
        name,
        values: SERIES.map((series) => msOf(cellOf(results, table, column, new RegExp(`^${series} `)))),
      })),
    };
    return { file, text: barPlot(plot) };
  });
}

function group(name: string, table: string, column: string): Group {
  return { name, table, column };
}
