// Unwraps a call's arguments, because models may wrap them in a further object.

import { isObject, type Json, type JsonObject } from "../wire/struct.ts";
import { plainName } from "./argument-names.ts";
import { parsedJson } from "./argument-values.ts";

/** No argument is nested so deeply. */
const DEPTH_MAX = 6;
/** No call has so many names. A call with more is refused, whatever the others are, so they are not read. */
const NAMES_MAX = 100;
const WRAPPERS = new Set(["arguments", "args", "params", "parameters", "input", "kwargs"]);

/** Returns the arguments, also if they stand in an object of their own or in its JSON text. */
export function plainArguments(args: JsonObject): JsonObject {
  const first = firstOf(args);
  const [[name, value] = ["", null], ...others] = first;
  if (others.length > 0 || !WRAPPERS.has(plainName(name))) return withinDepth(first);
  const inner = typeof value === "string" ? parsedJson(value) : value;
  return withinDepth(isObject(inner ?? null) ? firstOf(inner as JsonObject) : first);
}

/**
 * Returns no more names than a refusal needs. Copying and naming them all would cost as much as their sender chooses.
 */
function firstOf(args: JsonObject): [string, Json][] {
  const entries: [string, Json][] = [];
  for (const name of Object.keys(args)) {
    if (entries.push([name, args[name] as Json]) === NAMES_MAX) break;
  }
  return entries;
}

/** Replaces values that are nested deeper than any argument, so that no later code has to handle them. */
function withinDepth(entries: readonly [string, Json][]): JsonObject {
  return Object.fromEntries(
    entries.map(([name, value]) => [name, depthOf(value) > DEPTH_MAX ? [null, null] : value]),
  );
}

function depthOf(value: Json, depth = 1): number {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return depth;
  let deepest = depth;
  for (const each of Object.values(value)) deepest = Math.max(deepest, depthOf(each as Json, depth + 1));
  return deepest;
}
