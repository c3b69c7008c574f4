// Reads a text as a person or a program would: without case, accents, white space and invisible characters. Escapes are
// undone, also nested ones (`%2568`, `&amp;#104;`). Each character keeps its place in the text.

/** A part of a text: from, to. */
export type Segment = readonly [from: number, to: number];

const BACKSLASH = code("\\");
const PERCENT = code("%");
const AMPERSAND = code("&");
const SEMICOLON = code(";");
const HASH = code("#");
const LOWER_U = code("u");
const LOWER_X = code("x");
const BRACE = { opens: code("{"), closes: code("}") };
/** The end of a text that was cut. */
export const ELLIPSIS = code("…");
/** A backslash before one of these only protects it. */
const PROTECTED = new Set([..."\"'/`"].map(code));
/** A backslash and one of these stand for white space. */
const BLANKS = new Set([..."nrt"].map(code));
const NAMED = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);
/** `&#x10ffff;` and `\u{10ffff}` are the longest. */
const ESCAPE_LENGTH_MAX = 12;
/** A byte of an encoded character stands here until the others have come. */
const BYTES = 0xe000;

const SKIPPED = /[\s\p{Cc}\p{Cf}\p{M}\p{Z}\u115f\u1160\u3164\uffa0]/gu;
const UNKNOWN = 0xffff;
const SEVERAL = 0xfffe;

/** The escapes that are undone: none, each once, or also those that others stand for. */
export type Escapes = "none" | "once" | "nested";

/** The characters that a text is compared by. */
export class FoldedText {
  codes = new Uint16Array(0);
  /** The place of each character in the text: its first unit, and the one after its last. */
  from = new Uint32Array(0);
  to = new Uint32Array(0);
  length = 0;
  /** An escape was undone. It may have been none: `%2b25` is a plus sign and `25`, or hexadecimal after `%2`. */
  hasUndone = false;
  /** 1 for a character that an escape stands for. */
  #escaped = new Uint8Array(0);
  #escapes: Escapes = "nested";
  /** The folded character of each UTF-16 unit; 0 for one that is skipped. */
  readonly #table = new Uint16Array(0x10000).fill(UNKNOWN);
  readonly #several = new Map<string, string>();
  /** Folded characters that are still to be taken, the next one last. A loop takes them: escapes may be nested deeply. */
  readonly #left: { unit: number; from: number; to: number; isEscaped: boolean }[] = [];

  /** Reads the segments of the text as one. */
  read(text: string, segments: readonly Segment[] = [[0, text.length]], escapes: Escapes = "nested"): void {
    this.length = 0;
    this.hasUndone = false;
    this.#escapes = escapes;
    if (this.codes.length < 3 * text.length) this.#grow(3 * text.length + 64);
    for (const [from, to] of segments)
      for (let at = from; at < to; at++) {
        const unit = text.charCodeAt(at);
        const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
        this.#meet(unit, isPair ? text.slice(at, at + 2) : undefined, at, at + (isPair ? 2 : 1));
        for (let next = this.#left.pop(); next; next = this.#left.pop())
          this.#push(next.unit, next.from, next.to, next.isEscaped);
        if (isPair) at++;
      }
  }

  /** Drops all but letters and digits. */
  keepLetters(): void {
    let kept = 0;
    for (let at = 0; at < this.length; at++) {
      const unit = this.codes[at] as number;
      if (!isLetter(unit)) continue;
      this.codes[kept] = unit;
      this.from[kept] = this.from[at] as number;
      this.to[kept] = this.to[at] as number;
      kept++;
    }
    this.length = kept;
  }

  /** Makes room, and keeps what has been read. */
  #grow(length: number): void {
    const { codes, from, to } = this;
    const escaped = this.#escaped;
    this.#escaped = new Uint8Array(length);
    this.#escaped.set(escaped.subarray(0, this.length));
    this.codes = new Uint16Array(length);
    this.from = new Uint32Array(length);
    this.to = new Uint32Array(length);
    this.codes.set(codes.subarray(0, this.length));
    this.from.set(from.subarray(0, this.length));
    this.to.set(to.subarray(0, this.length));
  }

  /** Takes a character of the text. */
  #meet(unit: number, pair: string | undefined, from: number, to: number): void {
    const folded = pair === undefined ? this.#foldedUnit(unit) : SEVERAL;
    if (folded === SEVERAL) this.#putBack(this.#foldedSeveral(unit, pair), from, to, false);
    else if (folded !== 0) this.#push(folded, from, to, false);
  }

  #foldedUnit(unit: number): number {
    const folded = this.#table[unit] as number;
    return folded === UNKNOWN ? this.#learn(unit) : folded;
  }

  #foldedSeveral(unit: number, pair: string | undefined): string {
    return pair === undefined ? (this.#several.get(String.fromCharCode(unit)) ?? "") : foldedCharacter(pair);
  }

  #putBack(folded: string, from: number, to: number, isEscaped: boolean): void {
    for (let index = folded.length - 1; index >= 0; index--)
      this.#left.push({ unit: folded.charCodeAt(index), from, to, isEscaped });
  }

  #learn(unit: number): number {
    const character = String.fromCharCode(unit);
    const folded = unit === ELLIPSIS ? character : foldedCharacter(character);
    if (folded.length > 1) this.#several.set(character, folded);
    this.#table[unit] = folded.length > 1 ? SEVERAL : folded === "" ? 0 : folded.charCodeAt(0);
    return this.#table[unit] as number;
  }

  #push(unit: number, from: number, to: number, isEscaped: boolean): void {
    const { length } = this;
    // Some characters stand for many: U+FDFA is a sentence.
    if (length >= this.codes.length) this.#grow(2 * length);
    this.codes[length] = unit;
    this.from[length] = from;
    this.to[length] = to;
    this.#escaped[length] = isEscaped ? 1 : 0;
    this.length++;
    if (this.#escapes === "none" || (isEscaped && this.#escapes === "once")) return;
    if (isHexDigit(unit)) this.#afterHexDigit();
    else if (unit === SEMICOLON) this.#afterSemicolon();
    else if (unit === BRACE.closes) this.#afterBrace();
    if (length > 0 && this.#begins(length - 1, BACKSLASH)) this.#afterBackslash(unit);
  }

  /** `\\` is one backslash, `\"` is a quote, `\n` is white space. */
  #afterBackslash(unit: number): void {
    if (this.codes[this.length - 1] !== unit) return;
    const isDoubled = unit === BACKSLASH;
    // The first one may be a page's own, before an escape.
    if (isDoubled && this.#escapes === "once") return;
    if (!isDoubled && !PROTECTED.has(unit) && !BLANKS.has(unit)) return;
    const at = this.length - 2;
    const to = this.to[at + 1] as number;
    this.hasUndone = true;
    this.length = at;
    if (!BLANKS.has(unit)) this.#put(unit, this.from[at] as number, to);
  }

  /** Returns true if the character there can begin an escape. */
  #begins(at: number, unit: number): boolean {
    return this.codes[at] === unit && (this.#escapes === "nested" || this.#escaped[at] === 0);
  }

  /** `%68`, `%u0068`, `\x68`, `\u0068`. */
  #afterHexDigit(): void {
    const { codes, length } = this;
    if (this.#begins(length - 3, PERCENT)) {
      const byte = this.#hexOf(length - 2, length);
      if (byte !== undefined) this.#decodeByte(byte);
    } else if (this.#begins(length - 4, BACKSLASH) && codes[length - 3] === LOWER_X) {
      this.#replace(length - 4, this.#hexOf(length - 2, length));
    } else if (
      codes[length - 5] === LOWER_U &&
      (this.#begins(length - 6, BACKSLASH) || this.#begins(length - 6, PERCENT))
    ) {
      this.#replace(length - 6, this.#hexOf(length - 4, length));
    }
  }

  /** `&#104;`, `&#x68;`, `&amp;`. */
  #afterSemicolon(): void {
    const begin = this.#lastOf(AMPERSAND);
    if (begin === undefined) return;
    const name = String.fromCharCode(...this.codes.subarray(begin + 1, this.length - 1));
    if (name.charCodeAt(0) !== HASH) this.#replace(begin, NAMED.get(name)?.charCodeAt(0));
    else if (/^#x[0-9a-f]+$/.test(name)) this.#replace(begin, Number.parseInt(name.slice(2), 16));
    else if (/^#\d+$/.test(name)) this.#replace(begin, Number(name.slice(1)));
  }

  /** `\u{68}`. */
  #afterBrace(): void {
    const { codes } = this;
    const brace = this.#lastOf(BRACE.opens);
    if (brace === undefined || codes[brace - 1] !== LOWER_U || !this.#begins(brace - 2, BACKSLASH)) return;
    this.#replace(brace - 2, this.#hexOf(brace + 1, this.length - 1));
  }

  #lastOf(unit: number): number | undefined {
    const least = Math.max(0, this.length - ESCAPE_LENGTH_MAX);
    for (let at = this.length - 2; at >= least; at--) if (this.#begins(at, unit)) return at;
    return undefined;
  }

  #hexOf(begin: number, end: number): number | undefined {
    let value = 0;
    for (let at = begin; at < end; at++) {
      const unit = this.codes[at] as number;
      if (!isHexDigit(unit)) return undefined;
      value = value * 16 + (unit < 0x3a ? unit - 0x30 : unit - 0x57);
    }
    return end > begin ? value : undefined;
  }

  /** Puts the character in the place of its escape, which began at `begin`. */
  #replace(begin: number, point: number | undefined): void {
    if (point === undefined || point > 0x10ffff) return;
    const to = this.to[this.length - 1] as number;
    this.hasUndone = true;
    this.length = begin;
    this.#put(point, this.from[begin] as number, to);
  }

  /** Has a decoded character taken next. */
  #put(point: number, from: number, to: number): void {
    const folded = point < 0x10000 ? this.#foldedUnit(point) : SEVERAL;
    if (folded === SEVERAL) {
      const pair = point < 0x10000 ? undefined : String.fromCodePoint(point);
      this.#putBack(this.#foldedSeveral(point, pair), from, to, true);
    } else if (folded !== 0) this.#left.push({ unit: folded, from, to, isEscaped: true });
  }

  /** A character beyond ASCII is percent-encoded as several bytes of UTF-8 (RFC 3629, 3). */
  #decodeByte(byte: number): void {
    const begin = this.length - 3;
    if (byte < 0x80) {
      this.#replace(begin, byte);
      return;
    }
    this.to[begin] = this.to[this.length - 1] as number;
    this.codes[begin] = BYTES + byte;
    this.hasUndone = true;
    this.length = begin + 1;
    const count = this.#bytesOfCharacter();
    if (count === 0) return;
    const first = this.length - count;
    const bytes = this.codes.subarray(first, this.length).map((unit) => unit - BYTES);
    const point = Buffer.from(bytes).toString().codePointAt(0) ?? 0;
    this.length = first;
    this.#put(point, this.from[first] as number, this.to[begin] as number);
  }

  /** Returns how many bytes the character has that ends here; 0 if none does. */
  #bytesOfCharacter(): number {
    for (let count = 1; count <= 4; count++) {
      const byte = (this.codes[this.length - count] ?? 0) - BYTES;
      if (byte < 0x80 || byte > 0xff) return 0;
      if (byte >= 0xc0) return count === lengthByLead(byte) ? count : 0;
    }
    return 0;
  }
}

function lengthByLead(byte: number): number {
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function foldedCharacter(character: string): string {
  const lower = character.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");
  return lower.replace(SKIPPED, "");
}

/** Beyond ASCII, all but punctuation and bytes counts. The end of a cut text stays known. */
function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  return unit === ELLIPSIS || ((unit < 0x2000 || unit > 0x206f) && (unit < BYTES || unit > BYTES + 0xff));
}

function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66);
}

function code(character: string): number {
  return character.charCodeAt(0);
}
