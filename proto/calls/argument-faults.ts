// Reads the arguments that a model wrote for a tool, and collects all their faults at once.

import { quote } from "../text/quote.ts";
import type { Argument, Called } from "../tools/read-tools.ts";
import type { Json, JsonObject } from "../wire/struct.ts";
import { looksLikeRef, meaningOf, plainName } from "./argument-names.ts";
import { type Fault, jsonOf, readValue } from "./argument-values.ts";
import { readObjects } from "./object-arguments.ts";

/**
 * A call with more names is not one that a model meant. Comparing them all would cost as much as its sender chooses.
 */
const NAMES_READ_MAX = 50;
const NAMES_TOLD_MAX = 5;
/** Beyond this number not all names need have been kept (plain-arguments.ts). */
const NAMES_COUNTED_MAX = 40;

/** Returns the request as far as the arguments are valid, and the faults of the others. */
export function readArguments(
  tool: Called,
  args: JsonObject,
): { request: Record<string, Json>; faults: Fault[] } {
  const request: Record<string, Json> = {};
  const faults: Fault[] = [];
  const unknown: string[] = [];
  const entries = Object.entries(args).filter(([, value]) => value !== null);
  for (const [given, value] of entries.slice(0, NAMES_READ_MAX)) {
    const meaning = meaningOf(tool, given, args);
    if (meaning.kind === "ignored") continue;
    if (meaning.kind === "unknown") unknown.push(given);
    else if (isNoRef(meaning.argument, given, value)) faults.push(notTheRef(tool, given));
    else if (meaning.kind === "meant") faults.push(renamed(tool, given, meaning.argument, value));
    else take(request, faults, { tool, given, argument: meaning.argument, value });
  }
  for (const [given] of entries.slice(NAMES_READ_MAX)) unknown.push(given);
  const others = unknown.length > 0 ? [invented(tool, unknown)] : [];
  const known = Object.assign({}, request, ...faults.map(({ mended = {} }) => mended));
  const wrong = new Set(faults.map(({ argument }) => argument));
  const lacking = missingIn(tool, known).filter(({ name }) => !wrong.has(name));
  // Missing arguments come first, because without them no call is right.
  const gaps = lacking.map((argument) => ({ ...missing(argument), ...filledIn(tool, argument, known) }));
  return { request, faults: [...gaps, ...faults, ...others] };
}

/** Fills in what is obvious: tabs are listed, or one is opened at an address. */
function filledIn(tool: Called, { name }: Argument, known: JsonObject): { mended?: JsonObject } {
  if (tool.name !== "browser_tabs" || name !== "action" || "tab" in known) return {};
  return { mended: { action: "url" in known ? "new" : "list" } };
}

interface Given {
  tool: Called;
  given: string;
  argument: Argument;
  value: Json;
}

function take(request: Record<string, Json>, faults: Fault[], { tool, given, argument, value }: Given): void {
  const { name } = argument;
  if (argument.type === "object") {
    const read = readObjects(argument, value, readArguments);
    request[name] = read.value;
    faults.push(...read.faults);
    return;
  }
  const reading = readValue(argument, value);
  if (reading.kind === "absent") return;
  if (reading.kind === "wrong") {
    faults.push(wrongValue(tool, argument, value, reading.mended));
    return;
  }
  const before = request[name];
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(reading.value)) {
    const problem = `${name} of ${tool.name} is given twice, also as ${quote(given, 100)}`;
    faults.push({ argument: name, problem, hint: `with ${name} once` });
  }
  request[name] = reading.value;
}

function renamed(tool: Called, given: string, argument: Argument, value: Json): Fault {
  const { name } = argument;
  const fault = {
    argument: cutName(given),
    problem: `${tool.name} has no argument ${quote(given, 100)}`,
    allowed: namesOf(tool),
    nearest: name,
  };
  const meant = meantValue(name, given, value);
  const reading = readValue(argument, meant);
  if (name === "tab" && !/^t\d+$/.test(String(meant)))
    return { ...fault, hint: "with tab as the id of a tab" };
  if (reading.kind === "taken") return { ...fault, mended: { [name]: jsonOf(argument, reading.value) } };
  if (reading.kind === "wrong" && reading.mended === undefined) return fault;
  return { ...fault, mended: reading.kind === "wrong" ? { [name]: reading.mended ?? null } : {} };
}

/** The value is an index, a selector or another server's id. Only the page can say which element it means. */
function isNoRef({ name }: Argument, given: string, value: Json): boolean {
  return name === "ref" && given !== name && !looksLikeRef(value);
}

function notTheRef(tool: Called, given: string): Fault {
  return {
    argument: "ref",
    problem: `${tool.name} has no argument ${quote(given, 100)}, and its value is no ref: refs look like e5`,
    allowed: namesOf(tool),
    nearest: "ref",
  };
}

/** Translates a value of another server's argument into the meaning that ours has. */
function meantValue(name: string, given: string, value: Json): Json {
  if (name === "time") return secondsOf(given, value);
  if (name !== "level" || !/errors/i.test(given)) return value;
  return value === true || value === "true" ? "error" : null;
}

/** Other servers wait in milliseconds. */
function secondsOf(given: string, value: Json): Json {
  const number = typeof value === "string" ? Number(value) : value;
  const isMs = /timeout|ms$|milli/.test(plainName(given)) && !/seconds$/.test(plainName(given));
  return isMs && typeof number === "number" && number >= 100 ? number / 1000 : value;
}

/** Reports names that mean nothing here. The corrected call leaves them out. */
function invented(tool: Called, given: readonly string[]): Fault {
  const shown = given.slice(0, NAMES_TOLD_MAX).map((name) => quote(name, 100));
  const more = given.length - shown.length;
  const count = more > NAMES_COUNTED_MAX ? "many" : more;
  const list = `${shown.join(", ")}${more > 0 ? ` and ${count} more` : ""}`;
  return {
    argument: cutName(given[0] ?? ""),
    problem: `${tool.name} has no argument${given.length > 1 ? "s" : ""} ${list}`,
    allowed: namesOf(tool),
    mended: {},
  };
}

export function wrongValue(tool: Called, argument: Argument, value: Json, mended: Json | undefined): Fault {
  const { name, allowed, repeated, type } = argument;
  const kind = allowed ? `one of ${allowed.join(", ")}` : KIND[type];
  return {
    argument: name,
    problem: `${name} of ${tool.name} must be ${repeated ? `a list; each of it ${kind}` : kind}, not ${shown(argument, value)}`,
    ...hints(argument),
    hint: `with ${name} as ${kind}`,
    ...(allowed && typeof mended === "string" && { nearest: mended }),
    ...(mended !== undefined && { mended: { [name]: mended } }),
  };
}

export function missing(argument: Argument): Fault {
  const { name, example, allowed } = argument;
  const description = argument.description.replace(/\.$/, "");
  const hint = example === undefined && !allowed ? { hint: `with ${name} (${description})` } : {};
  return { argument: name, problem: `${name} is missing: ${description}`, ...hints(argument), ...hint };
}

/** Returns the missing arguments without which the call is refused. */
export function missingIn(tool: Called, args: Record<string, Json>): Argument[] {
  // The daemon refuses a call without the role that it asks for, because it knows the roles.
  const isKnownLater = (name: string) => tool.answeredByDaemon && name === "role";
  return tool.arguments.filter(
    ({ required, name }) => required && args[name] === undefined && !isKnownLater(name),
  );
}

const KIND = {
  string: "a string",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  enum: "a word",
  object: "an object",
} as const;

function namesOf(tool: Called): string[] {
  return [...new Set([...tool.arguments.map(({ name }) => name), "role"])];
}

function hints(argument: Argument) {
  return {
    ...(argument.allowed && { allowed: [...argument.allowed] }),
    ...(argument.example !== undefined && { example: argument.example }),
  };
}

/**
 * Shows numbers, and a word if an enum was expected. Other values appear by kind alone, because they may be secret and
 * long.
 */
function shown(argument: Argument, value: Json): string {
  if (value === null || typeof value === "number") return String(value);
  if (typeof value === "string" && argument.type === "enum") return quote(value, 40);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function cutName(name: string): string {
  return name.slice(0, 100);
}
