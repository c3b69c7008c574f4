// `--role NAME [AUTH_FILE [URL]]`, repeatable: the role to begin with, or roles for a daemon that has no configuration.

export interface RoleFlags {
  /** The current role to begin with. */
  current: string | undefined;
  /** What follows each `--role`, where they define roles for a daemon that is to be started. */
  definitions: string[][];
  /** The other arguments; a flag without its name is among them, last, for whoever reads these to refuse. */
  rest: string[];
}

const VALUES_MAX = 3;

/** Takes the `--role` flags out of a command line. */
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
