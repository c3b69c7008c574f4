// Spells a secret as pages and programs write it. Case, white space and escapes are left to the reading of the text.

/** A spelling, and the characters that its encoding consists of. */
export interface Spelling {
  text: string;
  /** An encoding says something of the secret in the characters beside it, too. */
  run?: RegExp;
  /** It is found also between other punctuation, and where a page spreads it over several elements. */
  spreads: boolean;
}

const BASE64_RUN = /[\w+/=-]/;
const HEX_RUN = /[\da-f]/i;

/** Returns all spellings of a secret. */
export function spellingsOf(secret: string): Spelling[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // Digits in a row of cells would make a short number by chance.
  const spreads = !/^\d+$/.test(secret);
  return [
    { text: secret, spreads },
    { text: [...secret].reverse().join(""), spreads },
    { text: secret.replaceAll(" ", "+"), spreads: false },
    // Chrome writes file names so.
    { text: secret.replaceAll(/["*/:<>?\\|~]/g, "_"), spreads: false },
    { text: [...secret].map((each) => each.codePointAt(0)).join(","), spreads: false },
    { text: bytes.toString("hex"), run: HEX_RUN, spreads: false },
    ...new Set([...base64, ...urlSafe]).values().map((text) => ({ text, run: BASE64_RUN, spreads: false })),
  ];
}

/** Returns the part of a secret's base64 that is the same whatever stands around it. `before`: bytes, modulo three. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return text.slice(before === 0 ? 0 : 4, Math.floor((before + bytes.length) / 3) * 4);
}
