// Writes text from the page so that it cannot pass for structure or a ref, and cannot hide a character.

/** These must be escaped: controls, bidi and zero-width characters, tags, invisible fillers, lone surrogates. */
const INVISIBLE =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff";
const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`);

/** A line's text needs quotes if it has brackets, quotes, a backslash, or an end or start that structure has. */
const STRUCTURE = /["[\]\\]|:$|^[-~+…❌]|^\ud83d\udd27|\bref=/;

// One test shows that a text needs no care, which is true of nearly all texts.
const INLINE_CARE = new RegExp(`${STRUCTURE.source}|[${INVISIBLE}]`);
const QUOTED_CARE = new RegExp(`["\\\\${INVISIBLE}]`);

/** Writes a name, which is always in quotes. */
export function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** Writes text at the end of a line. It is in quotes only if a reader could take it for something else. */
export function inlined(text: string): string {
  if (!INLINE_CARE.test(text)) return text;
  return STRUCTURE.test(text) || visible(text) !== text ? quoted(text) : text;
}

/**
 * Writes the value of an attribute in brackets. Quotes surround an empty value, white space, a quote, a bracket, a
 * backslash or an invisible character.
 */
export function attribute(value: string): string {
  return value === "" || HAS_INVISIBLE.test(value) || /[\s"'[\]\\]/.test(value) ? quoted(value) : value;
}

const UNEVEN = /\s{2,}|[^\S ]|^ | $|\u00ad/;

/** Collapses white space as HTML does: one space for any run, none at the ends. Soft hyphens are dropped. */
export function collapsed(text: string): string {
  return UNEVEN.test(text) ? text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim() : text;
}

/** Returns at most `max` characters and an ellipsis for the rest. It never cuts within a surrogate pair. */
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

// Joiners are spelling in emoji and between letters of scripts that need them. Elsewhere they hide something. A
// variation selector follows a symbol. A lone or second one hides something too.
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
