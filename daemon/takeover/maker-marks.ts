// Marks secrets with the daemon that made them. Other daemons then ask that one alone, and none for other texts.
import { createHmac, timingSafeEqual } from "node:crypto";

/** 128 bits, so that no mark can be guessed. */
const MAC_BYTES = 16;
/** The secret of a link or of a turn, the incarnation of its maker, and the MAC of both. */
const MARKED = /^([\w.-]{43,66}\.([\w-]{36}))\.([\w-]{22})$/;

export class MakerMarks {
  readonly #own: string;
  readonly #keys: () => readonly Buffer[];

  /** `own`: this daemon's incarnation. `keys` returns the keys of now, which all daemons have. The first one writes. */
  constructor(own: string, keys: () => readonly Buffer[]) {
    this.#own = own;
    this.#keys = keys;
  }

  /** Returns the secret with this daemon's mark. */
  mark(secret: string): string {
    const [key] = this.#keys();
    if (!key) throw new Error("there is no key for marks");
    const text = `${secret}.${this.#own}`;
    return `${text}.${macOf(text, key).toString("base64url")}`;
  }

  /** Returns the incarnation of the daemon that has marked the secret. Undefined for any other text. */
  makerOf(marked: string): string | undefined {
    const [, text = "", maker, given = ""] = MARKED.exec(marked) ?? [];
    const mac = Buffer.from(given, "base64url");
    const isMarked =
      maker !== undefined && this.#keys().some((key) => timingSafeEqual(macOf(text, key), mac));
    return isMarked ? maker : undefined;
  }
}

function macOf(text: string, key: Buffer): Buffer {
  return createHmac("sha256", key).update(text).digest().subarray(0, MAC_BYTES);
}
