/** Prints the results for people: tables with ratios to Troupe, targets, and failed measurements. */
import { bars, judge, shownCharacters, shownMs, shownQuantity, shownTimes, type Verdict } from "./bars.ts";
import type { Machine } from "./machine.ts";
import { actionsPage, navigatePage } from "./measure/actions.ts";
import { taskPage, tasks } from "./measure/apps.ts";
import { coldPage, warmPage } from "./measure/cold.ts";
import { controlPage } from "./measure/control-plane.ts";
import { LOADED_SESSIONS } from "./measure/load.ts";
import { openingPage } from "./measure/openings.ts";
import { restartsPage } from "./measure/restarts.ts";
import { PAUSE_MS, rhythmPage, rhythmSizes } from "./measure/rhythm.ts";
import { coldStart, warmStart } from "./measure/starts.ts";
import { toolsPage } from "./measure/tool-lists.ts";
import { hugeRows, listPage, listSizes } from "./pages/list-page.ts";
import { realPages } from "./pages/real-pages.ts";
import { type ContenderId, type Figure, figure, quantity, type Results } from "./results/results.ts";
import { markdownTable } from "./tables.ts";

export interface Report {
  results: Results;
  machine: Machine;
  /** The contenders that took part, Troupe first. */
  titles: Partial<Record<ContenderId, string>>;
  /** In the form 2026-11-20. */
  date: string;
}

interface Column {
  heading: string;
  page: string;
  measure: string;
  /** The measure that replaces it for contenders with one kind of snapshot. */
  instead?: string;
}

interface Table {
  title: string;
  columns: Column[];
}

const looks: [measure: string, title: string, instead?: string][] = [
  ["full-first", "Full look, the first at a page"],
  ["full-again", "Full look again, after five rows and a checkbox have changed", "one-row"],
  ["one-row", "Look again, after one row has changed"],
  ["unchanged", "Look again, nothing changed"],
  ["default-first", "Look without arguments, the first at a page", "full-first"],
  ["default-again", "The same again, the whole asked for, after five rows have changed", "one-row"],
];

/** They have only full snapshots. */
const oneLookOnly: ReadonlySet<ContenderId> = new Set(["playwright", "chrome-devtools"]);

const tables: Table[] = [
  ...looks.map(([measure, title, instead]) => ({ title, columns: listColumns(measure, instead) })),
  {
    title: `Looks again in an agent's rhythm, ${PAUSE_MS} ms between calls`,
    columns: rhythmSizes.flatMap((rows) => [
      { heading: `nothing changed, ${rows} rows`, page: rhythmPage(rows), measure: "unchanged" },
      { heading: `one row changed, ${rows} rows`, page: rhythmPage(rows), measure: "one-row" },
    ]),
  },
  {
    title: "Full look at real pages",
    columns: realPages.map(({ id, title }) => ({ heading: title, page: id, measure: "full-first" })),
  },
  {
    title: "Look at real pages without arguments",
    columns: realPages.map(({ id, title }) => ({
      heading: title,
      page: id,
      measure: "default-first",
      instead: "full-first",
    })),
  },
  {
    title: "Actions, until the reply is there",
    columns: [
      { heading: "click that changes the page at once", page: actionsPage, measure: "click" },
      { heading: "type into a field", page: actionsPage, measure: "type" },
      { heading: "navigate (small page)", page: navigatePage, measure: "navigate" },
    ],
  },
  {
    title: "A new server's first calls, and the same once it is warm",
    columns: [
      ["full look at 125 rows", "full-first"],
      ["click", "click"],
      ["type", "type"],
    ].flatMap(([heading = "", measure = ""]) => [
      { heading: `${heading}, first`, page: coldPage, measure },
      { heading: `${heading}, warm`, page: warmPage, measure },
    ]),
  },
  {
    title: "Tasks in applications of real libraries, with all that is read",
    columns: tasks.map((task) => ({ heading: task.title, page: taskPage(task), measure: "task" })),
  },
  {
    title: "Starts",
    columns: [
      { heading: "connect, nothing runs", page: coldStart, measure: "connect" },
      { heading: "first page, nothing runs", page: coldStart, measure: "first-page" },
      { heading: "connect, daemon and role run", page: warmStart, measure: "connect" },
      { heading: "first page, daemon and role run", page: warmStart, measure: "first-page" },
    ],
  },
  {
    title: "A session's next answer after kill -9",
    columns: [
      { heading: "of its worker", page: restartsPage, measure: "kill-worker" },
      { heading: "of its browser", page: restartsPage, measure: "kill-browser" },
    ],
  },
  {
    title: "First page of a new session",
    columns: [
      { heading: "prepared", page: openingPage, measure: "prepared" },
      { heading: "not prepared", page: openingPage, measure: "not-prepared" },
    ],
  },
];

/** Returns the whole report in Markdown. */
export function reportText(report: Report): string {
  const { results } = report;
  const verdicts = bars.map((bar) => judge(bar, results));
  const parts = [
    "# Benchmark results",
    "Written by `npm run bench`. Compare within this file, never across runs or machines.",
    circumstances(report),
    "## Targets",
    targetsTable(verdicts),
    reachedLine(verdicts),
    "## Figures",
    "Each cell: the median time, the answer's characters, and how many times as long as Troupe it took. Rounds: how many the median is of.",
    ...tables.map((table) => figuresTable(table, report)),
    toolLists(report),
    controlPlane(results),
    quantityTable(results),
    failures(report),
    method,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** The share of the cores that a system uses by itself. */
const QUIET_LOAD_SHARE = 0.5;

/** Says how many of the measured targets are reached. */
export function reachedLine(verdicts: readonly Verdict[]): string {
  const measured = verdicts.filter(({ reached }) => reached !== undefined);
  const reached = measured.filter((verdict) => verdict.reached).length;
  return `${reached} of ${measured.length} measured targets are reached.`;
}

function circumstances({ machine, titles, date }: Report): string {
  const { processor, cores, memoryGb, system, node, browser, loadBefore } = machine;
  const busy = loadBefore > cores * QUIET_LOAD_SHARE;
  return [
    `- ${date}, ${cores} × ${processor}, ${memoryGb} GB, ${system}`,
    `- ${browser}, headless, the same for all; Node ${node.replace(/^v/, "")}`,
    `- ${Object.values(titles).join(", ")}`,
    ...(busy
      ? [`- The machine was busy before the run (load ${loadBefore.toFixed(1)}): times say little.`]
      : []),
  ].join("\n");
}

function targetsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ bar, target, measured = "not measured", reached }) => [
    `${bar.measure}, ${bar.page}`,
    target,
    measured,
    reached === undefined ? "–" : reached ? "reached" : "NOT REACHED",
  ]);
  return markdownTable([["what", "target", "measured", ""], ...rows]);
}

function figuresTable({ title, columns }: Table, { results, titles }: Report): string {
  const of = (contender: ContenderId, { page, measure, instead }: Column) =>
    figure(results, { contender, page, measure }) ??
    (instead && oneLookOnly.has(contender)
      ? figure(results, { contender, page, measure: instead })
      : undefined);
  const taking = Object.keys(titles) as ContenderId[];
  const shown = columns.filter(({ page, measure }) =>
    taking.some((contender) => figure(results, { contender, page, measure })),
  );
  const rows = taking
    .filter((id) => shown.some((column) => of(id, column)))
    .map((id) => [
      titles[id] ?? id,
      ...shown.map((column) => cell(of(id, column), of("troupe", column), id)),
    ]);
  if (rows.length === 0) return "";
  const rounds = shown.map((column) => roundsText(taking.flatMap((id) => of(id, column)?.n ?? [])));
  const heading = ["", ...shown.map((column) => column.heading)];
  return `### ${title}\n\n${markdownTable([heading, ...rows, ["rounds", ...rounds]])}`;
}

function cell(own: Figure | undefined, troupe: Figure | undefined, id: ContenderId): string {
  if (!own) return "–";
  const size = own.characters ? [shownCharacters(own.characters).replace(" characters", "")] : [];
  const times = id !== "troupe" && troupe ? [shownTimes(own.ms / troupe.ms)] : [];
  return [shownMs(own.ms), ...size, ...times].join(", ");
}

function roundsText(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? String(most) : `${least}–${most}`;
}

function toolLists({ results, titles }: Report): string {
  const rows = (Object.keys(titles) as ContenderId[]).flatMap((contender) => {
    const found = figure(results, { contender, page: toolsPage, measure: "tools" });
    return found?.characters ? [[titles[contender] ?? contender, shownCharacters(found.characters)]] : [];
  });
  return rows.length > 0 ? `### The list of tools\n\n${markdownTable([["", "tools/list"], ...rows])}` : "";
}

function controlPlane(results: Results): string {
  const of = (measure: string) => figure(results, { contender: "troupe", page: controlPage, measure });
  const [raw, grpc] = [of("raw-cdp"), of("grpc")];
  if (!raw || !grpc) return "";
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const row = [ms(raw.ms), ms(grpc.ms), ms(grpc.ms - raw.ms), String(raw.n)];
  const heading = ["straight over a pipe", "through daemon and worker", "added", "rounds"];
  return `### A question that Chrome answers, asked by gRPC\n\n${markdownTable([heading, row])}`;
}

function quantityTable(results: Results): string {
  const kept = new Map(results.quantities.map((each) => [`${each.page}, ${each.measure}`, each]));
  const rows = [...kept].map(([what, each]) => [
    what,
    shownQuantity(quantity(results, each) ?? 0, each.unit),
  ]);
  return rows.length > 0
    ? `### Calls a second, memory, idle processor time\n\n${markdownTable([["what", "measured"], ...rows])}`
    : "";
}

function failures({ results, titles }: Report): string {
  if (results.failures.length === 0) return "";
  const lines = results.failures.map(
    ({ contender, page, measure, reason }) =>
      `- ${contender === "everyone" ? contender : (titles[contender] ?? contender)}, ${page}, ${measure}: ${reason}`,
  );
  return `## What could not be measured\n\n${lines.join("\n")}`;
}

const method = `## How it is measured

Everyone is an MCP server over stdio with a browser of its own, started as its README says, and runs through the whole
benchmark beside the others; they take turns round by round. A time is from the call to the end of its answer at the
client. Lists have 8 elements a row, and another text at each visit. A page that is to be looked at first is opened by
the page before it, so that nobody has seen it; it is changed by its own script, and a frame is painted before the next
look. An answer counts only if it holds what is at the end of the page, or what has changed.

Playwright MCP and chrome-devtools-mcp know only full looks: these stand in all tables of looks. agent-browser's looks
without arguments list what can be acted on, its looks again are its \`delta\`; from 6,250 rows on it is asked for less.
Its actions do not tell what changed, so a look follows each, as part of the action. Replies of Playwright MCP's actions
name a file with the page; reading it is not counted. Who fails is started anew, and left out of a page where it fails
twice.

In an agent's rhythm the client waits between its calls. A task counts only if the application recorded it; a contender
looks in full where its last reply lacks the element it needs. Memory is PSS, with 50 awake sessions that show a plain
page; one more session is the mean of 49. Calls a second come from one client with 8 calls in flight to the daemon, and
with 64 to two workers, one a session. Under load, ${LOADED_SESSIONS} awake sessions in 4 roles have a call each 5 s:
five looks, four clicks and a navigation of ten, at a page of 125 rows. A reply's time begins when its call is due.

Real pages load from their packages alone; what they want from the network is refused to all alike.`;

function listColumns(measure: string, instead?: string): Column[] {
  return [...listSizes, hugeRows].map((rows) => ({
    heading: rows === hugeRows ? "100,000 elements" : `${rows.toLocaleString("en-US")} rows`,
    page: listPage(rows),
    measure,
    ...(instead && { instead }),
  }));
}
