// Reads a tool's arguments from words of a command line: `key=value`, `key:=JSON`, or a JSON object.

import type { Tool } from "../../../proto/tools/read-tools.ts";
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
  const repeated = tool?.arguments.find((argument) => argument.name === name)?.repeated ?? false;
  const value = json || (repeated && text.startsWith("[")) ? parsed(name, text) : text;
  if (!(name in args)) {
    args[name] = repeated && !Array.isArray(value) ? [value] : value;
  } else {
    if (tool && !repeated) throw usageError(`${name} is given twice`);
    args[name] = [args[name] as Json, value].flat();
  }
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
