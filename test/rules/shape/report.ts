/** Prints the shape of the source beside that of the tests. */
import { dirname } from "node:path";
import type { Item, Shape } from "./shape.ts";

const FUNCTION_LINES = 40;
const PARAMETERS = 4;
const SENTENCE_WORDS = [20, 25] as const;

/** Returns the report's lines: the measures, then the files and lines of each folder. */
export function reportOf(shape: Shape): string[] {
  const [source, tests] = [false, true].map((isTest) => partOf(shape, isTest)) as [Shape, Shape];
  const rows: [measure: string, of: (shape: Shape) => string | number][] = [
    ["files", ({ files }) => files.length],
    ["lines", ({ files }) => sum(files)],
    ["folders", ({ folders }) => folders.length],
    ["largest folder, files", ({ folders }) => largest(folders)],
    ["largest file, lines", ({ files }) => largest(files)],
    ["largest class, members", ({ classes }) => largest(classes)],
    ["longest function, lines", ({ functions }) => largest(functions)],
    [`functions over ${FUNCTION_LINES} lines`, ({ functions }) => over(functions, FUNCTION_LINES)],
    ["most parameters", ({ parameters }) => largest(parameters)],
    [`functions over ${PARAMETERS} parameters`, ({ parameters }) => over(parameters, PARAMETERS)],
    ["folders that import each other, pairs", ({ mutualImports }) => mutualImports.length],
    ["comment sentences", ({ sentences }) => sentences.length],
    ...SENTENCE_WORDS.map((words): (typeof rows)[number] => [
      `  over ${words} words`,
      ({ sentences }) => over(sentences, words),
    ]),
    ["banned words", ({ bannedWords }) => bannedWords.length],
  ];
  return [
    ...table([["", "source", "tests"], ...rows.map(([name, of]) => [name, `${of(source)}`, `${of(tests)}`])]),
    "",
    ...table([["folder", "files", "lines"], ...folderRows(shape)]),
  ];
}

function partOf(shape: Shape, isTest: boolean): Shape {
  const own = ({ at }: Item) => at.startsWith("test") === isTest;
  return Object.fromEntries(
    Object.entries(shape).map(([measure, items]) => [measure, items.filter(own)]),
  ) as unknown as Shape;
}

function folderRows({ folders, files }: Shape): string[][] {
  const linesOf = Map.groupBy(files, ({ at }) => dirname(at));
  return folders
    .map(({ at, size }) => [at, `${size}`, `${sum(linesOf.get(at) ?? [])}`])
    .sort(([one = ""], [other = ""]) => one.localeCompare(other));
}

function largest(items: readonly Item[]): string {
  const [first] = items.toSorted((one, other) => other.size - one.size);
  return first ? `${first.size} (${[first.name, first.at].filter(Boolean).join(", ")})` : "none";
}

function over(items: readonly Item[], limit: number): number {
  return items.filter(({ size }) => size > limit).length;
}

function sum(items: readonly Item[]): number {
  return items.reduce((lines, { size }) => lines + size, 0);
}

function table(rows: readonly string[][]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
