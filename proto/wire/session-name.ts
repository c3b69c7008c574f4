// The names of sessions beside a connection's own one, and the ids made from them.

/** The allowed names. */
export const SESSION_NAME = /^[\w.-]{1,64}$/;

/** Returns the id of a named session beside the session of id `base`. */
export function namedSessionId(base: string, name: string): string {
  return `${base}~${name}`;
}

/** Returns the base that {@link namedSessionId} made the id from; undefined if the id has not this name. */
export function baseSessionId(id: string, name: string): string | undefined {
  const base = id.slice(0, -name.length - 1);
  return base !== "" && SESSION_NAME.test(name) && id === namedSessionId(base, name) ? base : undefined;
}
