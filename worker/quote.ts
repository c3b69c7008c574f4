// What comes from a page, as replies show it: on one line, in quotes, and never as structure or a ref.

/** C1 controls, line separators, and what reverses or hides text: JSON leaves them as they are. */
const TRICKY = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const TEXT_LENGTH_MAX = 500;
const URL_LENGTH_MAX = 300;

/** A text in quotes; cut where it is long. */
export function quote(text: string): string {
  return JSON.stringify(cut(text, TEXT_LENGTH_MAX)).replace(TRICKY, escaped);
}

/** An address as it is, but for what could pass for a ref in it; cut where it is long, as data: addresses are. */
export function shownUrl(url: string): string {
  return cut(url, URL_LENGTH_MAX)
    .replace(/\[(?=ref=)/gi, "%5B")
    .replace(/\s/g, "%20")
    .replace(TRICKY, escaped);
}

/** A sentence of ours with a page's words in it, on one line. */
export function shownText(text: string): string {
  return cut(text.replace(/\s+/g, " "), TEXT_LENGTH_MAX)
    .replace(/\[(?=ref=)/gi, "(")
    .replace(TRICKY, escaped);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
