// Reads `--role NAME [AUTH_FILE [URL]]`, repeatable. It names the first role, or defines roles for a daemon without a
// configuration.

export interface RoleFlags {
  /** The role to begin with. */
  current: string | undefined;
  /** The values of each `--role`, if they define roles for a daemon that is to be started. */
  definitions: string[][];
  /** The other arguments. A `--role` without a name comes last among them, so that their reader rejects it. */
  rest: string[];
}

const VALUES_MAX = 3;

/** Splits the `--role` flags from a command line. */
export function roleFlags(args: readonly string[]): RoleFlags {
  const groups: string[][] = [];
  const rest: string[] = [];
  let group: string[] | undefined;
  for (const arg of args) {
    const [, value] = /^--role(?:=(.*))?$/s.exec(arg) ?? [];
    if (arg === "--role" || value !== undefined) {
      group = value === undefined ? [] : [value];
      groups.push(group);
    } else if (group && group.length < VALUES_MAX && !arg.startsWith("-")) {
      group.push(arg);
    } else {
      group = undefined;
      rest.push(arg);
    }
  }
  const named = groups.filter(([name]) => name);
  const defining = named.length > 1 || named.some((values) => values.length > 1);
  if (named.length < groups.length) rest.push("--role");
  return { current: named[0]?.[0], definitions: defining ? named : [], rest };
}
