// Decides how evidence shows a call's arguments. It is pure.

import { named } from "../../proto/text/named.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { RecordedStep } from "../recording/recorded-step.ts";
import { keptArguments } from "../recording/step-arguments.ts";

/** They name elements of the reply before. */
const REFS: ReadonlySet<string> = new Set(["ref", "from", "to"]);

/**
 * Returns the arguments without secrets. `steps`: the steps that the call carried out, which know whether a typed text
 * is a secret. A typed text without a step may be one.
 */
export function shownArguments(tool: Tool, given: JsonObject, steps: readonly RecordedStep[]): JsonObject {
  const { args, hidden } = keptArguments({ tool, name: "" }, given);
  const [only] = steps;
  const own = steps.length === 1 && only?.tool === tool.name ? only : undefined;
  const typed = new Set(tool.arguments.flatMap((each) => (each.typed ? [each.name] : [])));
  const shown = (name: string) => {
    if (REFS.has(name)) return given[name];
    const why = own?.hidden[name] ?? hidden[name];
    if (why !== undefined) return `(${why})`;
    if (own && Object.hasOwn(own.args, name)) return own.args[name];
    if (!own && steps.length > 0 && typed.has(name)) return steps.map(stepOf);
    return Object.hasOwn(args, name) && !typed.has(name) ? args[name] : "(not kept)";
  };
  const names = Object.keys(given).filter((name) => name !== "tab" && given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, shown(name) ?? null]));
}

/** A step of a call of several: its tool, its elements in words, and its arguments. */
function stepOf({ tool, targets, args, hidden, failed }: RecordedStep): JsonObject {
  const on = Object.entries(targets).map(([name, target]) => [name, named(target)]);
  const without = Object.entries(hidden).map(([name, why]) => [name, `(${why})`]);
  return {
    tool,
    ...Object.fromEntries(on),
    ...args,
    ...Object.fromEntries(without),
    ...(failed !== undefined && { failed }),
  };
}
