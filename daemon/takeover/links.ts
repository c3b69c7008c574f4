// Makes the links by which a person takes a session over. A link is signed, works once, ends soon, and is for one session
// in one role.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Client } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";

/** A link that was not opened by then ends. */
export const LINK_MS = 5 * 60_000;
/** So many links are known at once. The oldest go first. */
const LINKS_MAX = 1_000;
/** So many refusals of one link are worth a line in the log. */
const REFUSALS_LOGGED = 10;
const ID_BYTES = 16;
/** A mark may follow, see {@link MakerMarks}. */
const TOKEN = /^([\w-]{22})\.([\w-]{43})(?:\.[\w-]{36}\.[\w-]{22})?$/;
const UNMARKED = /^[\w-]{22}\.[\w-]{43}$/;

/** The session and the role that a link is for. */
export interface Place {
  key: string;
  role: string;
}

/** A place, and the client that gives it to a person. */
export interface Invitation extends Place {
  maker: Client;
}

interface Link extends Invitation {
  /** By the steady clock. */
  endsAtMs: number;
  isUsed: boolean;
  /** How often it was refused. */
  refusals: number;
}

/** A link that was made. A used one is known until it would have ended. */
export interface KnownLink {
  state: "waiting" | "used";
  invitation: Invitation;
}

/** The links that were given out. A daemon's end ends them all. */
export class Links {
  readonly #key: Buffer;
  readonly #clock: Pick<Clock, "steady">;
  readonly #links = new Map<string, Link>();

  /** `key` signs the links. It comes from the state folder. */
  constructor(key: Buffer, clock: Pick<Clock, "steady">) {
    this.#key = key;
    this.#clock = clock;
  }

  /** Returns the secret part of a new link. */
  make({ key, role, maker }: Invitation): string {
    const id = randomBytes(ID_BYTES).toString("base64url");
    const endsAtMs = this.#clock.steady() + LINK_MS;
    const link = { key, role, maker, endsAtMs, isUsed: false, refusals: 0 };
    keepNewest(this.#links, id, link, LINKS_MAX);
    return `${id}.${this.#signature(id, link).toString("base64url")}`;
  }

  /** Returns the link. Undefined for one that has ended, and for any other text. */
  find(token: string): KnownLink | undefined {
    const [, id = "", signature = ""] = TOKEN.exec(token) ?? [];
    const link = this.#links.get(id);
    if (!link) return undefined;
    if (!timingSafeEqual(this.#signature(id, link), Buffer.from(signature, "base64url"))) return undefined;
    const { key, role, maker, endsAtMs, isUsed } = link;
    if (endsAtMs > this.#clock.steady())
      return { state: isUsed ? "used" : "waiting", invitation: { key, role, maker } };
    this.#links.delete(id);
    return undefined;
  }

  /** Notes that a link has been opened. */
  use(token: string): void {
    const link = this.#links.get(idOf(token));
    if (link) link.isUsed = true;
  }

  /** Counts a refusal of a link. Returns true if it is worth a line in the log. */
  refused(token: string): boolean {
    const link = this.#links.get(idOf(token));
    return link !== undefined && link.refusals++ < REFUSALS_LOGGED;
  }

  /** Ends each link that was not opened and whose invitation does not hold any more. */
  keepIf(holds: (invitation: Invitation) => boolean): void {
    const nowMs = this.#clock.steady();
    for (const [id, link] of this.#links)
      if (link.endsAtMs <= nowMs || !(link.isUsed || holds(link))) this.#links.delete(id);
  }

  #signature(id: string, { key, role, endsAtMs }: Link): Buffer {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([id, key, role, endsAtMs]))
      .digest();
  }
}

/** Reports if a text may be the secret part of a link without a mark, as earlier versions made them. */
export function isUnmarked(token: string): boolean {
  return UNMARKED.test(token);
}

function idOf(token: string): string {
  return token.slice(0, token.indexOf("."));
}
