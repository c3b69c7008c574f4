/** The options of `npm run bench`. */
import { type Problem, readArguments } from "../harness/arguments.ts";
import { type ContenderId, contenderIds } from "./results/results.ts";

export interface Options {
  help: boolean;
  quick: boolean;
  /** The contenders that take part. */
  only: ContenderId[];
  /** Pages and parts to measure, by their names or the first words of these. Empty means everything. */
  pages: string[];
}

export const usage = `Measures Troupe side by side with other browser servers for LLMs, in one run, and prints tables.
A whole run takes some eight minutes and writes test/bench/RESULTS.md; a partial one prints only.

usage: npm run bench -- [--quick] [--only NAME]... [--page NAME]...

  --quick      fewer repetitions
  --only NAME  only this one: ${contenderIds.join(", ")}
  --page NAME  only these pages and parts: rows (rows-10, rows-125, rows-1250, rows-6250, rows-12500), actions,
               starts, openings, tools, control, and the real pages, as swagger
  --help       this text

The others are installed, in the versions that this benchmark names, in a cache folder of their own. Nothing else should
run on the machine meanwhile.

examples:
  npm run bench
  npm run bench -- --quick
  npm run bench -- --only troupe --only playwright --page rows-1250
`;

/** Returns the options, or the fault of the arguments. */
export function readOptions(args: readonly string[]): Options | Problem {
  const given = readArguments(args, { flags: ["quick"], values: ["only", "page"] });
  if ("problem" in given) return given;
  const { flags, values } = given;
  const only: ContenderId[] = [];
  for (const text of values.only) {
    const id = contenderIds.find((each) => each === text);
    if (!id)
      return {
        problem: `there is no contender ${JSON.stringify(text)}; there are ${contenderIds.join(", ")}`,
      };
    only.push(id);
  }
  return {
    help: flags.has("help"),
    quick: flags.has("quick"),
    only: only.length === 0 ? [...contenderIds] : only,
    pages: values.page,
  };
}

/** Returns true if the run is a whole one, whose results stand for all. */
export function isWhole({ quick, only, pages }: Options): boolean {
  return !quick && pages.length === 0 && contenderIds.every((id) => only.includes(id));
}

/** Returns true if a page or part is to be measured. */
export function isChosen({ pages }: Pick<Options, "pages">, name: string): boolean {
  return pages.length === 0 || pages.some((each) => name === each || name.startsWith(`${each}-`));
}
