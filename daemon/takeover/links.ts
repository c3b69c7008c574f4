// Makes the links by which a person takes a session over. A link is signed, works once, ends soon, and is for one session
// in one role.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { keepNewest } from "../../proto/machine/newest.ts";
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

interface Waiting extends Place {
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
  make({ key, role }: Place): string {
    const id = randomBytes(ID_BYTES).toString("base64url");
    const waiting = { key, role, endsAtMs: this.#clock.steady() + LINK_MS };
    keepNewest(this.#waiting, id, waiting, WAITING_MAX);
    return `${id}.${this.#signature(id, waiting).toString("base64url")}`;
  }

  /** Returns the place of a link that can still be opened. Undefined for any other text. */
  placeOf(token: string): Place | undefined {
    const [, id = "", signature = ""] = TOKEN.exec(token) ?? [];
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    if (!timingSafeEqual(this.#signature(id, waiting), Buffer.from(signature, "base64url"))) return undefined;
    if (waiting.endsAtMs > this.#clock.steady()) return { key: waiting.key, role: waiting.role };
    this.#waiting.delete(id);
    return undefined;
  }

  /** Ends a link, because it has been opened. */
  use(token: string): void {
    this.#waiting.delete(token.slice(0, token.indexOf(".")));
  }

  #signature(id: string, { key, role, endsAtMs }: Waiting): Buffer {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([id, key, role, endsAtMs]))
      .digest();
  }
}
