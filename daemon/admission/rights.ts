// Decides what a client may do: its roles, its profiles and its part of the control plane.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { ControlMethods } from "../../proto/gen/troupe.ts";
import { controlFlags, inProfile, PROFILES, type Profile, type Tool } from "../../proto/tools/read-tools.ts";
import { type Client, CONTROL, type ControlRight } from "./client.ts";
import { roleNamed } from "./role-named.ts";

/** The roles that the client may use, in the configuration's order. */
export function rolesOf({ roles }: Pick<Client, "roles">, all: readonly string[]): string[] {
  return all.filter((role) => !roles || roles.includes(role));
}

/** Returns the role of that name. Throws PERMISSION_DENIED, or UNKNOWN_ROLE with the roles that the client may use. */
export function roleFor(client: Client, name: string, all: readonly string[]): string {
  const allowed = rolesOf(client, all);
  if (all.includes(name) && !allowed.includes(name))
    throw denied(`role '${name}'`, `This client may use ${allowed.join(", ") || "no role"}.`);
  return roleNamed(name, allowed);
}

/**
 * Returns the current role of a session that begins: the role that its client asked for, else the client's first one.
 * `mayMiss`: a role that the client has not is replaced by the first one. Otherwise it throws like {@link roleFor}.
 */
export function firstRoleFor(
  client: Client,
  asked: string | undefined,
  all: readonly string[],
  mayMiss: boolean,
): string | undefined {
  const allowed = rolesOf(client, all);
  if (asked === undefined || (mayMiss && !allowed.includes(asked))) return allowed[0];
  return roleFor(client, asked, all);
}

/** Throws PERMISSION_DENIED if the client may no longer use this role. A role that no longer exists passes. */
export function checkRole(client: Client, role: string, all: readonly string[]): void {
  if (all.includes(role)) roleFor(client, role, all);
}

/** Returns the client's profile: the given one, else core, else the largest below core that the client may use. */
export function profileFor({ profiles }: Client, given: Profile | undefined): Profile {
  const most = mostOf(profiles);
  if (given === undefined) return inProfile("core", most) ? "core" : most;
  if (inProfile(given, most)) return given;
  throw denied(`the profile ${given}`, `This client may use ${profiles?.join(", ")}.`);
}

/** Throws PERMISSION_DENIED for a tool that none of the client's profiles offers. */
export function checkTool({ profiles }: Client, { name, profile, offered, transfers }: Tool): void {
  if ((!offered && !transfers) || inProfile(profile, mostOf(profiles))) return;
  throw denied(name, `It belongs to the profile ${profile}; this client may use ${profiles?.join(", ")}.`);
}

/** Throws PERMISSION_DENIED if the client may not make this call at all. The others cover its own roles and sessions. */
export function checkControl(client: Client, rpc: keyof ControlMethods): void {
  if (!controlFlags(rpc).write || mayControl(client, "write")) return;
  throw denied(rpc, `It takes the right control: write; this client has control: ${client.control}.`);
}

/** Returns true if the client has that right, or a larger one. */
export function mayControl({ control }: Client, right: ControlRight): boolean {
  return CONTROL.indexOf(control) >= CONTROL.indexOf(right);
}

function mostOf(profiles: Client["profiles"]): Profile {
  return [...PROFILES].reverse().find((profile) => !profiles || profiles.includes(profile)) ?? "small";
}

/** Makes the error for what a client has no right to. */
export function denied(what: string, reason: string): TroupeError {
  return fail("PERMISSION_DENIED", { what, reason });
}
