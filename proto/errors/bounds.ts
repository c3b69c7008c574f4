// How much an error may tell: its details travel in HTTP/2 trailers, and a page or client may have written them.
import { cut, oneLine } from "../quote.ts";
import type { Json, JsonObject } from "../struct.ts";
import type { Step } from "./entry.ts";

/** Together they stay well below the 16 KiB that every HTTP/2 peer takes as headers (RFC 9113, 6.5.2). */
const DETAILS_LENGTH_MAX = 2_000;
const STRING_LENGTH_MAX = 300;
const ITEMS_MAX = 50;
const ARGUMENTS_LENGTH_MAX = 1_000;

/** The data of a case, cut where it is long: strings first, then lists. */
export function boundedData<Data>(data: Data): Data {
  for (const [strings, items] of [
    [STRING_LENGTH_MAX, ITEMS_MAX],
    [100, 20],
    [40, 5],
  ] as const) {
    const bounded = cutDown(data as Json, strings, items);
    if (bytes(bounded) <= DETAILS_LENGTH_MAX || items === 5) return bounded as Data;
  }
  return data;
}

/** Steps whose arguments are too long to be repeated keep their words: "as before" is what they say. */
export function boundedSteps(steps: Step[]): Step[] {
  return steps.map((step) => {
    const text = boundedText(step.text);
    return bytes(step.arguments ?? {}) <= ARGUMENTS_LENGTH_MAX ? { ...step, text } : { text };
  });
}

/** A sentence, cut, on one line. */
export function boundedText(text: string): string {
  // Cut before it is looked through, and again as escapes make it longer.
  return cut(oneLine(cut(text, 2 * STRING_LENGTH_MAX)), 2 * STRING_LENGTH_MAX);
}

function cutDown(value: Json, strings: number, items: number): Json {
  if (typeof value === "string") return cut(value, strings);
  if (Array.isArray(value)) return value.slice(0, items).map((each) => cutDown(each, strings, items));
  if (typeof value !== "object" || value === null) return value;
  const object: JsonObject = {};
  for (const [key, each] of Object.entries(value)) {
    if (each !== undefined) object[key] = cutDown(each, strings, items);
  }
  return object;
}

function bytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
