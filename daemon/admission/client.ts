// Describes a client and its rights.
import type { Configuration } from "../config-schema/definition.ts";
import type { VerifiedJwt } from "./oidc/verified-jwt.ts";

/** A token as the configuration has it. */
export type Token = NonNullable<Configuration["tokens"]>[number];
/** A client's rights in the control plane. Each right includes those before it. */
export const CONTROL = ["none", "read", "write"] as const;
export type ControlRight = (typeof CONTROL)[number];

/** A credential that was accepted, without its secret. `machine`: nothing is asked of callers on this machine. */
export type Credential =
  | { kind: "socket" | "machine" | "own-token" }
  | { kind: "certificate"; name: string }
  | { kind: "token"; sha256: string }
  | { kind: "jwt"; jwt: VerifiedJwt };

export interface Client extends Pick<Token, "roles" | "profiles" | "sessions" | "rate"> {
  /** The client's name. It is the first part of its sessions' keys and contains no slash. */
  name: string;
  control: ControlRight;
  /** The kind of address that the call came to. */
  door?: Door;
  /** The credential by which the client was identified. It is asked later whether it still counts. */
  credential?: Credential;
}

/** `socket`: the unix socket, which belongs to its owner alone. */
export type Door = "socket" | "tcp" | "http";

/** The client of any caller that can reach the socket or read the state folder. It owns the daemon. */
export const OWNER: Client = { name: "local", control: "write" };

/** Returns the key of a session. It is unique even if two clients use the same session id. */
export function sessionKey(client: string, session: string): string {
  return `${client}/${session}`;
}

/** Returns the session's id, as its client names it. */
export function sessionOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

/** Returns the name of the client that owns the session. */
export function clientOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}
