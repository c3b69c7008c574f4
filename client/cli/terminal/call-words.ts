// Reads a tool's arguments from words of a command line: `key=value`, `key:=JSON`, or a JSON object.

import type { Argument, Tool } from "../../../proto/tools/read-tools.ts";
import type { Json, JsonObject } from "../../../proto/wire/struct.ts";
import { usageError } from "../../connection/exit-code.ts";

/**
 * Returns the arguments. A list's key may be repeated. The tool's schema decides how values are read. For an unknown
 * tool they stay as written, so that the error can give the right call. Throws a usage error.
 */
export function callArguments(tool: Tool | undefined, words: readonly string[]): JsonObject {
  const args: JsonObject = {};
  for (const word of words) {
    if (word.startsWith("{")) Object.assign(args, objectOf(word));
    else add(tool, args, word);
  }
  return args;
}

function add(tool: Tool | undefined, args: JsonObject, word: string): void {
  const [, name, json, text = ""] = /^([^\s=:]+)(:?)=(.*)$/s.exec(word) ?? [];
  if (!name)
    throw usageError(
      `${JSON.stringify(word)} is no argument: write key=value${tool ? `, such as ${example(tool)}` : ""}`,
    );
  const argument = tool?.arguments.find((each) => each.name === name);
  const repeated = argument?.repeated ?? false;
  const value = json || isNested(argument, text) ? parsed(name, text) : text;
  if (!Object.hasOwn(args, name)) {
    args[name] = repeated && !Array.isArray(value) ? [value] : value;
  } else {
    if (tool && !repeated) throw usageError(`${name} is given twice`);
    args[name] = [args[name] as Json, value].flat();
  }
}

/** Text may begin with a bracket, too: only an object or a list is JSON. A list of texts has quotes in its JSON. */
function isNested(argument: Argument | undefined, text: string): boolean {
  if (!argument || !/^\s*[[{]/.test(text)) return false;
  if (argument.type === "object") return true;
  return argument.repeated && /^\s*\[\s*["\]]/.test(text);
}

function parsed(name: string, text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`the value of ${name} is not JSON: ${(error as Error).message}`);
  }
}

function objectOf(word: string): JsonObject {
  const value = parsed("the arguments", word);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw usageError("the arguments are no JSON object");
}

function example({ arguments: all }: Tool): string {
  const argument = all.find(({ required }) => required) ?? all[0];
  return argument ? `${argument.name}=${argument.example ?? "…"}` : "none: this tool takes no arguments";
}
