// Writes the help of one tool for people: its arguments, from the catalogue.
import { nearest } from "../../../proto/text/nearest.ts";
import { type Argument, findTool, type Tool, toolsOf } from "../../../proto/tools/read-tools.ts";
import { usageError } from "../../connection/exit-code.ts";

const WIDTH = 80;
const ROLE: Row = ["role=NAME", "The role, for this call."];

/** Throws a usage error that names the nearest tool. */
export function toolHelp(name: string): string {
  const tool = findTool(name);
  if (!tool?.offered) throw usageError(unknown(name));
  const required = tool.arguments.filter((argument) => argument.required);
  const optional = tool.arguments.length > required.length || tool.takesRole;
  const usage = ["troupe call", tool.name, ...required.map(valueOf), ...(optional ? ["[key=value...]"] : [])];
  const rows = [...rowsOf(tool.arguments), ...(tool.takesRole ? [ROLE] : [])];
  return [
    `Usage: ${usage.join(" ")}`,
    "",
    ...wrapped(tool.description, 0),
    "",
    "Arguments (key=value; JSON if the value is a list or an object):",
    ...(rows.length > 0 ? columns(rows) : ["  none"]),
    "",
    ...(required.some(({ example }) => !example) ? [] : ["Example:", `  ${exampleOf(tool, required)}`, ""]),
    `It is in the profile ${tool.profile}. The flags of all calls: troupe call --help`,
    "",
  ].join("\n");
}

function unknown(name: string): string {
  const meant = nearest(
    name,
    toolsOf("debug").map((tool) => tool.name),
  );
  const advice = meant ? `did you mean ${meant}?` : "troupe tools lists them";
  return `there is no tool ${JSON.stringify(name)}: ${advice}`;
}

type Row = readonly [usage: string, meaning: string];

/** The arguments of an object come below it, indented. */
function rowsOf(all: readonly Argument[], depth = 0): Row[] {
  return all
    .filter(({ unlisted }) => !unlisted)
    .flatMap((argument) => {
      const usage = `${"  ".repeat(depth)}${depth > 0 ? argument.name : valueOf(argument)}`;
      const inside = argument.callOf === undefined ? (argument.fields ?? []) : [];
      return [[usage, meaningOf(argument)] as const, ...rowsOf(inside, depth + 1)];
    });
}

function valueOf(argument: Argument): string {
  return `${argument.name}=${formOf(argument)}`;
}

function formOf({ type, allowed = [], repeated }: Argument): string {
  if (type === "object") return repeated ? "'[{…}, …]'" : "'{…}'";
  const one = { enum: allowed.join("|"), boolean: "true|false", integer: "N", number: "N", string: "TEXT" }[
    type
  ];
  return repeated ? `${one}…` : one;
}

function meaningOf({ description, required, callOf, repeated, type, minimum, maximum }: Argument): string {
  const range = minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}.` : undefined;
  const like = callOf && `As the arguments of ${callOf}.`;
  const again = repeated && type !== "object" ? "May be given several times." : undefined;
  return [required && "Required.", description, like, range, again].filter(Boolean).join(" ");
}

function exampleOf(tool: Tool, required: readonly Argument[]): string {
  const words = required.map((argument) => `${argument.name}=${shellWord(argument.example ?? "")}`);
  return ["troupe call", tool.name, ...words].join(" ");
}

function shellWord(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const USAGE_WIDTH_MAX = 30;

/** Aligns the meanings. A long usage has its line for itself. */
function columns(rows: readonly Row[]): string[] {
  const lengths = rows.map(([usage]) => usage.length).filter((length) => length <= USAGE_WIDTH_MAX);
  const indent = Math.max(...lengths, 0) + 4;
  return rows.flatMap(([usage, meaning]) => {
    const [first = "", ...others] = wrapped(meaning, indent);
    const head = `  ${usage}`;
    if (head.length + 2 > indent) return [head, first, ...others];
    return [`${head.padEnd(indent)}${first.trimStart()}`.trimEnd(), ...others];
  });
}

/** Breaks a text into lines within the width, each indented. */
function wrapped(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].map((each) => `${" ".repeat(indent)}${each}`);
}
