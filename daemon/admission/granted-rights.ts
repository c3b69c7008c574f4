// Decides the rights of an identity from the values of its claim.
import { type Client, CONTROL } from "./client.ts";
import type { OidcSettings } from "./oidc/verified-jwt.ts";

type Rights = Omit<Client, "name">;
type Grant = NonNullable<OidcSettings["grants"]>[number];

/** Without grants, the values are the names of roles. With grants, only these give rights, all of them together. */
export function grantedRights(values: readonly string[], grants: readonly Grant[] | undefined): Rights {
  if (!grants) return { roles: [...values], control: "none" };
  const given = grants.filter(({ value }) => values.includes(value));
  if (given.length === 0) return { roles: [], control: "none" };
  return {
    roles: unionOf(given.map(({ roles }) => roles)),
    profiles: unionOf(given.map(({ profiles }) => profiles)),
    control: CONTROL.findLast((right) => given.some(({ control }) => control === right)) ?? "none",
    sessions: largest(
      given.map(({ sessions }) => sessions),
      (sessions) => sessions,
    ),
    rate: largest(
      given.map(({ rate }) => rate),
      ({ count, perMs }) => count / perMs,
    ),
  };
}

/** Returns undefined, which means all, if one of the lists is undefined. */
function unionOf<T>(lists: readonly (readonly T[] | undefined)[]): T[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length < lists.length ? undefined : [...new Set(known.flat())];
}

/** Returns undefined, which means no limit, if one of the limits is undefined. */
function largest<T>(limits: readonly (T | undefined)[], size: (limit: T) => number): T | undefined {
  const known = limits.filter((limit) => limit !== undefined);
  if (known.length < limits.length) return undefined;
  return known.reduce((one, other) => (size(other) > size(one) ? other : one));
}
