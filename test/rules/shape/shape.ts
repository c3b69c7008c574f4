/** Measures the size and shape of code. */
import { dirname, join } from "node:path";
import { bannedInPath, bannedInSentence } from "./banned-words.ts";
import { type Part, readCode } from "./read-code.ts";
import { sentencesOf, wordCount } from "./sentences.ts";

/** One measured thing. `at` is a folder, a file, or a file with a line. */
export interface Item {
  at: string;
  name: string;
  size: number;
}

export interface Shape {
  /** Sizes are the files beside subfolders. */
  folders: Item[];
  /** Sizes are lines. */
  files: Item[];
  classes: Item[];
  functions: Item[];
  parameters: Item[];
  /** Pairs of folders that import each other. Sizes are 1. */
  mutualImports: Item[];
  /** Sizes are words. */
  sentences: Item[];
  /** Sizes are 1. */
  bannedWords: Item[];
}

export function shapeOf(files: Iterable<readonly [file: string, text: string]>): Shape {
  const shape: Shape = {
    folders: [],
    files: [],
    classes: [],
    functions: [],
    parameters: [],
    mutualImports: [],
    sentences: [],
    bannedWords: [],
  };
  const folders = new Map<string, number>();
  const imports = new Set<string>();
  for (const [file, text] of files) {
    const folder = dirname(file);
    const code = readCode(file, text);
    const located = ({ name, line, size }: Part) => ({ name, at: `${file}:${line}`, size });
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
    shape.files.push({ name: "", at: file, size: text.split("\n").length - 1 });
    shape.classes.push(...code.classes.map(located));
    shape.functions.push(...code.functions.map(located));
    shape.parameters.push(...code.parameters.map(located));
    shape.bannedWords.push(...bannedInPath(file).map((name) => ({ name, at: file, size: 1 })));
    for (const { text, line } of code.comments) {
      for (const sentence of sentencesOf(text)) {
        shape.sentences.push(located({ name: sentence, line, size: wordCount(sentence) }));
        shape.bannedWords.push(...bannedInSentence(sentence).map((name) => located({ name, line, size: 1 })));
      }
    }
    for (const address of code.imports.filter((each) => each.startsWith(".")))
      imports.add(`${folder} ${dirname(join(folder, address))}`);
  }
  shape.folders = [...folders].map(([at, size]) => ({ name: "", at, size }));
  shape.mutualImports = mutual(imports);
  return shape;
}

/** Takes `from to` for each import between folders. */
function mutual(imports: ReadonlySet<string>): Item[] {
  return [...imports].flatMap((pair) => {
    const [from = "", to = ""] = pair.split(" ");
    return from < to && imports.has(`${to} ${from}`)
      ? [{ name: `${from} and ${to}`, at: from, size: 1 }]
      : [];
  });
}
