// An MCP client's connection, as its URL, its headers and its first message describe it.
import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { SeenPages } from "../../../proto/calls/seen-pages.ts";
import { programName } from "../../../proto/mcp/program-name.ts";
import { type Profile, SNAPSHOT_TOKENS } from "../../../proto/tools/read-tools.ts";
import { MAX_TOKENS, PROFILE, ROLE, SESSION, tokensIn } from "../../../proto/wire/metadata.ts";
import { headerPlace, profileOf } from "../../admission/caller.ts";
import type { Client } from "../../admission/client.ts";
import { choicesIn, keyPlace } from "./url-choices.ts";

/** One connection of a client, or what stands for it if each request is alone. */
export interface Connection {
  /** The id of its own session. */
  base: string;
  /** The session was named by the client, so that it outlives the connection. */
  isNamed: boolean;
  /** The role in which its sessions begin; undefined for the client's first role. */
  role: string | undefined;
  profile: Profile;
  /** The budget of snapshots. */
  maxTokens: number | undefined;
  /** The program that connects, as it calls itself. */
  program: string | undefined;
  /** Its reader, which does not know what the session was shown before; undefined if each request is alone. */
  seen: SeenPages | undefined;
  /** The client can resume a stream that it lost. */
  isResumable: boolean;
}

/** Up to 2025-11-25 a client begins a connection and keeps it. In the newer era each request is alone. */
export type Era = "older" | "newer";

/**
 * Describes the connection of a request. Headers come before the URL's query. `clientInfo` is what the client says of
 * itself. A client that names no session gets one of its own for each connection, or one for its program in the newer
 * era. Throws INVALID_ARGUMENT or PERMISSION_DENIED for the profile, and INVALID_ARGUMENT for the query.
 */
export function connectionOf(
  { url, headers }: Pick<FastifyRequest, "url" | "headers">,
  client: Client,
  clientInfo: unknown,
  era: Era,
): Connection {
  const inUrl = choicesIn(url);
  const choice = (header: string, key: keyof typeof inUrl) =>
    String(headers[header] ?? inUrl[key] ?? "") || undefined;
  const session = choice(SESSION, "session");
  const place = headers[PROFILE] === undefined ? keyPlace("profile") : headerPlace(PROFILE);
  const profile = profileOf(choice(PROFILE, "profile"), client, place);
  const name = idPart(clientInfo);
  return {
    base: session ?? (era === "newer" ? name : `${name}-${randomBytes(8).toString("hex")}`),
    isNamed: session !== undefined,
    role: choice(ROLE, "role"),
    profile,
    maxTokens: tokensIn(choice(MAX_TOKENS, "maxTokens")) ?? SNAPSHOT_TOKENS[profile],
    program: programName(clientInfo),
    seen: era === "older" ? new SeenPages() : undefined,
    isResumable: era === "older",
  };
}

const NAME_LENGTH_MAX = 40;
const UNNAMED = "mcp";

/** Returns the program's name as a part of a session's id. */
function idPart(clientInfo: unknown): string {
  const { name } = (clientInfo ?? {}) as { name?: unknown };
  if (typeof name !== "string") return UNNAMED;
  const plain = encodeURIComponent(name.trim().slice(0, NAME_LENGTH_MAX).toWellFormed());
  // The tilde separates the connection from the names of its sessions.
  return plain.replaceAll("~", "%7E").slice(0, NAME_LENGTH_MAX) || UNNAMED;
}
