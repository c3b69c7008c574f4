// What comes from a page or a client, as texts for LLMs show it: on one line, in quotes, nothing hidden in it.

/**
 * Controls, what reverses, joins or hides text, fillers, tags, lone surrogates. The joiners and the variation selector
 * that spell emoji and some scripts are left alone behind a character beyond ASCII.
 */
const HIDING = new RegExp(
  "[\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}\\p{Cs}]" +
    "|(?<![^\\p{ASCII}])[\\u200c\\u200d\\ufe0f]",
  "gu",
);
/** Where no JSON has escaped those of ASCII. */
const CONTROLS = /\p{Cc}/gu;
/** After a scheme and slashes, or in a text that is an address as a whole. */
const REFS_IN_ADDRESSES = /\[(?=ref=)(?<=(?::[/\\]{1,9}[^\s"]*|^[a-z][a-z0-9+.-]*:\S.*)\[)/gi;
const TEXT_LENGTH_MAX = 500;

/** A text in quotes; cut where it is long. */
export function quote(text: string, lengthMax = TEXT_LENGTH_MAX): string {
  return spelledOut(JSON.stringify(cut(text, lengthMax)));
}

/** A text of ours with others' words in it, on one line, nothing hidden. */
export function oneLine(text: string): string {
  return spelledOut(text.replace(/\s*[\r\n]+\s*/g, " ").replace(CONTROLS, escaped));
}

/** Without the user and password that addresses in it hold (RFC 3986, 3.2.1). */
export function withoutUserinfo(text: string): string {
  return text.replace(/(?<=:[/\\]{1,9})[^\s/?#"'\\]*@/g, "");
}

/** What cannot be seen is written as an escape. */
export function spelledOut(text: string): string {
  return text.replace(HIDING, escaped);
}

/** JSON as it may stand in a terminal or a log: it means the same, and nothing in it hides or moves. */
export function spelledOutJson(json: string): string {
  return json.replace(HIDING, (hidden) => hidden.split("").map(jsonEscaped).join(""));
}

function jsonEscaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The brackets of addresses in it do not pass for those of a ref. */
export function withoutRefsInAddresses(text: string): string {
  return text.replace(REFS_IN_ADDRESSES, "%5B");
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, "0")}`;
}

/** At most so many characters, with an ellipsis for the rest; never cut within a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}
