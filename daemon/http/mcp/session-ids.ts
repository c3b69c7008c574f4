// The ids of MCP sessions of the older era. Among several daemons an id holds what each of them needs to go on with it.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { isObject } from "../../../proto/wire/struct.ts";
import type { Connection } from "./connection.ts";

/** The part of a connection that does not depend on the daemon. */
type Kept = Pick<Connection, "base" | "isNamed" | "role" | "profile" | "maxTokens" | "program">;

/** The beginning of a session: its client's name, its connection, and what the client initialized it with. */
export interface Beginning {
  client: string;
  connection: Kept;
  params: object;
}

/** Proxies take headers of some kilobytes. */
const CAPABILITIES_LENGTH_MAX = 1_000;
const NAME_LENGTH_MAX = 100;

export class SessionIds {
  readonly #key: Buffer | undefined;

  /** `key` signs the ids, and is the same in all daemons; undefined for a daemon that is alone. */
  constructor(key: Buffer | undefined) {
    this.#key = key;
  }

  make({ client, connection, params }: Beginning): string {
    if (!this.#key) return randomUUID();
    const { base, isNamed, role, profile, maxTokens, program } = connection;
    const kept: Kept = { base, isNamed, role, profile, maxTokens, program };
    const nonce = randomUUID();
    const text = Buffer.from(JSON.stringify({ nonce, client, connection: kept, params: shortened(params) }));
    return `${text.toString("base64url")}.${this.#signature(this.#key, text).toString("base64url")}`;
  }

  /** Returns the beginning of a session that a daemon gave this id; undefined for any other text. */
  read(id: string): Beginning | undefined {
    const [text = "", signature = ""] = id.split(".");
    if (!this.#key) return undefined;
    const bytes = Buffer.from(text, "base64url");
    const [given, own] = [Buffer.from(signature, "base64url"), this.#signature(this.#key, bytes)];
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    return JSON.parse(bytes.toString()) as Beginning;
  }

  #signature(key: Buffer, text: Buffer): Buffer {
    return createHmac("sha256", key).update(text).digest();
  }
}

/** Leaves out what no daemon needs. */
function shortened(params: object): object {
  const { protocolVersion, capabilities, clientInfo } = params as Record<string, unknown>;
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  const short = (text: unknown) => String(text ?? "").slice(0, NAME_LENGTH_MAX);
  const isShort = JSON.stringify(capabilities ?? {}).length <= CAPABILITIES_LENGTH_MAX;
  return {
    protocolVersion,
    capabilities: isShort ? (capabilities ?? {}) : {},
    clientInfo: { name: short(name), version: short(version) },
  };
}
