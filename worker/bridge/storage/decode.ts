// Turns the forms of `encode.ts` and of Playwright back into values.
import { fromBase64 } from "./base64.ts";

/** Has the imported keys by their form. */
export type ImportedKeys = ReadonlyMap<object, CryptoKey>;

/** Imports all keys in the value in advance, because no transaction waits for that. */
export async function importKeys(encoded: unknown): Promise<ImportedKeys> {
  const keys = new Map<object, CryptoKey>();
  const open: unknown[] = [encoded];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== "object" || each === null) continue;
    const form = (each as Form).x?.key;
    if (form) {
      const { jwk, algorithm, usages } = form;
      keys.set(form, await crypto.subtle.importKey("jwk", jwk, algorithm, true, usages));
    } else open.push(...Object.values(each).filter((inside) => inside !== undefined));
  }
  return keys;
}

/** Throws if the form describes an impossible value. */
export function decode(encoded: unknown, keys: ImportedKeys): unknown {
  return decodeInto(encoded, { keys, made: new Map() });
}

interface Run {
  keys: ImportedKeys;
  made: Map<number, unknown>;
}

interface KeyForm {
  jwk: JsonWebKey;
  algorithm: { name: string };
  usages: KeyUsage[];
}

interface Extended {
  /** A list with holes or with named properties. */
  array?: { length: number; o: { k: string; v: unknown }[] };
  map?: [unknown, unknown][];
  set?: unknown[];
  view?: { b: string; k: string };
  blob?: { b: string; type: string; name?: string; lastModified?: number };
  key?: KeyForm;
  boxed?: unknown;
}

interface Form {
  v?: string;
  d?: string;
  u?: string;
  bi?: string;
  e?: { n: string; m: string; s: string };
  r?: { p: string; f: string };
  ta?: { b: string; k: string };
  ab?: { b: string };
  a?: unknown[];
  o?: { k: string; v: unknown }[];
  id?: number;
  ref?: number;
  x?: Extended;
}

const NAMED: Record<string, unknown> = {
  null: null,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
  "-0": -0,
};

const VIEWS: Record<string, new (buffer: ArrayBuffer) => ArrayBufferView> = {
  i8: Int8Array,
  ui8: Uint8Array,
  ui8c: Uint8ClampedArray,
  i16: Int16Array,
  ui16: Uint16Array,
  i32: Int32Array,
  ui32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  bi64: BigInt64Array,
  bui64: BigUint64Array,
  DataView,
};

/** The structured clone keeps these kinds of errors. */
const ERRORS: Record<string, ErrorConstructor> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function decodeInto(encoded: unknown, run: Run): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  const form = encoded as Form;
  if (form.ref !== undefined) return run.made.get(form.ref);
  if (form.a) return arrayOf(form.a, form.id, run);
  if (form.x) return extended(form.x, form.id, run);
  if (form.o) return objectOf(form.o, form.id, run);
  return leafOf(form);
}

function leafOf({ v, d, u, bi, e, r, ta, ab }: Form): unknown {
  if (v !== undefined) return NAMED[v];
  if (d !== undefined) return new Date(d);
  // A URL object cannot be stored, so its writer meant the text.
  if (u !== undefined) return u;
  if (bi !== undefined) return BigInt(bi);
  if (r) return new RegExp(r.p, r.f);
  if (ab) return fromBase64(ab.b).buffer;
  if (ta) return viewOf(ta);
  if (!e) return undefined;
  const error = new (ERRORS[e.n] ?? Error)(e.m);
  error.name = e.n;
  error.stack = e.s;
  return error;
}

function viewOf({ b, k }: { b: string; k: string }): ArrayBufferView {
  const View = VIEWS[k] ?? Object.getOwnPropertyDescriptor(globalThis, k)?.value;
  return new View(fromBase64(b).buffer);
}

function arrayOf(items: unknown[], id: number | undefined, run: Run): unknown[] {
  const array = made<unknown[]>([], id, run);
  for (const each of items) array.push(decodeInto(each, run));
  return array;
}

function objectOf(entries: { k: string; v: unknown }[], id: number | undefined, run: Run): object {
  return define(made({}, id, run), entries, run);
}

function define<T extends object>(object: T, entries: { k: string; v: unknown }[], run: Run): T {
  // The property is defined, not set, because `__proto__` is a key like any other.
  for (const { k, v } of entries)
    Object.defineProperty(object, k, {
      value: decodeInto(v, run),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}

function extended(x: Extended, id: number | undefined, run: Run): unknown {
  if (x.array) return define(made(new Array(x.array.length), id, run), x.array.o, run);
  if (x.map) {
    const map = made(new Map(), id, run);
    for (const [key, value] of x.map) map.set(decodeInto(key, run), decodeInto(value, run));
    return map;
  }
  if (x.set) {
    const set = made(new Set(), id, run);
    for (const each of x.set) set.add(decodeInto(each, run));
    return set;
  }
  return made(single(x, run), id, run);
}

function single({ view, blob, key, boxed }: Extended, run: Run): unknown {
  if (view) return viewOf(view);
  if (key) return run.keys.get(key);
  if (!blob) return Object(decodeInto(boxed, run));
  const { b, type, name, lastModified } = blob;
  const bytes = [fromBase64(b)];
  return name === undefined ? new Blob(bytes, { type }) : new File(bytes, name, { type, lastModified });
}

function made<T>(value: T, id: number | undefined, { made: all }: Run): T {
  if (id !== undefined) all.set(id, value);
  return value;
}
