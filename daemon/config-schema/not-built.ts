// Finds keys that the schema has but this version ignores. Their schema says so with `notBuilt`, and documents hide them.
import { type Configuration, definition } from "./definition.ts";
import { notBuiltAt, type Path } from "./schema-walk.ts";

/** Returns the warnings for the daemon's start. */
export function notBuilt(configuration: Configuration): string[] {
  return keysIn(configuration, []).map((text) => `configured but not built yet: ${text}`);
}

function keysIn(value: unknown, path: Path): string[] {
  const instead = value ? notBuiltAt(definition, path) : undefined;
  if (instead !== undefined) return [`${path.join(".")}: ${instead}`];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => keysIn(each, [...path, key]));
}
