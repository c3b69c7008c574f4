// How text from the page is written so that it can never pass for structure, for a ref, or hide a character.

/** What must be written as an escape: controls, bidi and zero-width characters, tags, invisible fillers, lone surrogates. */
const INVISIBLE =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff";
const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`);

/** What makes a line's text need quotes: brackets, quotes, a backslash, an end or a start that structure has. */
const STRUCTURE = /["[\]\\]|:$|^[-~+…❌]|^\ud83d\udd27|\bref=/;

// One look tells that a text, as nearly all, needs no care.
const INLINE_CARE = new RegExp(`${STRUCTURE.source}|[${INVISIBLE}]`);
const QUOTED_CARE = new RegExp(`["\\\\${INVISIBLE}]`);

/** A name: always in quotes. */
export function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** Text at the end of a line: in quotes only where it could be taken for something else. */
export function inlined(text: string): string {
  if (!INLINE_CARE.test(text)) return text;
  return STRUCTURE.test(text) || visible(text) !== text ? quoted(text) : text;
}

/** The value of an attribute in brackets: quoted where it holds white space, a quote, a bracket or nothing. */
export function attribute(value: string): string {
  return value === "" || HAS_INVISIBLE.test(value) || /[\s"'[\]\\]/.test(value) ? quoted(value) : value;
}

const UNEVEN = /\s{2,}|[^\S ]|^ | $|\u00ad/;

/** White space as HTML collapses it: one space for any run, none at the ends. Soft hyphens are no text. */
export function collapsed(text: string): string {
  return UNEVEN.test(text) ? text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim() : text;
}

/** At most `max` characters, with an ellipsis for the rest; never cut within a surrogate pair. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, cut)}…`;
}

function escaped(text: string): string {
  if (!QUOTED_CARE.test(text)) return text;
  return visible(text.replace(/["\\]/g, "\\$&"));
}

function visible(text: string): string {
  let out = "";
  let before = "";
  const points = [...text];
  for (let i = 0; i < points.length; i++) {
    const point = points[i] as string;
    out += needsEscape(point, before, points[i + 1] ?? "") ? code(point) : point;
    before = point;
  }
  return out;
}

// Joiners between letters of scripts that need them, and in emoji, are spelling; elsewhere they hide something.
// Variation selectors follow a symbol; a lone or second one hides something too.
function needsEscape(point: string, before: string, after: string): boolean {
  if (point === "\u200c" || point === "\u200d") return !(isLetterLike(before) && isLetterLike(after));
  if (/^[\ufe00-\ufe0f]$/.test(point)) return !isLetterLike(before) && !/^[#*0-9]$/.test(before);
  if (point.length === 2) return /^[\u{e0000}-\u{e0fff}\u{1d173}-\u{1d17a}\u{1bca0}-\u{1bca3}]$/u.test(point);
  return HAS_INVISIBLE.test(point);
}

function isLetterLike(point: string): boolean {
  return point > "\u007f" && (!HAS_INVISIBLE.test(point) || /^[\ufe0f\u{10000}-\u{dffff}]$/u.test(point));
}

const SHORT = new Map([
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
]);

function code(point: string): string {
  const short = SHORT.get(point);
  if (short !== undefined) return short;
  const value = point.codePointAt(0) as number;
  return value > 0xffff ? `\\u{${value.toString(16)}}` : `\\u${value.toString(16).padStart(4, "0")}`;
}
