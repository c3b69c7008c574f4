// A call's arguments without what a model may have wrapped them in.
import { plainName } from "./argument-names.ts";
import { parsedJson } from "./argument-values.ts";
import { isObject, type Json, type JsonObject } from "./struct.ts";

/** Deeper than any argument is. */
const DEPTH_MAX = 6;
const WRAPPERS = new Set(["arguments", "args", "params", "parameters", "input", "kwargs"]);

/** The arguments, also where they stand in an object of their own, or in its JSON text. */
export function plainArguments(args: JsonObject): JsonObject {
  const [[name, value] = ["", null], ...others] = Object.entries(args);
  if (others.length > 0 || !WRAPPERS.has(plainName(name))) return withinDepth(args);
  const inner = typeof value === "string" ? parsedJson(value) : value;
  return withinDepth(isObject(inner) ? inner : args);
}

/** Values that are nested deeper than any argument are no arguments: nothing after this has to bear them. */
function withinDepth(args: JsonObject): JsonObject {
  const kept = Object.entries(args).map(([name, value]) => [
    name,
    depthOf(value) > DEPTH_MAX ? [null, null] : value,
  ]);
  return Object.fromEntries(kept);
}

function depthOf(value: Json, depth = 1): number {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return depth;
  let deepest = depth;
  for (const each of Object.values(value)) deepest = Math.max(deepest, depthOf(each as Json, depth + 1));
  return deepest;
}
