// Parses refs, both as models write them and as replies show them.

/** A ref in its parts: the frame's number (0: main) and the ref without its prefix. */
export interface ParsedRef {
  frame: number;
  local: string;
  /** The ref as Troupe writes it. */
  whole: string;
}

/**
 * Parses a ref in any form that models write, or in the whole line of its element. The forms are e5, f1_e3, f1e3, @e5,
 * ref=e5, [ref=e5] and these in quotes. Returns undefined for any other text.
 */
export function parseRef(text: string): ParsedRef | undefined {
  const match = REF_ALONE.exec(text);
  if (!match?.[2]) return refOfLine(text);
  const frame = Number(match[1] ?? 0);
  return { frame, local: match[2], whole: wholeRef(frame, match[2]) };
}

const QUOTES = "[\"'`]?";
const REF_ALONE = new RegExp(
  `^\\s*${QUOTES}[[(]?(?:@|(?:aria-)?ref\\s?[=:]\\s?)?${QUOTES}(?:f(\\d{1,9})_?)?(e\\d{1,9})${QUOTES}[\\])]?${QUOTES}\\s*$`,
);
const LINE_LENGTH_MAX = 2_000;

function refOfLine(text: string): ParsedRef | undefined {
  if (text.length > LINE_LENGTH_MAX) return undefined;
  const [only, ...more] = refsIn(text);
  return more.length === 0 ? only : undefined;
}

const REF = "ref=";
/** Matches a ref on the line of its own element, or of a fold that it opens. */
const REF_REST = /ref=(?:f(\d{1,9})_)?(e\d{1,9})(?: offset=\d+)?\]/y;
const FOLD = "[expand with browser_snapshot ";

/** Yields the refs that a text shows. Quoted parts are content of the page and show none. */
export function* refsIn(text: string): Generator<ParsedRef> {
  for (let at = text.indexOf(REF); at >= 0; at = text.indexOf(REF, at + REF.length)) {
    if (text[at - 1] !== "[" && !text.endsWith(FOLD, at)) continue;
    REF_REST.lastIndex = at;
    const [, number = "0", local] = REF_REST.exec(text) ?? [];
    if (local === undefined || isQuoted(text, at)) continue;
    const frame = Number(number);
    yield { frame, local, whole: wholeRef(frame, local) };
  }
}

/** Returns true if this position lies between two quotes of its line. */
function isQuoted(text: string, at: number): boolean {
  let end = 0;
  for (let index = text.lastIndexOf("\n", at) + 1; index < at; index = end + 1) {
    const begin = text.indexOf('"', index);
    if (begin < 0 || begin >= at) return false;
    end = closingQuote(text, begin);
    if (end > at) return true;
  }
  return false;
}

/** Returns the position of the closing quote. Without one, returns `begin`, because it is no quote. */
function closingQuote(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === LINE_BREAK) break;
    if (code === BACKSLASH) index++;
  }
  return begin;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_BREAK = 0x0a;

/** Returns a ref as Troupe writes it. */
export function wholeRef(frame: number, local: string): string {
  return refPrefix(frame) + local;
}

/** Returns the beginning of all refs of a frame. */
export function refPrefix(frame: number): string {
  return frame === 0 ? "" : `f${frame}_`;
}
