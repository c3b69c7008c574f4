/** The options of `npm run bench`. */
import { type Problem, readArguments } from "../harness/arguments.ts";
import { realPages } from "./pages/real-pages.ts";
import { type ContenderId, contenderIds } from "./results/results.ts";

export interface Options {
  help: boolean;
  quick: boolean;
  /** The contenders that take part. */
  only: ContenderId[];
  /** Pages and parts to measure, by their names or the first words of these. Empty means everything. */
  pages: string[];
  /** Fails if Troupe is worse than at the last release. */
  compare: boolean;
  /** Keeps the results as those of a release. */
  release: boolean;
}

/** The parts of the benchmark. A part's pages have its name before a hyphen. */
export const parts = {
  throughput: "calls a second through one daemon, to itself and to workers",
  density: "memory and idle processor time of awake sessions, in each kind of browser",
  load: "80 awake sessions in 4 roles with a call each 5 s: replies, waits, memory, processor time",
  restarts: "how long a session has no answer after kill -9 of its worker or browser",
  cold: "the first look, click and typing of a new server, and the same once it is warm",
  tools: "the size of the list of tools",
  actions: "click, type, navigate",
  "control-plane": "what daemon and worker add to a question that Chrome answers",
  openings: "the first page of a new session",
  rows: "looks at lists: rows-10, rows-125, rows-1250, rows-6250, rows-12500",
  rhythm: "looks again with 200 ms between calls: rhythm-125, rhythm-1250",
  real: `looks at pages of others: ${realPages.map(({ id }) => id).join(", ")}`,
  apps: "short tasks in applications of real libraries, by each server's own tools",
  starts: "connect and first page, with nothing running and with a daemon",
} as const;

/** Parts that only Troupe takes part in, on a daemon of their own. */
const ownParts = ["throughput", "density", "load", "restarts"] as const;

const PART_WIDTH = Math.max(...Object.keys(parts).map((name) => name.length));

export const usage = `Measures Troupe side by side with other browser servers for LLMs, in one run, and prints tables.
A whole run takes some twenty minutes and writes test/bench/RESULTS.md; a partial one prints only.

usage: npm run bench -- [--quick] [--only NAME]... [--page NAME]... [--compare] [--release]

  --quick      fewer repetitions
  --only NAME  only this contender (${contenderIds.join(", ")}),
               or only this part or page, as --page
  --page NAME  only these parts and pages
  --compare    fails with 1 if a figure of Troupe is over 10 % worse than at the last release
  --release    keeps the figures of a whole run in test/bench/results/release.json, for --compare
  --help       this text

parts:
${Object.entries(parts)
  .map(([name, what]) => `  ${name.padEnd(PART_WIDTH)}  ${what}`)
  .join("\n")}

The others are installed, in the versions that this benchmark names, in a cache folder of their own. Nothing else should
run on the machine meanwhile.

examples:
  npm run bench
  npm run bench -- --quick
  npm run bench -- --only troupe --only playwright --page rows-1250
  npm run bench -- --only density
`;

/** Returns the options, or the fault of the arguments. */
export function readOptions(args: readonly string[]): Options | Problem {
  const given = readArguments(args, { flags: ["quick", "compare", "release"], values: ["only", "page"] });
  if ("problem" in given) return given;
  const { flags, values } = given;
  const isContender = (text: string) => contenderIds.some((id) => id === text);
  const only = contenderIds.filter((id) => values.only.includes(id));
  const unknown = values.only.find((text) => !isContender(text) && !isPart(text));
  if (unknown !== undefined)
    return {
      problem: `there is no contender and no part ${JSON.stringify(unknown)}; there are ${[...contenderIds, ...Object.keys(parts)].join(", ")}`,
    };
  const options = {
    help: flags.has("help"),
    quick: flags.has("quick"),
    only: only.length === 0 ? [...contenderIds] : only,
    pages: [...values.page, ...values.only.filter((text) => !isContender(text))],
    compare: flags.has("compare"),
    release: flags.has("release"),
  };
  if (options.release && !isWhole(options))
    return { problem: "--release needs a whole run: without --quick, --only and --page" };
  return options;
}

function isPart(text: string): boolean {
  return (
    realPages.some(({ id }) => id === text || id.startsWith(`${text}-`)) ||
    Object.keys(parts).some(
      (part) => part === text || part.startsWith(`${text}-`) || text.startsWith(`${part}-`),
    )
  );
}

/** Returns true if the run is a whole one, whose results stand for all. */
export function isWhole({ quick, only, pages }: Pick<Options, "quick" | "only" | "pages">): boolean {
  return !quick && pages.length === 0 && contenderIds.every((id) => only.includes(id));
}

/** Returns true if a page or part is to be measured. */
export function isChosen({ pages }: Pick<Options, "pages">, name: string): boolean {
  const isReal = realPages.some(({ id }) => id === name);
  return (
    pages.length === 0 ||
    pages.some((each) => name === each || name.startsWith(`${each}-`) || (isReal && each === "real"))
  );
}

/** Returns true if a part is to be measured for which the contenders must run. */
export function needsEntrants({ pages }: Pick<Options, "pages">): boolean {
  const alone: readonly string[] = [...ownParts, "cold"];
  return pages.length === 0 || pages.some((page) => !alone.includes(page));
}
