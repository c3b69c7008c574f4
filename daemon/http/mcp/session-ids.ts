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
  readonly #keys: (() => readonly Buffer[]) | undefined;

  /**
   * `keys` returns the keys of now, which are the same in all daemons. The first one signs ids, and all read them. A
   * daemon that is alone has none.
   */
  constructor(keys: (() => readonly Buffer[]) | undefined) {
    this.#keys = keys;
  }

  make({ client, connection, params }: Beginning): string {
    const [key] = this.#keys?.() ?? [];
    if (!key) return randomUUID();
    const { base, isNamed, role, profile, maxTokens, program } = connection;
    const kept: Kept = { base, isNamed, role, profile, maxTokens, program };
    const nonce = randomUUID();
    const text = Buffer.from(JSON.stringify({ nonce, client, connection: kept, params: shortened(params) }));
    return signed(text, key);
  }

  /** Returns the beginning of a session that a daemon gave this id; undefined for any other text. */
  read(id: string): Beginning | undefined {
    const text = Buffer.from(id.split(".")[0] ?? "", "base64url");
    const isOwn = this.#keys?.().some((key) => isSame(id, signed(text, key)));
    return isOwn ? (JSON.parse(text.toString()) as Beginning) : undefined;
  }
}

function signed(text: Buffer, key: Buffer): string {
  const signature = createHmac("sha256", key).update(text).digest();
  return `${text.toString("base64url")}.${signature.toString("base64url")}`;
}

/** Compares in a time that does not depend on where two texts differ. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
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
