// Reads an error's message for an agent without a plan, and puts the values that it names into the call.
import { nearest } from "../../../proto/text/nearest.ts";
import type { Json, JsonObject } from "../../../proto/wire/struct.ts";

/** Returns the arguments with refused values replaced by those that the message names. */
export function asMessageSays(args: JsonObject, message: string): JsonObject {
  const read = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(read);
    if (typeof value === "number") return withinBounds(value, message);
    return typeof value === "string" ? named(value, message) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, read(value)]));
}

function withinBounds(value: number, message: string): number {
  if (!wordsOf(message).includes(String(value))) return value;
  const [, word, bound] = /\bat (most|least) (\d+)/.exec(message) ?? [];
  const isOutside = word === "most" ? value > Number(bound) : value < Number(bound);
  return bound !== undefined && isOutside ? Number(bound) : value;
}

function named(value: string, message: string): string {
  const words = wordsOf(message);
  if (!words.includes(value)) return value;
  const others = words.filter((word) => word !== value);
  const likeIt = others.filter((word) => shapeOf(word) === shapeOf(value) && /\d/.test(word));
  return nearest(value, others) ?? (likeIt.length === 1 ? likeIt[0] : undefined) ?? value;
}

/** For example, t9 and t1 have the same shape. */
function shapeOf(word: string): string {
  return word.replace(/\d+/g, "0");
}

function wordsOf(message: string): string[] {
  return message.match(/[\w-]+/g) ?? [];
}
