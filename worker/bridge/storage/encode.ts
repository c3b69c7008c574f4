// Writes values of the structured clone as JSON, in Playwright's forms. A value without such a form is an empty object
// for Playwright's reader. The project's own form is beside it, under `x`.
import { toBase64 } from "./base64.ts";

/** Deeper values are left out: each level of a value is up to four levels of JSON. */
const DEPTH_MAX = 200;
/** A value costs this much beyond its text. */
const NODE_CHARS = 8;

/** The value has no form outside the browser. */
export class NoForm extends Error {}

/** A value that is being encoded. */
export interface Draft {
  encoded: unknown;
  /** JSON holds the value as it is. */
  isPlain: boolean;
  /** These steps complete `encoded`: they read the bytes of blobs and the material of keys. */
  pending: (() => Promise<void>)[];
}

/** `spend` receives the cost of the value's text before the text is made. It may throw. */
export function encode(value: unknown, spend: (chars: number) => void): Draft {
  const run = new Encoding(spend);
  const encoded = run.value(value, 0);
  return { encoded, isPlain: run.isPlain && value !== null, pending: run.pending };
}

const VIEWS: Record<string, string> = {
  Int8Array: "i8",
  Uint8Array: "ui8",
  Uint8ClampedArray: "ui8c",
  Int16Array: "i16",
  Uint16Array: "ui16",
  Int32Array: "i32",
  Uint32Array: "ui32",
  Float32Array: "f32",
  Float64Array: "f64",
  BigInt64Array: "bi64",
  BigUint64Array: "bui64",
};

class Encoding {
  isPlain = true;
  readonly pending: Draft["pending"] = [];
  readonly #spend: (chars: number) => void;
  readonly #ids = new Map<object, number>();

  constructor(spend: (chars: number) => void) {
    this.#spend = spend;
  }

  value(value: unknown, depth: number): unknown {
    if (depth > DEPTH_MAX) throw new NoForm();
    this.#spend(NODE_CHARS);
    if (typeof value === "string") {
      this.#spend(value.length);
      return value;
    }
    if (typeof value === "boolean") return value;
    if (value === null) return { v: "null" };
    if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return value;
    if (typeof value === "object") return this.#object(value, depth);
    this.isPlain = false;
    if (value === undefined) return { v: "undefined" };
    if (typeof value === "number") return { v: Object.is(value, -0) ? "-0" : String(value) };
    if (typeof value !== "bigint") throw new NoForm();
    const digits = String(value);
    this.#spend(digits.length);
    return { bi: digits };
  }

  #object(value: object, depth: number): unknown {
    const known = this.#ids.get(value);
    if (known !== undefined) {
      this.isPlain = false;
      return { ref: known };
    }
    const isList = Array.isArray(value);
    if (!isList && Object.getPrototypeOf(value) !== Object.prototype) {
      this.isPlain = false;
      const leaf = this.#leaf(value);
      if (leaf) return leaf;
    }
    const id = this.#ids.size + 1;
    this.#ids.set(value, id);
    if (isList && isDense(value)) return { a: value.map((each) => this.value(each, depth + 1)), id };
    const x = this.#extended(value, depth);
    if (!x) return { o: this.#entries(value, depth), id };
    this.isPlain = false;
    return { o: [], id, x };
  }

  #entries(value: object, depth: number): { k: string; v: unknown }[] {
    return Object.entries(value).map(([k, v]) => {
      this.#spend(k.length);
      return { k, v: this.value(v, depth + 1) };
    });
  }

  /** Encodes values without other values in them, in Playwright's forms. */
  #leaf(value: object): object | undefined {
    if (value instanceof Date) return { d: value.toJSON() ?? "Invalid Date" };
    if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
    if (value instanceof Error)
      return { e: { n: value.name, m: value.message, s: String(value.stack ?? "") } };
    if (value instanceof ArrayBuffer) return { ab: { b: this.#bytes(value) } };
    const k = ArrayBuffer.isView(value) ? VIEWS[value.constructor.name] : undefined;
    return k === undefined ? undefined : { ta: { b: this.#bytes(value as Uint8Array), k } };
  }

  /** Encodes a value in the project's own forms. It returns undefined for a plain object. */
  #extended(value: object, depth: number): object | undefined {
    if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
    if (Array.isArray(value)) return { array: { length: value.length, o: this.#entries(value, depth) } };
    if (value instanceof Map)
      return { map: Array.from(value, (pair) => pair.map((each) => this.value(each, depth + 1))) };
    if (value instanceof Set) return { set: Array.from(value, (each) => this.value(each, depth + 1)) };
    if (value instanceof DataView || (ArrayBuffer.isView(value) && value.constructor.name === "Float16Array"))
      return { view: { b: this.#bytes(value), k: value.constructor.name } };
    if (value instanceof Blob) return this.#blob(value);
    if (typeof CryptoKey !== "undefined" && value instanceof CryptoKey) return this.#key(value);
    const boxed = value.valueOf();
    if (typeof boxed !== "object") return { boxed: this.value(boxed, depth + 1) };
    throw new NoForm();
  }

  #bytes(of: ArrayBuffer | ArrayBufferView): string {
    this.#spend(Math.ceil(of.byteLength / 3) * 4);
    return toBase64(
      ArrayBuffer.isView(of) ? new Uint8Array(of.buffer, of.byteOffset, of.byteLength) : new Uint8Array(of),
    );
  }

  #blob(blob: Blob): object {
    this.#spend(Math.ceil(blob.size / 3) * 4);
    const form = {
      b: "",
      type: blob.type,
      ...(blob instanceof File && { name: blob.name, lastModified: blob.lastModified }),
    };
    this.pending.push(async () => {
      form.b = toBase64(new Uint8Array(await blob.arrayBuffer()));
    });
    return { blob: form };
  }

  #key(key: CryptoKey): object {
    if (!key.extractable) throw new NoForm();
    const { name, hash, length, namedCurve } = key.algorithm as KeyAlgorithm & Record<string, unknown>;
    const algorithm = { name, length, namedCurve, ...(hash ? { hash: (hash as KeyAlgorithm).name } : {}) };
    const form = { jwk: {} as JsonWebKey, algorithm, usages: [...key.usages] };
    this.pending.push(async () => {
      form.jwk = await crypto.subtle.exportKey("jwk", key);
    });
    return { key: form };
  }
}

/** Returns true for a list without holes and without named properties. Keys that are indexes come first. */
function isDense(list: readonly unknown[]): boolean {
  const keys = Object.keys(list);
  return keys.length === list.length && (keys.length === 0 || keys.at(-1) === String(list.length - 1));
}
