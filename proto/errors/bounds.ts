// Bounds the size of errors. Details travel in HTTP/2 trailers, and a page or client may have written them.
import { cut, oneLine, withoutRefsInAddresses, withoutUserinfo } from "../text/quote.ts";
import type { Json, JsonObject } from "../wire/struct.ts";
import type { Step } from "./steps/step.ts";

/** Together they stay well below the 16 KiB that every HTTP/2 peer accepts as headers (RFC 9113, 6.5.2). */
const DETAILS_LENGTH_MAX = 2_000;
const STRING_LENGTH_MAX = 300;
/** No error has so many keys of its own, but data from a client may have any number. */
const KEYS_MAX = 50;
/** Lengths of strings and lists. They are tried in turn, so that a list of options keeps as many as fit. */
const CUTS = [
  [STRING_LENGTH_MAX, 50],
  [150, 50],
  [60, 50],
  [40, 50],
  [40, 20],
  [40, 5],
] as const;
/** The bound of all steps together. Even with the longest texts around them they fit. */
const ARGUMENTS_LENGTH_MAX = 4_000;

/** Cuts the data of a case if it is long: strings first, then lists. A cut list says how many more there are. */
export function boundedData<Data>(data: Data): Data {
  let bounded = data as Json;
  for (const [strings, items] of CUTS) {
    bounded = cutDown(data as Json, strings, items);
    if (bytes(bounded) <= DETAILS_LENGTH_MAX) break;
  }
  return bounded as Data;
}

/**
 * Steps with too long arguments keep only their words, which say "as before". `areWhole`: no step was cut, so a client
 * can follow the steps to the letter.
 */
export function boundedSteps(all: readonly Step[]): { steps: Step[]; areWhole: boolean } {
  let left = ARGUMENTS_LENGTH_MAX;
  const steps = all.map((step) => {
    const text = boundedText(step.text);
    const length = step.arguments === undefined ? 0 : bytes(step.arguments);
    if (length > left) return { text: `${text} ${TOO_LONG}` };
    left -= length;
    return { ...step, text };
  });
  return { steps, areWhole: steps.every((step, index) => step.tool === all[index]?.tool) };
}

const TOO_LONG = "(the arguments are too long to be repeated here: give them as they were)";

/** Cuts a sentence and puts it on one line. */
export function boundedText(text: string): string {
  // It is cut before it is scanned, and again because escapes make it longer.
  return cut(oneLine(shown(text, 2 * STRING_LENGTH_MAX)), 2 * STRING_LENGTH_MAX);
}

function cutDown(value: Json, strings: number, items: number): Json {
  if (typeof value === "string") return shown(value, strings);
  if (Array.isArray(value)) return cutList(value, strings, items);
  if (typeof value !== "object" || value === null) return value;
  const object: JsonObject = {};
  for (const key of Object.keys(value).slice(0, KEYS_MAX)) {
    const each = value[key];
    if (each !== undefined) object[key] = cutDown(each, strings, items);
  }
  return object;
}

function shown(text: string, length: number): string {
  // This happens before the cut, because half a password would not be recognised.
  return withoutRefsInAddresses(cut(withoutUserinfo(text), length));
}

function cutList(list: readonly Json[], strings: number, items: number): Json[] {
  const kept = list.slice(0, items).map((each) => cutDown(each, strings, items));
  const isCut = list.length > items && typeof list[0] === "string";
  return isCut ? [...kept, `… and ${list.length - items} more`] : kept;
}

function bytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
