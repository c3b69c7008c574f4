// Who a client is to the daemon, and what it may do.
import type { Configuration } from "../config-schema/definition.ts";

/** A token as the configuration has it. */
export type Token = NonNullable<Configuration["tokens"]>[number];
/** What a client may do with the control plane; each holds what those before it do. */
export const CONTROL = ["none", "read", "write"] as const;
export type ControlRight = (typeof CONTROL)[number];

/** A client that is known. */
export interface Client extends Pick<Token, "roles" | "profiles" | "sessions" | "rate"> {
  /** Its sessions are keyed with it. It has no slash in it. */
  name: string;
  control: ControlRight;
}

/** Whoever may reach the socket, or read the state folder, owns the daemon. */
export const OWNER: Client = { name: "local", control: "write" };

/** By it, sessions are told apart, whoever names them alike. */
export function sessionKey(client: string, session: string): string {
  return `${client}/${session}`;
}

/** Whose session it is. */
export function clientOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}
