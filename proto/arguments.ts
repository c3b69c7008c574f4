// A tool's arguments: from the JSON that a model wrote to the request, and the bounds that every request keeps.
import { fail, type TroupeError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { quote } from "./quote.ts";
import type { Json, JsonObject } from "./struct.ts";
import type { Argument, Tool } from "./tools.ts";

/** Names that models give to `ref`, from other servers that they know. */
const REF_ALIASES = ["target", "uid"];
/** A human description of the element: accepted beside `ref`, and not used. */
const IGNORED_BESIDE_REF = "element";

/**
 * The request's plain object for a tool's JSON arguments (without `role`).
 * Throws INVALID_ARGUMENT for unknown and missing names and for values of a wrong type; numbers and booleans
 * written as strings are taken.
 */
export function requestOf(tool: Tool, args: JsonObject): Record<string, Json> {
  const request: Record<string, Json> = {};
  for (const [given, value] of Object.entries(args)) {
    const argument = argumentNamed(tool, given);
    if (argument === "ignored" || value === null) continue;
    if (!argument) throw unknownArgument(tool, given, args);
    request[argument.name] = valueOf(argument, value, tool, args);
  }
  const missing = tool.arguments.find(
    (argument) => argument.required && request[argument.name] === undefined,
  );
  if (missing) throw missingArgument(missing);
  return request;
}

/** The JSON arguments that a request stands for: enums by their words, what is unset left out. */
export function argumentsOf(tool: Tool, request: Record<string, unknown>): JsonObject {
  const args: JsonObject = {};
  for (const argument of tool.arguments) {
    const value = request[argument.name];
    if (value === undefined || value === null || (argument.repeated && (value as unknown[]).length === 0))
      continue;
    args[argument.name] = (
      argument.repeated ? (value as unknown[]).map((each) => wordOf(argument, each)) : wordOf(argument, value)
    ) as Json;
  }
  return args;
}

/** Throws INVALID_ARGUMENT where a decoded request lacks a required argument or leaves its bounds. */
export function checkRequest(tool: Tool, request: Record<string, unknown>): void {
  for (const argument of tool.arguments) {
    const value = request[argument.name];
    if (argument.required && isMissing(argument, value)) throw missingArgument(argument);
    for (const each of Array.isArray(value) ? value : [value]) checkBounds(argument, each);
  }
}

function isMissing({ type, mayBeEmpty }: Argument, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (type === "enum") return String(value).endsWith("_UNSPECIFIED");
  return value === "" && !mayBeEmpty;
}

function checkBounds(argument: Argument, value: unknown): void {
  const { name, minimum, maximum, maxLength } = argument;
  if (typeof value === "string" && value.length > maxLength) {
    throw fail("INVALID_ARGUMENT", {
      argument: name,
      problem: `${name} has ${value.length} characters, at most ${maxLength} are allowed`,
    });
  }
  if (typeof value !== "number") return;
  if (Number.isFinite(value) && !(value < (minimum ?? -Infinity)) && !(value > (maximum ?? Infinity))) return;
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
  ]
    .filter(Boolean)
    .join(", ");
  throw fail("INVALID_ARGUMENT", {
    argument: name,
    problem: `${name} is ${value}; allowed is ${bounds || "a finite number"}`,
    hint: `with ${name} ${bounds || "as a finite number"}`,
  });
}

function argumentNamed(tool: Tool, name: string): Argument | "ignored" | undefined {
  const found = tool.arguments.find((argument) => argument.name === name);
  if (found) return found;
  const ref = tool.arguments.find((argument) => argument.name === "ref");
  if (ref && name === IGNORED_BESIDE_REF) return "ignored";
  return ref && REF_ALIASES.includes(name) ? ref : undefined;
}

function unknownArgument(tool: Tool, given: string, args: JsonObject): TroupeError {
  const allowed = [...tool.arguments.map(({ name }) => name), "role"];
  const meant = nearest(
    given,
    allowed.filter((name) => !(name in args)),
  );
  const { [given]: value = null, ...others } = args;
  return fail("INVALID_ARGUMENT", {
    argument: given.slice(0, 100),
    problem: `${tool.name} has no argument ${JSON.stringify(given.slice(0, 100))}`,
    allowed,
    ...(meant && { nearest: meant, corrected: { ...others, [meant]: value } }),
  });
}

function missingArgument(argument: Argument): TroupeError {
  return fail("INVALID_ARGUMENT", {
    argument: argument.name,
    problem: `${argument.name} is missing: ${argument.description.replace(/\.$/, "")}`,
    ...hints(argument),
  });
}

function valueOf(argument: Argument, value: Json, tool: Tool, args: JsonObject): Json {
  if (!argument.repeated) return scalarOf(argument, value, tool, args);
  const list = Array.isArray(value) ? value : [value];
  return list.map((each) => scalarOf(argument, each, tool, args));
}

function scalarOf(argument: Argument, value: Json, tool: Tool, args: JsonObject): Json {
  const taken = coerce(argument, value);
  if (taken !== undefined) return taken;
  const allowed = argument.allowed ? [...argument.allowed] : undefined;
  const meant = allowed && typeof value === "string" ? nearest(value, allowed) : undefined;
  const kind = allowed ? `one of ${allowed.join(", ")}` : KIND[argument.type];
  throw fail("INVALID_ARGUMENT", {
    argument: argument.name,
    problem: `${argument.name} of ${tool.name} must be ${kind}, not ${shown(argument, value)}`,
    ...hints(argument),
    ...(meant && {
      nearest: meant,
      corrected: { ...args, [argument.name]: argument.repeated ? [meant] : meant },
    }),
  });
}

const KIND = {
  string: "a string",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  enum: "a word",
} as const;

/** The value as the argument's type; undefined where it cannot be meant so. */
function coerce(argument: Argument, value: Json): Json | undefined {
  switch (argument.type) {
    case "string":
      return typeof value === "string"
        ? value
        : typeof value === "number" || typeof value === "boolean"
          ? String(value)
          : undefined;
    case "boolean":
      return typeof value === "boolean"
        ? value
        : ({ true: true, false: false } as Record<string, boolean>)[String(value)];
    case "integer":
    case "number":
      return number(value, argument.type === "integer");
    case "enum": {
      const index = argument.allowed?.indexOf(String(value).toLowerCase()) ?? -1;
      return argument.enumNames?.[index];
    }
  }
}

function number(value: Json, whole: boolean): number | undefined {
  const parsed = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof parsed !== "number" || !Number.isFinite(parsed)) return undefined;
  return whole && !(Number.isInteger(parsed) && Math.abs(parsed) < 2 ** 31) ? undefined : parsed;
}

function wordOf(argument: Argument, value: unknown): unknown {
  const index = argument.enumNames?.indexOf(String(value)) ?? -1;
  return index < 0 ? value : argument.allowed?.[index];
}

function hints(argument: Argument) {
  return {
    ...(argument.allowed && { allowed: [...argument.allowed] }),
    ...(argument.example !== undefined && { example: argument.example }),
  };
}

/** Numbers, and words where a known word was asked for; anything else by its kind alone: it may be a secret, and long. */
function shown(argument: Argument, value: Json): string {
  if (value === null || typeof value === "number") return String(value);
  if (typeof value === "string" && argument.type === "enum") return quote(value, 40);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
