// Searches a program's outputs for secrets: as they are, and in the encodings that programs use.

import { TroupeError } from "../../client/sdk/index.ts";

/** Secrets by their kind. */
export type Secrets = Readonly<Record<string, string>>;
/** Outputs by their place. */
export type Outputs = Readonly<Record<string, string | Buffer>>;

/** Returns `WHERE: WHAT (HOW)` for each secret in an output. */
export function leaksIn(outputs: Outputs, secrets: Secrets): string[] {
  const looked = Object.entries(secrets).flatMap(([what, secret]) =>
    Object.entries(spellingsOf(secret)).map(([how, spelling]) => ({ what, how, spelling })),
  );
  return Object.entries(outputs).flatMap(([where, given]) => {
    const text = typeof given === "string" ? Buffer.from(given).toString("latin1") : given.toString("latin1");
    const folded = text.toLowerCase();
    return looked
      .filter(({ how, spelling }) => (how === "hex" ? folded : text).includes(spelling))
      .map(({ what, how }) => `${where}: ${what} (${how})`);
  });
}

/** Returns all encodings, each once, by its first name. */
function spellingsOf(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret);
  const all = {
    plain: bytes.toString("latin1"),
    percent: encodeURIComponent(secret),
    json: Buffer.from(JSON.stringify(secret).slice(1, -1)).toString("latin1"),
    hex: bytes.toString("hex"),
    "UTF-16": Buffer.from(secret, "utf16le").toString("latin1"),
    ...Object.fromEntries([0, 1, 2].map((before) => [`base64 after ${before}`, base64Within(bytes, before)])),
  };
  const once = new Map(
    Object.entries(all)
      .reverse()
      .map(([how, spelling]) => [spelling, how]),
  );
  return Object.fromEntries([...once].map(([spelling, how]) => [how, spelling]));
}

/** Returns the constant part of a secret's base64, for this number of bytes before it, modulo three. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const whole = Math.floor((before + bytes.length) / 3) * 4;
  return text.slice(before === 0 ? 0 : 4, whole);
}

/** Keeps all that a stream yields until the call is ended. */
export async function keep(stream: AsyncIterable<unknown>, into: unknown[]): Promise<void> {
  try {
    for await (const each of stream) into.push(each);
  } catch (error) {
    // The test ended the call.
    if (!(error instanceof TroupeError)) throw error;
  }
}
