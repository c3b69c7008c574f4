/** The targets that Troupe must reach, and the check of a run's results. */
import { actionsPage, navigatePage } from "./measure/actions.ts";
import { taskPage, tasks } from "./measure/apps.ts";
import { coldPage } from "./measure/cold.ts";
import { controlPage } from "./measure/control-plane.ts";
import { densityPage } from "./measure/density.ts";
import { LOADED_SESSIONS, loadPage } from "./measure/load.ts";
import { restartsPage } from "./measure/restarts.ts";
import { rhythmPage, rhythmSizes } from "./measure/rhythm.ts";
import { coldStart, warmStart } from "./measure/starts.ts";
import { throughputPage } from "./measure/throughput.ts";
import { toolsPage } from "./measure/tool-lists.ts";
import { hugeRows, listPage, listSizes } from "./pages/list-page.ts";
import { realPages } from "./pages/real-pages.ts";
import {
  type ContenderId,
  type Figure,
  figure,
  quantity,
  type Results,
  type Unit,
} from "./results/results.ts";
import { timesAhead } from "./results/statistics.ts";

/** One target. It always compares Troupe's own figure of the measure and page. */
export type Bar = { page: string; measure: string } & (
  | { msMax: number }
  | { charactersMax: number }
  /** How many times as fast as this peer. */
  | { aheadOf: ContenderId; measureOfPeer?: string; timesMin: number }
  /** A share of this peer's characters. */
  | { sizeOf: ContenderId; shareMax: number }
  /** A multiple of its own characters on another page, for sizes that must not grow. */
  | { sizeAt: string; timesMax: number }
  /** The time above another of its own measures. */
  | { over: string; msMax: number }
  | { quantityMax: number; unit: Unit }
  | { quantityMin: number; unit: Unit }
);

export interface Verdict {
  bar: Bar;
  target: string;
  /** Undefined if it was not measured. */
  measured?: string;
  reached?: boolean;
}

const peersAhead = ["playwright", "chrome-devtools"] as const;
const [smallest, small, large, largest] = listSizes.map(listPage) as [string, string, string, string];
const huge = listPage(hugeRows);

export const bars: readonly Bar[] = [
  ...most("full-first", { [smallest]: 5, [small]: 8, [large]: 35, [largest]: 120 }),
  ...ahead("full-first", largest, 16),
  ...ahead("full-first", small, 6),
  ...most("full-again", { [large]: 10, [largest]: 50 }),
  ...most("default-first", { [smallest]: 5, [small]: 12, [large]: 20, [largest]: 35, [huge]: 35 }),
  ...most("default-again", { [largest]: 20, [huge]: 20 }),
  { page: largest, measure: "default-first", charactersMax: 24_000 },
  { page: huge, measure: "default-first", charactersMax: 24_000 },
  ...most("unchanged", { [large]: 3, [largest]: 3 }),
  ...ahead("unchanged", largest, 600),
  ...most("one-row", { [large]: 5, [largest]: 5 }),
  ...ahead("one-row", largest, 300),
  { page: largest, measure: "one-row", sizeAt: small, timesMax: 1.5 },
  ...[...listSizes.map(listPage), ...realPages.map(({ id }) => id)].flatMap(sizes),
  ...most("click", { [actionsPage]: 40 }),
  ...ahead("click", actionsPage, 10),
  ...most("type", { [actionsPage]: 15 }),
  ...most("navigate", { [navigatePage]: 60 }),
  ...most("connect", { [warmStart]: 200, [coldStart]: 200 }),
  ...most("first-page", { [warmStart]: 400, [coldStart]: 1500 }),
  { page: toolsPage, measure: "tools", charactersMax: 12_000 },
  { page: controlPage, measure: "grpc", over: "raw-cdp", msMax: 1.5 },
  { page: throughputPage, measure: "daemon", quantityMin: 3000, unit: "calls/s" },
  { page: throughputPage, measure: "workers", quantityMin: 2000, unit: "calls/s" },
  ...most("kill-worker", { [restartsPage]: 2000 }),
  ...most("kill-browser", { [restartsPage]: 2000 }),
  ...rhythmSizes.flatMap((rows) => [
    ...most("unchanged", { [rhythmPage(rows)]: 4 }),
    ...most("one-row", { [rhythmPage(rows)]: 6 }),
  ]),
  ...most("full-first", { [coldPage]: 10 }),
  ...most("click", { [coldPage]: 40 }),
  ...most("type", { [coldPage]: 15 }),
  ...underLoad("headless-shell"),
  ...underLoad("chrome"),
  ...memory("one more session", { "headless-shell": 20, chrome: 30 }),
  ...memory("worker", { "headless-shell": 70, chrome: 70 }),
  ...memory("daemon", { "headless-shell": 90, chrome: 90 }),
  { page: densityPage, measure: "idle, headless-shell", quantityMax: 0.5, unit: "% of a core" },
  { page: densityPage, measure: "idle, chrome", quantityMax: 0.5, unit: "% of a core" },
  // For 37 tasks in other applications the goal is 45 s, of which Playwright MCP needed 173 s.
  ...tasks.map((task) => ({
    page: taskPage(task),
    measure: "task",
    aheadOf: "playwright" as const,
    timesMin: 3.8,
  })),
];

/** Returns the verdict of the results on a bar. */
export function judge(bar: Bar, results: Pick<Results, "samples" | "quantities">): Verdict {
  if ("unit" in bar) return ofQuantity(bar, quantity(results, bar));
  const { page, measure } = bar;
  const of = (contender: ContenderId, at: { page?: string; measure?: string } = {}) =>
    figure(results, { contender, page, measure, ...at });
  const own = of("troupe");
  if ("over" in bar) {
    const added = difference(own?.ms, of("troupe", { measure: bar.over })?.ms);
    return verdict(bar, `≤ ${bar.msMax} ms more than ${bar.over}`, added, atMost(bar.msMax), shownMs);
  }
  if ("msMax" in bar) return verdict(bar, `≤ ${bar.msMax} ms`, own?.ms, atMost(bar.msMax), shownMs);
  if ("charactersMax" in bar) {
    const { charactersMax } = bar;
    const target = `≤ ${shownCharacters(charactersMax)}`;
    return verdict(bar, target, own?.characters, atMost(charactersMax), shownCharacters);
  }
  if ("aheadOf" in bar) {
    const times = timesAhead(own?.ms, of(bar.aheadOf)?.ms);
    return verdict(
      bar,
      `≥ ${bar.timesMin}× ahead of ${bar.aheadOf}`,
      times,
      atLeast(bar.timesMin),
      shownTimes,
    );
  }
  if ("sizeOf" in bar) {
    const share = shareOf(own, of(bar.sizeOf));
    const target = `≤ ${bar.shareMax} × the characters of ${bar.sizeOf}`;
    return verdict(bar, target, share, atMost(bar.shareMax), shownShare);
  }
  const share = shareOf(own, of("troupe", { page: bar.sizeAt }));
  const target = `≤ ${bar.timesMax} × the characters at ${bar.sizeAt}`;
  return verdict(bar, target, share, atMost(bar.timesMax), shownShare);
}

function ofQuantity(bar: Extract<Bar, { unit: Unit }>, value: number | undefined): Verdict {
  const { unit } = bar;
  const shown = (each: number) => shownQuantity(each, unit);
  return "quantityMin" in bar
    ? verdict(bar, `≥ ${shown(bar.quantityMin)}`, value, atLeast(bar.quantityMin), shown)
    : verdict(bar, `≤ ${shown(bar.quantityMax)}`, value, atMost(bar.quantityMax), shown);
}

/** Prints a quantity with its unit. */
export function shownQuantity(value: number, unit: Unit): string {
  const text = unit === "% of a core" ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
  return `${text} ${unit}`;
}

/** Prints a time. */
export function shownMs(ms: number): string {
  return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en-US")} ms`;
}

/** Prints a size. */
export function shownCharacters(characters: number): string {
  if (characters < 1000) return `${Math.round(characters)} characters`;
  return characters < 999_500
    ? `${(characters / 1000).toFixed(characters < 9950 ? 1 : 0)} k characters`
    : `${(characters / 1e6).toFixed(2)} M characters`;
}

/** Prints a ratio. */
export const shownTimes = (times: number) => `${times < 9.95 ? times.toFixed(1) : Math.round(times)}×`;

const shownShare = (share: number) => `${share.toFixed(2)} ×`;
const atMost = (bound: number) => (value: number) => value <= bound;
const atLeast = (bound: number) => (value: number) => value >= bound;

function verdict(
  bar: Bar,
  target: string,
  value: number | undefined,
  reaches: (value: number) => boolean,
  shown: (value: number) => string,
): Verdict {
  return value === undefined
    ? { bar, target }
    : { bar, target, measured: shown(value), reached: reaches(value) };
}

function shareOf(own: Figure | undefined, other: Figure | undefined): number | undefined {
  return own?.characters && other?.characters ? own.characters / other.characters : undefined;
}

const difference = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a - b;

function most(measure: string, bounds: Record<string, number>): Bar[] {
  return Object.entries(bounds).map(([page, msMax]) => ({ page, measure, msMax }));
}

function ahead(measure: string, page: string, timesMin: number): Bar[] {
  return peersAhead.map((aheadOf) => ({ page, measure, aheadOf, timesMin }));
}

/** `bounds`: MiB by kind of browser. */
function memory(measure: string, bounds: Record<string, number>): Bar[] {
  return Object.entries(bounds).map(([kind, quantityMax]) => ({
    page: densityPage,
    measure: `${measure}, ${kind}`,
    quantityMax,
    unit: "MiB",
  }));
}

/** The goals promise these sessions without a queue, on 2 cores and 8 GB. */
function underLoad(kind: string): Bar[] {
  const page = loadPage;
  return [
    { page, measure: `awake, ${kind}`, quantityMin: LOADED_SESSIONS, unit: "sessions" },
    { page, measure: `waited for a worker, ${kind}`, quantityMax: 0, unit: "calls" },
    { page, measure: `waited for the session's previous call, ${kind}`, quantityMax: 0, unit: "calls" },
    { page, measure: `all processes, ${kind}`, quantityMax: 8_000_000_000 / 2 ** 20, unit: "MiB" },
  ];
}

/**
 * A full snapshot must be little more than half of Playwright's, and no larger than chrome-devtools', which leaves the
 * structure out.
 */
function sizes(page: string): Bar[] {
  return [
    { page, measure: "full-first", sizeOf: "playwright", shareMax: 0.55 },
    { page, measure: "full-first", sizeOf: "chrome-devtools", shareMax: 1 },
  ];
}
