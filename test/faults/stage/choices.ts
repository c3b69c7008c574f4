// The choices of an agent that knows what its failed call was meant for.
import type { Choice } from "./literal-agent.ts";

/** Returns the click that a person makes on the element with this role and name. */
export function clickOf(role: string, name: string): Choice {
  return (_newest, all) => ["browser_click", { ref: named(all, role, name) }];
}

/** Returns the last delivered ref with this role and name. */
export function named(all: string, role: string, name: string): string {
  const told = all.matchAll(new RegExp(`${role} ${JSON.stringify(name)}[^\n]*?\\[ref=(\\w+)\\]`, "g"));
  return [...told].at(-1)?.[1] ?? /^Element: (\w+)$/m.exec(all)?.[1] ?? "";
}
