// Writes data of a page as JSON on one line, within a length. Nothing in it can pass for a ref.
import { cut, spelledOutJson } from "../../proto/text/quote.ts";
import { withoutRefs } from "./quoted-lines.ts";

/** Returns the JSON, and whether it is whole. */
export function pageJson(value: unknown, lengthMax: number): { json: string; isWhole: boolean } {
  const whole = JSON.stringify(value) ?? "null";
  return { json: withoutRefs(spelledOutJson(cut(whole, lengthMax))), isWhole: whole.length <= lengthMax };
}
