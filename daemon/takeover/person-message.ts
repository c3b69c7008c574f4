// Reads what the person's page sends. Anything else than these messages ends its connection.
import * as z from "zod";
import type { Input, WorkerTakeOverRequest } from "../../proto/gen/troupe.ts";

const TEXT_LENGTH_MAX = 10_000;
const WORD_LENGTH_MAX = 32;

const place = z.number().min(-100_000).max(100_000);
const word = z.string().max(WORD_LENGTH_MAX);
const side = z.number().int().min(1).max(10_000);
const modifiers = z.number().int().min(0).max(15);
const code = z.number().int().min(0).max(1_000);

const message = z.union([
  z.strictObject({ view: z.strictObject({ width: side, height: side }) }),
  z.strictObject({
    shown: z.strictObject({
      number: z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1),
    }),
  }),
  z.strictObject({
    pointer: z.strictObject({
      type: z.enum(["move", "down", "up"]),
      x: place,
      y: place,
      button: z.enum(["none", "left", "middle", "right"]),
      buttons: z.number().int().min(0).max(31),
      clicks: z.number().int().min(0).max(3),
      modifiers,
    }),
  }),
  z.strictObject({
    wheel: z.strictObject({ x: place, y: place, deltaX: place, deltaY: place, modifiers }),
  }),
  z.strictObject({
    touch: z.strictObject({
      type: z.enum(["start", "move", "end", "cancel"]),
      points: z.array(z.strictObject({ id: code, x: place, y: place })).max(10),
    }),
  }),
  z.strictObject({
    key: z.strictObject({
      isUp: z.boolean(),
      key: word,
      code: word,
      keyCode: code,
      location: z.number().int().min(0).max(3),
      modifiers,
      repeats: z.boolean(),
    }),
  }),
  z.strictObject({ text: z.strictObject({ text: z.string().max(TEXT_LENGTH_MAX) }) }),
  z.strictObject({ tab: z.strictObject({ id: word }) }),
  z.strictObject({ move: z.strictObject({ where: z.enum(["back", "forward", "reload"]) }) }),
  z.strictObject({
    dialog: z.strictObject({ accept: z.boolean(), text: z.string().max(TEXT_LENGTH_MAX) }),
  }),
  z.strictObject({ handBack: z.literal(true) }),
]);

/** An input for the worker, or the word that the person is done. Undefined for any other text. */
export function personMessage(text: string): Input<WorkerTakeOverRequest> | "hand-back" | undefined {
  const { success, data } = message.safeParse(parsed(text));
  if (!success) return undefined;
  return "handBack" in data ? "hand-back" : data;
}

/** Returns undefined for a text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
