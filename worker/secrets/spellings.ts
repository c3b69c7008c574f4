// Spells a secret as pages and programs write it. Case, white space and escapes are left to the reading of the text.

/** A spelling, and the characters that its encoding consists of. */
export interface Spelling {
  text: string;
  /** The shortest beginning that counts if a text is cut off. It says {@link CUT_LENGTH_MIN} characters of the secret. */
  head: string;
  /** An encoding says something of the secret in the characters beside it, too. */
  run?: RegExp;
  /** It is found also between other punctuation, and where a page spreads it over several elements. */
  spreads: boolean;
}

/**
 * So many characters of a cut secret are masked. With fewer, a page or a model could try beginnings such as "a…". The
 * masked ones would show the secret letter by letter.
 */
export const CUT_LENGTH_MIN = 8;

const BASE64_RUN = /[\w+/=-]/;
const HEX_RUN = /[\da-f]/i;

/** Returns all spellings of a secret. */
export function spellingsOf(secret: string): Spelling[] {
  // Digits in a row of cells would make a short number by chance.
  const spreads = !/^\d+$/.test(secret);
  const asWritten = [
    { text: secret, spreads },
    { text: [...secret].reverse().join(""), spreads },
    { text: secret.replaceAll(" ", "+"), spreads: false },
    // Chrome writes file names so.
    { text: secret.replaceAll(/["*/:<>?\\|~]/g, "_"), spreads: false },
  ].map((each) => ({ ...each, head: [...each.text].slice(0, CUT_LENGTH_MIN).join("") }));
  return [...asWritten, ...encodingsOf(secret).map((each) => ({ ...each, spreads: false }))];
}

function encodingsOf(secret: string): Omit<Spelling, "spreads">[] {
  const bytes = Buffer.from(secret);
  const head = [...secret].slice(0, CUT_LENGTH_MIN);
  const headBytes = Buffer.byteLength(head.join(""));
  const codes = [...secret].map((each) => each.codePointAt(0));
  const hex = bytes.toString("hex");
  // Three bytes are four characters, from the first whole group on.
  const length = 4 * Math.ceil(headBytes / 3);
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = base64Within(bytes, before);
    const urlSafe = text.replaceAll("+", "-").replaceAll("/", "_");
    return [...new Set([text, urlSafe])].map((each) => ({ text: each, head: each.slice(0, length) }));
  });
  return [
    { text: codes.join(","), head: codes.slice(0, head.length).join(",") },
    { text: hex, head: hex.slice(0, 2 * headBytes), run: HEX_RUN },
    ...base64.map((each) => ({ ...each, run: BASE64_RUN })),
  ];
}

/** Returns the part of a secret's base64 that is the same whatever stands around it. `before`: bytes, modulo three. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return text.slice(before === 0 ? 0 : 4, Math.floor((before + bytes.length) / 3) * 4);
}
