// Parses YAML or JSON text to plain values. An error in it becomes a problem with its line, never an exception.
import { type Document, isAlias, LineCounter, type Node, parseDocument, visit } from "yaml";
import { configurationPage } from "../../proto/machine/program.ts";

/**
 * A problem in the text. Lines count from 1. The text says what was found, what is allowed and what was probably meant.
 */
export interface Problem {
  line: number;
  text: string;
}

/** A parsed text: its value, and the position of each part. */
export interface YamlText {
  value: unknown;
  document: Document.Parsed;
  lines: LineCounter;
}

const ALIASES_MAX = 100;
/** The deepest key of a configuration is at 6. */
const DEPTH_MAX = 32;
const TOO_DEEP = `this is nested too deeply; allowed: the keys that ${configurationPage} lists`;

/**
 * Uses the schema of YAML 1.2 alone. A directive or a tag would bring dates, sets and maps, which look like empty
 * objects. The log level keeps the library from writing to stderr.
 */
const OPTIONS = {
  schema: "core",
  resolveKnownTags: false,
  merge: false,
  prettyErrors: false,
  logLevel: "error",
} as const;

export function readYaml(text: string): YamlText | { problems: Problem[] } {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
    const problems = [...syntaxProblems(document, lines), ...knots(document, lines)];
    if (problems.length > 0) return { problems };
    return { value: document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {}, document, lines };
  } catch (error) {
    return { problems: [{ line: 1, text: problemOf(error) }] };
  }
}

function syntaxProblems(document: Document.Parsed, lines: LineCounter): Problem[] {
  return [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    text: /call stack/.test(message)
      ? TOO_DEEP
      : firstLine(message) + (code === "TAG_RESOLVE_FAILED" ? "; leave the tag out" : ""),
  }));
}

/** Finds parts that a reader could follow forever: an alias inside its own target, and nesting without end. */
function knots(document: Document.Parsed, lines: LineCounter): Problem[] {
  const found: Problem[] = [];
  const add = (node: Node, text: string) => {
    found.push({ line: lines.linePos(node.range?.[0] ?? 0).line, text });
    return visit.BREAK;
  };
  visit(document, {
    Node(_key, node, path) {
      if (path.length > DEPTH_MAX) return add(node, TOO_DEEP);
      if (!isAlias(node)) return undefined;
      const named = node.resolve(document);
      if (!named || !path.includes(named)) return undefined;
      return add(node, `the alias *${node.source} stands inside what it names; write out what is meant`);
    },
  });
  return found;
}

/** The library throws for an alias without a target, an alias that expands without end, and a full stack. */
function problemOf(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  return firstLine(error instanceof Error ? error.message : String(error));
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
