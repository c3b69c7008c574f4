// Reads a configuration's text. Returns the checked configuration, or every problem with its line and remedy.
import { type Document, isMap } from "yaml";
import type * as z from "zod";
import { nearest } from "../../proto/text/nearest.ts";
import { type Configuration, definition } from "../config-schema/definition.ts";
import { keysAt, meaningAt, type Path } from "../config-schema/schema-walk.ts";
import { crossProblems } from "./cross-checks.ts";
import { type Problem, readYaml, type YamlText } from "./yaml-text.ts";

/** A configuration with defaults, and the keys as they were written. */
export interface ReadConfiguration {
  configuration: Configuration;
  /** The keys that were given, before defaults. */
  given: Record<string, unknown>;
  /** Returns the line of a key or of its nearest parent; 0 without a text. */
  lineOf: (path: Path) => number;
}

const SHOWN_LENGTH_MAX = 80;

/** Reads YAML or JSON text. */
export function readConfiguration(text: string): ReadConfiguration | { problems: Problem[] } {
  const read = readYaml(text);
  return "problems" in read ? read : checked(withoutNulls(read.value, []), read);
}

/** Checks keys that did not come from a file. */
export function checkConfiguration(given: unknown): ReadConfiguration | { problems: Problem[] } {
  return checked(given, undefined);
}

/** The positions of the keys in the text. */
type Source = Pick<YamlText, "document" | "lines">;

function checked(given: unknown, source: Source | undefined): ReadConfiguration | { problems: Problem[] } {
  const result = definition.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.flatMap((issue) => problemsOf(issue, given, source));
    return { problems: problems.sort((one, other) => one.line - other.line) };
  }
  const crossing = crossProblems(result.data);
  if (crossing.length > 0) {
    return {
      problems: crossing.map(({ path, text }) => ({
        line: lineOf(path, source),
        text: `${spelled(path)} ${text}`,
      })),
    };
  }
  return {
    configuration: result.data,
    given: given as Record<string, unknown>,
    lineOf: (path) => lineOf(path, source),
  };
}

function problemsOf(issue: z.core.$ZodIssue, given: unknown, source: Source | undefined): Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey([...issue.path, key], given, source));
  }
  if (issue.code === "invalid_key") return [wrongKey(issue.path, source)];
  return [wrongValue(issue, given, source)];
}

function unknownKey(path: Path, given: unknown, source: Source | undefined): Problem {
  const parent = path.slice(0, -1);
  const known = keysAt(definition, parent);
  const free = known.filter((key) => !(key in (valueAt(given, parent) as object)));
  const where = parent.length > 0 ? `in ${spelled(parent)}` : "at the top";
  const allowed = known.length > 0 ? `allowed ${where}: ${known.join(", ")}` : `nothing is allowed ${where}`;
  return {
    line: lineOf(path, source),
    text: `unknown key ${spelled(path)}; ${allowed}${meant(String(path.at(-1)), free)}`,
  };
}

function wrongKey(path: Path, source: Source | undefined): Problem {
  const parent = path.slice(0, -1);
  const what = parent[0] === "roles" ? "a role's name" : "a name";
  return {
    line: lineOf(path, source),
    text: `${spelled(parent)} has the key ${shown(path.at(-1))}; allowed as ${what}: letters, digits, - and _, at most 64, a letter or digit first`,
  };
}

function wrongValue(issue: z.core.$ZodIssue, given: unknown, source: Source | undefined): Problem {
  const { allowed, words, secret } = meaningAt(definition, issue.path);
  const found = valueAt(given, issue.path);
  const what = found === undefined ? "is missing" : `is ${secret ? "not well formed" : shown(found)}`;
  return {
    line: lineOf(issue.path, source),
    text: `${spelled(issue.path) || "the configuration"} ${what}; allowed: ${allowed ?? issue.message}${typeof found === "string" && words ? meant(found, words) : ""}`,
  };
}

function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near ? `. Did you mean ${near}?` : "";
}

/** Returns the line of the value, of its key or of its nearest parent. */
function lineOf(path: Path, source: Source | undefined): number {
  if (!source) return 0;
  const { document, lines } = source;
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetOf(document, path.slice(0, depth));
    if (offset !== undefined) return lines.linePos(offset).line;
  }
  return 1;
}

function offsetOf(document: Document.Parsed, path: Path): number | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => String(key) === String(path.at(-1)));
    return (pair?.key as { range?: [number] } | undefined)?.range?.[0];
  }
  return (document.getIn(path, true) as { range?: [number] } | undefined)?.range?.[0];
}

function valueAt(given: unknown, path: Path): unknown {
  let at: unknown = given;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

/** Spells a path as `roles.customer.browser.args[0]`. */
export function spelled(path: Path): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index > 0 ? `.${String(key)}` : String(key)))
    .join("");
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

/** A key without a value counts as left out. A role without a value has its defaults. */
function withoutNulls(value: unknown, path: Path): unknown {
  if (value === null && path.length === 2 && path[0] === "roles") return {};
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, withoutNulls(each, [...path, key])] as const)
      .filter(([, each]) => each !== null),
  );
}
