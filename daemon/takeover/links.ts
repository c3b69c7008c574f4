// Makes the links by which a person takes a session over. A link is signed, works once, ends soon, and is for one session
// in one role.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Client } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";

/** A link that was not opened by then ends. */
export const LINK_MS = 5 * 60_000;
/** So many links may wait to be opened. The oldest go first. */
const WAITING_MAX = 1_000;
const ID_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** The session and the role that a link is for. */
export interface Place {
  key: string;
  role: string;
}

/** A place, and the client that gives it to a person. */
export interface Invitation extends Place {
  maker: Client;
}

interface Waiting extends Invitation {
  /** By the steady clock. */
  endsAtMs: number;
}

/** The links that were given out and not opened. A daemon's end ends them all. */
export class Links {
  readonly #key: Buffer;
  readonly #clock: Pick<Clock, "steady">;
  readonly #waiting = new Map<string, Waiting>();

  /** `key` signs the links. It comes from the state folder. */
  constructor(key: Buffer, clock: Pick<Clock, "steady">) {
    this.#key = key;
    this.#clock = clock;
  }

  /** Returns the secret part of a new link. */
  make({ key, role, maker }: Invitation): string {
    const id = randomBytes(ID_BYTES).toString("base64url");
    const waiting = { key, role, maker, endsAtMs: this.#clock.steady() + LINK_MS };
    keepNewest(this.#waiting, id, waiting, WAITING_MAX);
    return `${id}.${this.#signature(id, waiting).toString("base64url")}`;
  }

  /** Returns the invitation of a link that can still be opened. Undefined for any other text. */
  invitationOf(token: string): Invitation | undefined {
    const [, id = "", signature = ""] = TOKEN.exec(token) ?? [];
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    if (!timingSafeEqual(this.#signature(id, waiting), Buffer.from(signature, "base64url"))) return undefined;
    const { endsAtMs, ...invitation } = waiting;
    if (endsAtMs > this.#clock.steady()) return invitation;
    this.#waiting.delete(id);
    return undefined;
  }

  /** Ends a link, because it has been opened. */
  use(token: string): void {
    this.#waiting.delete(token.slice(0, token.indexOf(".")));
  }

  /** Ends each link whose invitation does not hold any more. */
  keepIf(holds: (invitation: Invitation) => boolean): void {
    const nowMs = this.#clock.steady();
    for (const [id, { endsAtMs, ...invitation }] of this.#waiting)
      if (endsAtMs <= nowMs || !holds(invitation)) this.#waiting.delete(id);
  }

  #signature(id: string, { key, role, endsAtMs }: Waiting): Buffer {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([id, key, role, endsAtMs]))
      .digest();
  }
}
