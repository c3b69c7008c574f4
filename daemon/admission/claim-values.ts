// Reads the values of a JWT's claim.

/**
 * Returns the claim's values: of a list of texts, or of one text. The claim `scope` (RFC 8693, 4.2) is a list separated
 * by spaces. A name with dots is also a path, such as `realm_access.roles`. A claim that is not there has no values.
 * Returns undefined if the claim is anything else.
 */
export function claimValues(claims: object, name: string): readonly string[] | undefined {
  const found = valueAt(claims, [name]) ?? valueAt(claims, name.split("."));
  if (found === undefined || found === null) return [];
  if (typeof found === "string") return name === "scope" ? found.split(" ").filter(Boolean) : [found];
  return Array.isArray(found) && found.every((each) => typeof each === "string") ? found : undefined;
}

function valueAt(claims: object, path: readonly string[]): unknown {
  let at: unknown = claims;
  for (const key of path) {
    // An inherited property such as `constructor` is no claim.
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
