// Checks if JSON is a value in Playwright's forms, or in the additional ones of worker/bridge/storage/encode.ts.

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isLength: Check = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
const isPlain: Check = () => true;

/** Computing a number from more digits than this takes long. */
const DIGITS_MAX = 10_000;
const VIEWS = new Set(["i8", "ui8", "ui8c", "i16", "ui16", "i32", "ui32", "f32", "f64", "bi64", "bui64"]);
const NAMED = new Set(["null", "undefined", "NaN", "Infinity", "-Infinity", "-0"]);

const isBytes: Check = (value) => hasParts(value, { b: isString });
/** Forms without other values in them, by their key. */
const LEAVES: Record<string, Check> = {
  v: (value) => NAMED.has(value as string),
  d: isString,
  u: isString,
  bi: (value) => typeof value === "string" && value.length <= DIGITS_MAX && /^-?\d+$/.test(value),
  e: (value) => hasParts(value, { n: isString, m: isString, s: isString }),
  r: (value) => hasParts(value, { p: isString, f: isString }),
  ref: isNumber,
  ta: (value) => hasParts(value, { b: isString, k: (kind) => VIEWS.has(kind as string) }),
  ab: isBytes,
};
/** The additional forms. */
const EXTENDED: Record<string, Check> = {
  view: (value) =>
    hasParts(value, { b: isString, k: (kind) => kind === "DataView" || kind === "Float16Array" }),
  blob: (value) => hasParts(value, { b: isString, type: isString }),
  key: (value) => hasParts(value, { jwk: isObject, algorithm: isObject, usages: Array.isArray }),
};

/** Checks values at any depth. undefined is not a value. */
export function isEncoded(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const inside = valuesIn(open.pop());
    if (!inside) return false;
    for (const each of inside) open.push(each);
  }
  return true;
}

/** Returns true if no object or list is nested deeper than this many levels. */
export function isShallow(root: unknown, depthMax: number): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return false;
    level = level.filter((each) => isObject(each)).flatMap((each) => Object.values(each as object));
  }
  return true;
}

/** Returns the values inside a value, or undefined if its form is unknown. */
function valuesIn(value: unknown): unknown[] | undefined {
  if (isString(value) || isNumber(value) || typeof value === "boolean") return [];
  if (!isObject(value)) return undefined;
  const form = value as Record<string, unknown>;
  if (Array.isArray(form.a)) return form.a;
  if (isObject(form.x)) return valuesInExtended(form.x as Record<string, unknown>);
  if (Array.isArray(form.o)) return valuesInEntries(form);
  return isOneOf(form, LEAVES) ? [] : undefined;
}

function valuesInEntries({ o }: { o?: unknown }): unknown[] | undefined {
  const isWhole = Array.isArray(o) && o.every((each) => hasParts(each, { k: isString, v: isPlain }));
  return isWhole ? o.map(({ v }) => v) : undefined;
}

function valuesInExtended(form: Record<string, unknown>): unknown[] | undefined {
  const { array, map, set, boxed } = form;
  if (array !== undefined)
    return hasParts(array, { length: isLength }) ? valuesInEntries(array as object) : undefined;
  if (Array.isArray(map))
    return map.every((pair) => Array.isArray(pair) && pair.length === 2) ? map.flat() : undefined;
  if (Array.isArray(set)) return set;
  if (boxed !== undefined) return [boxed];
  return isOneOf(form, EXTENDED) ? [] : undefined;
}

function isOneOf(form: Record<string, unknown>, checks: Record<string, Check>): boolean {
  const found = Object.entries(checks).filter(([key]) => Object.hasOwn(form, key));
  return found.length === 1 && found.every(([key, check]) => check(form[key]));
}

function hasParts(value: unknown, parts: Record<string, Check>): boolean {
  return isObject(value) && Object.entries(parts).every(([key, check]) => check((value as never)[key]));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
