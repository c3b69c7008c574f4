// Turns the JSON arguments that a model wrote into a request, and checks the bounds of every request.

import { type ErrorData, fail, isTroupeError, type TroupeError } from "../errors/catalogue.ts";
import type { Argument, Called, Tool } from "../tools/read-tools.ts";
import { isObject, type Json, type JsonObject } from "../wire/struct.ts";
import { missing, missingIn, readArguments, wrongValue } from "./argument-faults.ts";
import { type Fault, jsonOf } from "./argument-values.ts";
import { actionFault, actionsOf, labelled, recordOf, toolInside } from "./object-arguments.ts";

/**
 * Returns the request for a tool's JSON arguments (without `role`). Throws INVALID_ARGUMENT with the corrected call.
 */
export function requestOf(tool: Tool, args: JsonObject): Record<string, Json> {
  const { request, faults } = readArguments(tool, args);
  if (faults.length === 0) return request;
  throw refusal(tool, args, request, faults);
}

/**
 * Understands arguments written for another tool as far as possible. Wrong ones are mended, and the rest is left out.
 */
export function understood(tool: Tool, args: JsonObject): { args: JsonObject; missing: string[] } {
  const { request, faults } = readArguments(tool, args);
  const mended = Object.assign(argumentsOf(tool, request), ...faults.map(({ mended = {} }) => mended));
  const missing = missingIn(tool, mended).map(({ name }) => name);
  // Without the intended element, a text would go to whatever has the focus.
  const isRefUnknown = faults.some((fault) => fault.argument === "ref" && fault.mended === undefined);
  return { args: mended, missing: isRefUnknown ? ["ref", ...missing] : missing };
}

/** Returns the JSON arguments of a request: enums by their words, unset arguments left out. */
export function argumentsOf(tool: Tool, request: Record<string, unknown>): JsonObject {
  const args: JsonObject = {};
  for (const argument of tool.arguments) {
    const value = request[argument.name];
    if (value === undefined || value === null || (argument.repeated && (value as unknown[]).length === 0))
      continue;
    args[argument.name] = jsonOf(argument, value as Json);
  }
  return args;
}

/** Throws INVALID_ARGUMENT if a decoded request lacks a required argument or exceeds a bound. */
export function checkRequest(tool: Called, request: Record<string, unknown>): void {
  for (const argument of tool.arguments) {
    const value = request[argument.name];
    if (argument.required && isMissing(argument, value)) throw fail("INVALID_ARGUMENT", missing(argument));
    checkCount(argument, value);
    for (const [index, each] of (Array.isArray(value) ? value : [value]).entries()) {
      if (argument.type === "object") checkObject(argument, each, index);
      else if (argument.type === "enum") checkWord(tool, argument, each);
      else checkBounds(argument, each);
    }
  }
}

/** The number of a word that this version does not have stays a number. */
function checkWord(tool: Called, argument: Argument, value: unknown): void {
  if (typeof value === "number") throw fail("INVALID_ARGUMENT", wrongValue(tool, argument, value, undefined));
}

function checkCount({ name, maxItems }: Argument, value: unknown): void {
  if (!Array.isArray(value) || maxItems === undefined || value.length <= maxItems) return;
  throw fail("INVALID_ARGUMENT", {
    argument: name,
    problem: `${name} has ${value.length} items, at most ${maxItems} are allowed`,
    hint: `with the first ${maxItems} of the ${name}, and then with the others`,
  });
}

/** Checks the arguments of another tool, or a step that holds those of exactly one. */
function checkObject(argument: Argument, value: unknown, index: number): void {
  if (!isObject(value)) return;
  const label = argument.repeated ? `${argument.name.replace(/s$/, "")} ${index + 1}` : argument.name;
  const record = recordOf(argument);
  if (record) checkInside(record, value, argument, label);
  const inside = argument.callOf === undefined ? actionsOf(argument) : [argument];
  const given = inside.filter(({ name }) => argument.callOf !== undefined || isObject(value[name]));
  const fault = actionFault(
    argument,
    given.map(({ name }) => name),
  );
  if (fault) throw fail("INVALID_ARGUMENT", labelled(fault, argument, label));
  for (const { name, callOf = "" } of given) {
    const own = (argument.callOf === undefined ? value[name] : value) as Record<string, unknown>;
    if (own.tab !== undefined) throw fail("INVALID_ARGUMENT", tabInside(label));
    checkInside(toolInside(callOf), own, argument, label);
  }
}

function checkInside(tool: Called, value: Record<string, unknown>, argument: Argument, label: string): void {
  try {
    checkRequest(tool, value);
  } catch (error) {
    throw isTroupeError(error) ? inLabel(error, argument, label) : error;
  }
}

function tabInside(label: string) {
  const problem = `${label}: the tab is the whole call's`;
  return { argument: "tab", problem, hint: "with tab beside the steps" };
}

/** The corrected argument stands in an object, so the whole call has no correction. */
function inLabel(error: TroupeError, argument: Argument, label: string): TroupeError {
  const { corrected: _corrected, ...fault } = error.data as ErrorData["INVALID_ARGUMENT"];
  return fail("INVALID_ARGUMENT", labelled(fault, argument, label), error);
}

/** The first fault with the words of all faults. It has the corrected call if each fault can be mended. */
function refusal(tool: Tool, args: JsonObject, request: Record<string, Json>, faults: Fault[]): TroupeError {
  const { mended: _mended, ...first } = faults[0] as Fault;
  const problem = faults.map((fault) => fault.problem).join("; ");
  if (!faults.every(({ mended }) => mended)) return fail("INVALID_ARGUMENT", { ...first, problem });
  const dropped = Object.fromEntries(Object.keys(args).map((name) => [name, null]));
  const corrected: JsonObject = Object.assign(
    dropped,
    argumentsOf(tool, request),
    ...faults.map((fault) => fault.mended),
  );
  return fail("INVALID_ARGUMENT", { ...first, problem, corrected });
}

function isMissing({ type, mayBeEmpty }: Argument, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (type === "enum") return String(value).endsWith("_UNSPECIFIED");
  return value === "" && !mayBeEmpty;
}

function checkBounds(argument: Argument, value: unknown): void {
  const { name, minimum = -Infinity, maximum = Infinity, maxLength } = argument;
  if (typeof value === "string" && value.length > maxLength) {
    throw fail("INVALID_ARGUMENT", {
      argument: name,
      problem: `${name} has ${value.length} characters, at most ${maxLength} are allowed`,
      hint: `with ${name} of at most ${maxLength} characters`,
    });
  }
  if (typeof value !== "number") return;
  if (Number.isFinite(value) && value >= minimum && value <= maximum) return;
  const bounds = [
    Number.isFinite(minimum) && `at least ${minimum}`,
    Number.isFinite(maximum) && `at most ${maximum}`,
  ]
    .filter(Boolean)
    .join(", ");
  throw fail("INVALID_ARGUMENT", {
    argument: name,
    problem: `${name} is ${value}; allowed is ${bounds || "a finite number"}`,
    hint: `with ${name} ${bounds || "as a finite number"}`,
    ...(Number.isFinite(value) && { corrected: { [name]: Math.max(minimum, Math.min(maximum, value)) } }),
  });
}
