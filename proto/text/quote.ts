// Prints text of a page or client for LLMs: on one line, in quotes, with nothing hidden.

/**
 * Controls, fillers, tags, lone surrogates, and characters that reverse, join or hide text. Joiners and the variation
 * selector spell emoji and some scripts, so they stay behind a character beyond ASCII.
 */
const HIDING = new RegExp(
  "[\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}\\p{Cs}]" +
    "|(?<![^\\p{ASCII}])[\\u200c\\u200d\\ufe0f]",
  "gu",
);
/** ASCII controls, for text that JSON has not escaped. */
const CONTROLS = /\p{Cc}/gu;
/** Controls that belong to no plain text of several lines. */
const STEERING = /(?![\n\t])\p{Cc}/gu;
/** A bracket after a scheme and slashes, or in a text that is an address as a whole. */
const REFS_IN_ADDRESSES = /\[(?=ref=)(?<=(?::[/\\]{1,9}[^\s"]*|^[a-z][a-z0-9+.-]*:\S.*)\[)/gi;
const TEXT_LENGTH_MAX = 500;

/** Quotes a text and cuts it if it is long. */
export function quote(text: string, lengthMax = TEXT_LENGTH_MAX): string {
  return spelledOut(JSON.stringify(cut(text, lengthMax)));
}

/** Puts our text with foreign words in it on one line, with nothing hidden. */
export function oneLine(text: string): string {
  return spelledOut(text.replace(/\s*[\r\n]+\s*/g, " ").replace(CONTROLS, escaped));
}

/** Removes user and password from addresses in a text (RFC 3986, 3.2.1). */
export function withoutUserinfo(text: string): string {
  return text.replace(/(?<=:[/\\]{1,9})[^\s/?#"'\\]*@/g, "");
}

/** Makes a text of several lines safe for a terminal: nothing in it hides, moves or steers anything. */
export function linesSpelledOut(text: string): string {
  return spelledOut(text.replaceAll("\r\n", "\n").replace(STEERING, escaped));
}

/** Writes invisible characters as escapes. */
export function spelledOut(text: string): string {
  return text.replace(HIDING, escaped);
}

/** Makes JSON safe for a terminal or a log. It means the same, and no character in it hides or moves text. */
export function spelledOutJson(json: string): string {
  return json.replace(HIDING, (hidden) => hidden.split("").map(jsonEscaped).join(""));
}

function jsonEscaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Encodes brackets in addresses, so that they cannot pass for those of a ref. */
export function withoutRefsInAddresses(text: string): string {
  return text.replace(REFS_IN_ADDRESSES, "%5B");
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, "0")}`;
}

/** Cuts to at most so many characters, with an ellipsis for the rest. It never cuts within a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** Copies a text that is kept. V8 keeps the whole text of which it is a part otherwise, however long that is. */
export function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
