// Reads a value that a model wrote as its argument's type. The value is taken, mended in the answer, or wrong.
import { nearest } from "../text/nearest.ts";
import type { Argument } from "../tools/read-tools.ts";
import { isObject, type Json, type JsonObject } from "../wire/struct.ts";

/**
 * `taken`: the value in the request's form. `mended`: the intended value as JSON, for the call that the answer
 * proposes.
 */
export type Reading = { kind: "taken"; value: Json } | { kind: "absent" } | { kind: "wrong"; mended?: Json };

/**
 * The fault of one argument. `mended`: its replacement in the corrected call; without it, no corrected call is
 * possible.
 */
export interface Fault {
  argument: string;
  problem: string;
  hint?: string;
  allowed?: string[];
  nearest?: string;
  example?: string;
  mended?: JsonObject;
}

/** These texts hold JSON. Models give the value itself, too. */
const JSON_TEXTS: ReadonlySet<string> = new Set(["arguments"]);

const INTEGER_MAX = 2 ** 31 - 1;
/** Arguments whose values never contain quotes. */
const UNQUOTED = new Set(["tab", "role", "ariaRole"]);
const SAID: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  on: true,
  "1": true,
  ok: true,
  accept: true,
  enter: true,
  no: false,
  n: false,
  off: false,
  "0": false,
  cancel: false,
  dismiss: false,
};
/** Other servers' words for an enum's words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  new: ["open", "create", "add"],
  select: ["switch", "activate", "focus"],
  close: ["remove"],
  list: ["get", "show", "all"],
  control: ["ctrl", "controlormeta", "ctl"],
  meta: ["cmd", "command", "super", "win"],
  alt: ["option", "opt"],
  jpeg: ["jpg"],
  png: ["webp", "image/png"],
  warning: ["warn"],
  info: ["log"],
  gone: ["detached", "removed"],
  hidden: ["invisible"],
  visible: ["attached", "shown", "present"],
};

/**
 * Reads one value, or each of a list. A list may come as its JSON text. A list of one stands for its item, and the
 * reverse.
 */
export function readValue(argument: Argument, value: Json): Reading {
  if (!argument.repeated) {
    const [only = null, ...more] = Array.isArray(value) ? value : [value];
    return more.length > 0 ? { kind: "wrong" } : readOne(argument, only);
  }
  const list = Array.isArray(value) ? value : (listIn(value) ?? [value]);
  const readings = list.map((each) => readOne(argument, each));
  if (readings.every(({ kind }) => kind !== "wrong"))
    return { kind: "taken", value: readings.flatMap((each) => (each.kind === "taken" ? [each.value] : [])) };
  const mended = readings.flatMap((each) => {
    if (each.kind === "taken") return [wordOf(argument, each.value)];
    return each.kind === "wrong" && each.mended !== undefined ? [each.mended] : [];
  });
  return mended.length === readings.length ? { kind: "wrong", mended } : { kind: "wrong" };
}

/** Returns a request's value as JSON: an enum's value becomes its word. */
export function jsonOf(argument: Argument, value: Json): Json {
  return Array.isArray(value) ? value.map((each) => wordOf(argument, each)) : wordOf(argument, value);
}

/** Returns an object's own values as JSON, unset ones left out. */
function insideOf(fields: readonly Argument[], object: JsonObject): JsonObject {
  const inside: JsonObject = {};
  for (const field of fields) {
    const value = object[field.name] ?? null;
    const isUnset = value === null || (Array.isArray(value) && value.length === 0);
    if (!isUnset) inside[field.name] = jsonOf(field, value);
  }
  return inside;
}

function wordOf(argument: Argument, value: Json): Json {
  if (argument.fields && isObject(value)) return insideOf(argument.fields, value);
  const index = argument.enumNames?.indexOf(String(value)) ?? -1;
  return argument.allowed?.[index] ?? value;
}

function readOne(argument: Argument, value: Json): Reading {
  if (value === null || (value === "" && argument.type !== "string")) return { kind: "absent" };
  switch (argument.type) {
    case "string":
      return readText(argument, value);
    case "boolean":
      return readFlag(value);
    case "integer":
    case "number":
      return readNumber(argument, value);
    case "enum":
      return readWord(argument, value);
    case "object":
      // Objects are read with their own faults (object-arguments.ts).
      return { kind: "wrong" };
  }
}

function readText({ name }: Argument, value: Json): Reading {
  if (JSON_TEXTS.has(name) && typeof value === "object")
    return { kind: "taken", value: JSON.stringify(value) };
  if (typeof value === "object") return { kind: "wrong" };
  const text = String(value);
  return { kind: "taken", value: UNQUOTED.has(name) ? withoutQuotes(text) : text };
}

function readFlag(value: Json): Reading {
  if (typeof value === "boolean") return { kind: "taken", value };
  if (typeof value === "object") return { kind: "wrong" };
  const word = withoutQuotes(String(value)).toLowerCase();
  if (word === "true" || word === "false") return { kind: "taken", value: word === "true" };
  const said = Object.hasOwn(SAID, word) ? SAID[word] : undefined;
  return said === undefined ? { kind: "wrong" } : { kind: "wrong", mended: said };
}

function readNumber({ type, name }: Argument, value: Json): Reading {
  const whole = type === "integer";
  const text = typeof value === "string" ? value.trim() : "";
  const plain = typeof value === "number" ? value : /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(plain) && (!whole || (Number.isInteger(plain) && Math.abs(plain) <= INTEGER_MAX)))
    return { kind: "taken", value: plain };
  const meant = Number.isFinite(plain) ? plain : measured(text, name);
  if (!Number.isFinite(meant)) return { kind: "wrong" };
  const mended = whole ? Math.max(-INTEGER_MAX, Math.min(INTEGER_MAX, Math.round(meant))) : meant;
  return { kind: "wrong", mended };
}

/** Reads 1,500 and 10 s and 500 ms. */
function measured(text: string, name: string): number {
  const [, digits, unit = ""] = /^(-?\d[\d,_]*(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.slice(0, 40)) ?? [];
  if (digits === undefined) return Number.NaN;
  const number = Number(digits.replace(/[,_]/g, ""));
  return name === "time" && unit.toLowerCase() === "ms" ? number / 1000 : number;
}

function readWord({ allowed = [], enumNames = [] }: Argument, value: Json): Reading {
  if (typeof value === "object") return { kind: "wrong" };
  const word = withoutQuotes(String(value)).toLowerCase();
  const index = allowed.includes(word)
    ? allowed.indexOf(word)
    : enumNames.findIndex((name) => name.toLowerCase() === word && !name.endsWith("_UNSPECIFIED"));
  const known = enumNames[index];
  if (known !== undefined) return { kind: "taken", value: known };
  const meant = allowed.find((each) => WORDS[each]?.includes(word)) ?? nearest(word, allowed);
  return meant === undefined ? { kind: "wrong" } : { kind: "wrong", mended: meant };
}

/** Reads a list that a model wrote as its JSON text. */
export function listIn(value: Json): Json[] | undefined {
  if (typeof value !== "string" || !/^\s*\[[\s\S]*\]\s*$/.test(value)) return undefined;
  const parsed = parsedJson(value);
  return Array.isArray(parsed) ? parsed : undefined;
}

/** Returns the parsed value; undefined if the text is not JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // The text only looks like JSON.
    return undefined;
  }
}

/** Removes surrounding white space and quotes. */
export function withoutQuotes(text: string): string {
  return text
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim();
}
