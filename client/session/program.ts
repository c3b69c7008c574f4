// The program behind a connection, for operators who ask which one uses a session.

/** `name`: as the program calls itself, `NAME/VERSION`. It may be known only after the program's first message. */
export interface Program {
  name?: string | undefined;
}

const LENGTH_MAX = 64;

/** Returns the name in the form that a header carries. */
export function programName(info: { name: string; version?: string } | undefined): string | undefined {
  if (!info?.name) return undefined;
  const text = [info.name, info.version].filter(Boolean).join("/");
  return text.replace(/[^\x21-\x7e]+/g, "-").slice(0, LENGTH_MAX);
}
