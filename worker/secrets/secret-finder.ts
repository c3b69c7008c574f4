// Finds secrets in texts, in all their spellings.
import { SECRET_LENGTH_MIN } from "../../proto/text/secret-length.ts";
import { ELLIPSIS, type Escapes, FoldedText, type Segment } from "./folded-text.ts";
import { CUT_LENGTH_MIN, type Spelling, spellingsOf } from "./spellings.ts";

/** A shorter spelling would be found by chance. */
const SPELLING_LENGTH_MIN = 4;
/** The oldest secrets go first: codes that have long expired. */
const SECRETS_MAX = 500;
const HASHES = 0x10000;
/** The room for longer texts, at 11 bytes a character, is given up at once. */
const FOLDED_MAX = 1_000_000;

/** The letters of a secret alone. Fewer would be found by chance. */
const LETTERS_MIN = 6;

interface Needle {
  codes: Uint16Array;
  /** If a text is cut off, so much of it counts. */
  cutMin: number;
  run: RegExp | undefined;
  /** It is looked for where a text is spread over elements. */
  spreads: boolean;
  /** It is looked for among letters and digits alone: file names and lists have other punctuation. */
  isOfLetters: boolean;
}

/** Returns why the text cannot be a secret; undefined if it can. */
export function unfitSecret(value: string): string | undefined {
  const folded = new FoldedText();
  folded.read(value);
  const length = Math.min(folded.length, value.replace(/\s/g, "").length);
  if (length >= SECRET_LENGTH_MIN) return undefined;
  return `has ${length} characters that count; a secret needs ${SECRET_LENGTH_MIN}, as a shorter one would be masked in every other text`;
}

/** The known secrets. Most sessions have none, and need no tables for them. */
export class SecretFinder {
  #made: FoldedText | undefined;
  /** By secret. */
  readonly #needles = new Map<string, readonly Needle[]>();
  /** By the hash of their first characters. */
  readonly #byHash = new Map<number, Needle[]>();
  /** 1 for each of these hashes; empty before the first secret. */
  #hashes = new Uint8Array(0);

  get isEmpty(): boolean {
    return this.#needles.size === 0;
  }

  get #folded(): FoldedText {
    this.#made ??= new FoldedText();
    return this.#made;
  }

  /** Notes a secret. A text that cannot be one is left out. */
  add(secret: string): void {
    if (unfitSecret(secret) !== undefined) return;
    const known = this.#needles.get(secret);
    const needles = known ?? spellingsOf(secret).flatMap((spelling) => this.#needlesOf(spelling));
    this.#needles.delete(secret);
    this.#needles.set(secret, needles);
    if (!known) this.#index(needles);
    const [oldest] = this.#needles.keys();
    if (this.#needles.size > SECRETS_MAX && oldest !== undefined) this.remove(oldest);
  }

  /** Forgets a secret. */
  remove(secret: string): void {
    const needles = new Set(this.#needles.get(secret));
    this.#needles.delete(secret);
    for (const hash of new Set([...needles].map(({ codes }) => hashAt(codes, 0)))) {
      const left = (this.#byHash.get(hash) ?? []).filter((each) => !needles.has(each));
      if (left.length === 0) this.#hashes[hash] = 0;
      if (left.length === 0) this.#byHash.delete(hash);
      else this.#byHash.set(hash, left);
    }
  }

  /** Returns where secrets stand in the text. With segments, only where one is spread over several of them. */
  find(text: string, segments?: readonly Segment[]): Segment[] {
    if (this.isEmpty) return [];
    const found = this.#foundIn(text, segments, "nested");
    const others = this.#folded.hasUndone ? (["once", "none"] as const) : [];
    const all = merged([...found, ...others.flatMap((escapes) => this.#foundIn(text, segments, escapes))]);
    if (this.#folded.codes.length > FOLDED_MAX) this.#made = undefined;
    return all;
  }

  #foundIn(text: string, segments: readonly Segment[] | undefined, escapes: Escapes): Segment[] {
    this.#folded.read(text, segments, escapes);
    const asWritten = this.#places(text, segments, false);
    this.#folded.keepLetters();
    return [...asWritten, ...this.#places(text, segments, true)];
  }

  #places(text: string, segments: readonly Segment[] | undefined, areLetters: boolean): Segment[] {
    const { codes, length } = this.#folded;
    const found: Segment[] = [];
    for (let at = 0; at + SPELLING_LENGTH_MIN <= length; at++) {
      const hash = hashAt(codes, at);
      if (this.#hashes[hash] === 0) continue;
      for (const needle of this.#byHash.get(hash) ?? []) {
        if (needle.isOfLetters !== areLetters || (segments && !needle.spreads)) continue;
        const end = endOf(needle, codes, at, length);
        if (end !== undefined) found.push(...this.#placesOf(text, at, end, segments ? undefined : needle));
      }
    }
    return found;
  }

  /** A spelling is read as texts are, and also as it is: its percent sign may be its own. */
  #needlesOf({ text, head, run, spreads }: Spelling): Needle[] {
    const forms = [false, ...(spreads ? [true] : [])];
    return forms.flatMap((isOfLetters) => {
      const read = [[text], [...text]].map((parts) => this.#codesOf(parts, isOfLetters));
      const [whole, apart] = [[head], [...head]].map((parts) => this.#codesOf(parts, isOfLetters).length);
      const cutMin = isOfLetters ? CUT_LENGTH_MIN : Math.max(whole ?? 0, apart ?? 0);
      const lengthMin = isOfLetters ? LETTERS_MIN : SPELLING_LENGTH_MIN;
      return distinct(read, lengthMin).map((codes) => ({ codes, cutMin, run, spreads, isOfLetters }));
    });
  }

  #codesOf(parts: readonly string[], lettersAlone: boolean): Uint16Array {
    const folded = this.#folded;
    return Uint16Array.from(
      parts.flatMap((part) => {
        folded.read(part);
        if (lettersAlone) folded.keepLetters();
        return [...folded.codes.subarray(0, folded.length)];
      }),
    );
  }

  #index(needles: readonly Needle[]): void {
    if (this.#hashes.length === 0) this.#hashes = new Uint8Array(HASHES);
    for (const needle of needles) {
      const hash = hashAt(needle.codes, 0);
      this.#hashes[hash] = 1;
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), needle]);
    }
  }

  /** A spread secret leaves what stands between its parts. */
  #placesOf(text: string, begin: number, end: number, needle: Needle | undefined): Segment[] {
    const { from, to } = this.#folded;
    if (needle) return [widened(text, [from[begin] as number, to[end - 1] as number], needle.run)];
    return Array.from({ length: end - begin }, (_, index) => [
      from[begin + index] as number,
      to[begin + index] as number,
    ]);
  }
}

function distinct(all: readonly Uint16Array[], lengthMin: number): Uint16Array[] {
  const byText = new Map(all.map((codes) => [codes.join(), codes]));
  return [...byText.values()].filter(({ length }) => length >= lengthMin);
}

/** Returns the end of the needle in the text. It may be cut off, if an ellipsis says so. */
function endOf({ codes: own, cutMin }: Needle, codes: Uint16Array, at: number, length: number) {
  for (let index = 0; index < own.length; index++) {
    if (at + index < length && codes[at + index] === own[index]) continue;
    const isCut = codes[at + index] === ELLIPSIS && at + index < length;
    return isCut && index >= cutMin ? at + index : undefined;
  }
  return at + own.length;
}

function hashAt(codes: Uint16Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [codes[at], codes[at + 1], codes[at + 2], codes[at + 3]];
  return (((a * 31 + b) * 31 + c) * 31 + d) % HASHES;
}

function widened(text: string, [from, to]: Segment, run: RegExp | undefined): Segment {
  if (!run) return [from, to];
  let [begin, end] = [from, to];
  while (begin > 0 && run.test(text.charAt(begin - 1))) begin--;
  while (end < text.length && run.test(text.charAt(end))) end++;
  return [begin, end];
}

function merged(places: Segment[]): Segment[] {
  const sorted = places.toSorted(([a], [b]) => a - b);
  const whole: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = whole.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else whole.push([from, to]);
  }
  return whole;
}
