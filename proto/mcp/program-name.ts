// The name of the program that an MCP client is, for operators who ask which one uses a session.

const LENGTH_MAX = 64;

/** Returns the program's name and version in the form that a header carries; undefined if it has no name. */
export function programName(clientInfo: unknown): string | undefined {
  const { name, version } = (clientInfo ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== "string" || name === "") return undefined;
  const text = typeof version === "string" && version ? `${name}/${version}` : name;
  return text.replace(/[^\x21-\x7e]+/g, "-").slice(0, LENGTH_MAX);
}
