// Writes the expression that Chrome evaluates at a breakpoint. A logpoint is a condition that logs and is false.
import type { BreakpointSpec } from "./debug-settings.ts";

/** Returns the expression, or "" for a breakpoint that always pauses. */
export function conditionOf({ condition, logMessage }: BreakpointSpec): string {
  // The line breaks end comments in the caller's own expressions.
  if (logMessage === "") return condition;
  const log = `(console.log(${logArguments(logMessage)}), false)`;
  return condition === "" ? log : `(${condition}\n) && ${log}`;
}

/** `total is {a + b}!` becomes `"total is", (a + b), "!"`. */
function logArguments(message: string): string {
  const parts = message.split(/\{([^{}]*)\}/);
  const args = parts.map((part, index) => (index % 2 === 1 ? `(${part}\n)` : JSON.stringify(part.trim())));
  return args.filter((each) => each !== '""').join(", ");
}
