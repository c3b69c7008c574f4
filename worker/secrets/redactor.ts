// Keeps secrets out of everything that a worker says: replies, errors, events and logs.
import { isUtf8 } from "node:buffer";
import type { Segment } from "./folded-text.ts";
import { SecretFinder } from "./secret-finder.ts";
import { wordsOf } from "./tree-words.ts";

/** It is never longer than what it stands for, so no text outgrows its budget. */
const MASK = "•••";
const MASK_BYTE = "*";
/** Larger files are no texts for a model. */
const BYTES_MAX = 16 * 1024 * 1024;
/** The field of google.protobuf.Struct with an object's own keys. */
const STRUCT = "fields";

export class Redactor {
  readonly #finder = new SecretFinder();
  readonly #base: Redactor | undefined;

  /** `base`: its secrets are kept out, too. */
  constructor(base?: Redactor) {
    this.#base = base;
  }

  /** Notes a value that is kept out of all texts from now on. */
  watchFor(secret: string): void {
    this.#finder.add(secret);
    const inBytes = Buffer.from(secret).toString("latin1");
    if (inBytes !== secret) this.#finder.add(inBytes);
  }

  /** Ends that for a value of its own. */
  forget(secret: string): void {
    this.#finder.remove(secret);
    this.#finder.remove(Buffer.from(secret).toString("latin1"));
  }

  /** There is something to keep out of texts and pictures. */
  get hasAny(): boolean {
    return !this.#finder.isEmpty || this.#base?.hasAny === true;
  }

  /** Returns where the secrets are. */
  placesIn(text: string): Segment[] {
    return [...(this.#base?.placesIn(text) ?? []), ...this.#finder.find(text)];
  }

  /** Returns true if the text holds a secret. */
  finds(text: string): boolean {
    return this.text(text) !== text;
  }

  /** Returns the text with its secrets masked. */
  text(text: string): string {
    const rest = this.#base?.text(text) ?? text;
    if (this.#finder.isEmpty) return rest;
    const masked = withMasks(rest, this.#finder.find(rest));
    if (!masked.includes("- ")) return masked;
    const words = wordsOf(masked);
    return words.length > 1 ? withMasks(masked, this.#finder.find(masked, words)) : masked;
  }

  /** Replaces each byte of a secret in place: in a text of any encoding, or between other bytes. */
  maskBytes(bytes: Buffer): void {
    this.#base?.maskBytes(bytes);
    if (this.#finder.isEmpty) return;
    for (const [from, to] of this.#finder.find(bytes.toString("latin1"))) bytes.fill(MASK_BYTE, from, to);
  }

  /** Returns the value with all its texts masked. Names of fields stay; those of a page's own object do not. */
  all<T>(value: T): T {
    return this.hasAny ? (this.#all(value) as T) : value;
  }

  #all(value: unknown, isStruct = false): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.finds(String(value)) ? 0 : value;
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Uint8Array) return this.#bytes(value);
    if (Array.isArray(value)) return value.map((each) => this.#all(each));
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, each]) => [isStruct ? this.text(key) : key, this.#all(each, key === STRUCT)]),
    );
  }

  #bytes(bytes: Uint8Array): Uint8Array {
    if (bytes.length > BYTES_MAX || !isUtf8(bytes)) return bytes;
    const text = Buffer.from(bytes).toString();
    return this.finds(text) ? Buffer.from(this.text(text)) : bytes;
  }
}

function withMasks(text: string, places: readonly Segment[]): string {
  if (places.length === 0) return text;
  let masked = "";
  let end = 0;
  for (const [from, to] of places) {
    masked += text.slice(end, from) + MASK.slice(0, to - from);
    end = to;
  }
  return masked + text.slice(end);
}
