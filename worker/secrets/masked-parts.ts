// Keeps secrets out of a file on its way to the client.
import type { Redactor } from "./redactor.ts";

/** A secret and its spellings are shorter. So much is held back, as it may begin one that goes on in the next part. */
const HELD_BYTES = 32 * 1024;

/** Yields the file's parts with each byte of a secret replaced, so that its length stays. The parts are changed. */
export async function* maskedParts(
  parts: AsyncIterable<Buffer>,
  redactor: Redactor,
): AsyncGenerator<Buffer, void> {
  let held: Buffer = Buffer.alloc(0);
  for await (const part of parts) {
    const known = held.length === 0 ? part : Buffer.concat([held, part]);
    redactor.maskBytes(known);
    const end = redactor.hasAny ? Math.max(0, known.length - HELD_BYTES) : known.length;
    if (end > 0) yield known.subarray(0, end);
    held = known.subarray(end);
  }
  if (held.length > 0) yield held;
}
