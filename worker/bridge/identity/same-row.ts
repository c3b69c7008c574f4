// Decides if a row, card, list item or option is the delivered one, by its distinct words at that time. A change that
// happens by itself (a state, a time, a price) does not make it another row.

import { wordsIn } from "../delta/distinct-words.ts";
import { withoutDigits } from "../incremental/tree-position.ts";
import type { Row, RowAmong } from "./row-among.ts";

/** Has the words on a row's lines, each once. */
type Words = ReadonlySet<string>;

interface Among {
  el: Element;
  own: Words;
  others: readonly { el: Element; words: Words }[];
  /** Returns those words of a row that none of the others has. */
  marksOf(words: Words): string[];
}

/** `edited`: a field in the row that the session itself has edited since. */
export function isSameRow(then: RowAmong, now: RowAmong, edited?: Element): boolean {
  const [was, is] = [among(then, edited), among(now, edited)];
  if (isSameSet(was.own, is.own)) return true;
  const marks = was.marksOf(was.own);
  if (marks.length === 0) return isSameMixture(was, is);
  const kept = marks.filter((mark) => isKept(mark, was, is.own));
  if (kept.length === marks.length) return true;
  if (kept.length === 0 || isFoundElsewhere(marks, kept.length, is) || cameFromElsewhere(was, is))
    return false;
  const likewise = othersKept(was, is);
  if (likewise === "none") return false;
  if (kept[0] === marks[0]) return true;
  return kept.length * 2 >= marks.length && (likewise === "some" || !isNumbering(marks[0] as string, was));
}

/**
 * Decides if a new row is a former one. It applies {@link isSameRow}, and the first distinct word must still be there.
 * The check is prepared once a row, because many candidates may be asked about.
 */
export function successorOf(then: RowAmong): (row: Row, now: () => RowAmong) => boolean {
  const was = among(then);
  const [lead] = was.marksOf(was.own);
  return (row, now) => {
    const words = wordsOf(row);
    if (isSameSet(words, was.own)) return true;
    return lead !== undefined && words.has(lead) && isSameRow(then, now());
  };
}

function wordsOf({ lines }: Row, edited?: Element): Words {
  return new Set(lines.flatMap((line) => [...wordsIn(line, edited)]));
}

function among({ row, others }: RowAmong, edited?: Element): Among {
  const own = wordsOf(row, edited);
  const rest = others.map((each) => ({ el: each.el, words: wordsOf(each) }));
  const counts = new Map<string, number>();
  for (const words of [own, ...rest.map(({ words }) => words)])
    for (const each of words) counts.set(each, (counts.get(each) ?? 0) + 1);
  const marksOf = (words: Words) => [...words].filter((each) => counts.get(each) === 1);
  return { el: row.el, own, others: rest, marksOf };
}

const isSameSet = (a: Words, b: Words) => a.size === b.size && [...a].every((each) => b.has(each));
const withoutNumbers = (words: Words): Words => new Set([...words].map(withoutDigits));
const countIn = (marks: readonly string[], words: Words) => marks.filter((mark) => words.has(mark)).length;

/**
 * The row has no words of its own. So all words that some other row lacks must remain. Without such words, the row must
 * still be just like the others.
 */
function isSameMixture(was: Among, is: Among): boolean {
  if (isSameSet(withoutNumbers(was.own), withoutNumbers(is.own))) return true;
  const mixed = [...was.own].filter((each) => was.others.some(({ words }) => !words.has(each)));
  if (mixed.length > 0) return mixed.every((each) => is.own.has(each));
  return is.others.length > 0 && is.others.every(({ words }) => isSameSet(words, is.own));
}

/**
 * Reports if the row still has these words. A number may differ if no sibling differs from the row only in a number.
 */
function isKept(mark: string, was: Among, now: Words): boolean {
  if (now.has(mark)) return true;
  const bare = withoutDigits(mark);
  if (bare !== mark && !isNumbering(mark, was) && withoutNumbers(now).has(bare)) return true;
  return isTextKept(mark, was, now);
}

function isNumbering(mark: string, { others }: Among): boolean {
  const bare = withoutDigits(mark);
  return bare !== mark && others.some(({ words }) => withoutNumbers(words).has(bare));
}

/** Names are shorter than this. */
const TEXT_WORDS_MIN = 4;

/** Adjoining texts form one text. At least half of its words that no sibling has must remain in one text. */
function isTextKept(mark: string, { others }: Among, now: Words): boolean {
  const words = mark.split(" ");
  if (words.length < TEXT_WORDS_MIN) return false;
  const known = new Set(others.flatMap((other) => [...other.words].flatMap((each) => each.split(" "))));
  const own = words.filter((word) => !known.has(word));
  return (
    own.length > 0 &&
    !isNumber(own[0] as string) &&
    [...now].some((text) => countIn(own, new Set(text.split(" "))) * 2 >= own.length)
  );
}

const isNumber = (word: string) => /\p{Nd}/u.test(word);

/** Reports if another row now has more of these words. */
function isFoundElsewhere(marks: readonly string[], kept: number, { others }: Among): boolean {
  return others.some(({ words }) => countIn(marks, words) > kept);
}

/** Reports if another row had more of this row's present distinct words. */
function cameFromElsewhere(was: Among, is: Among): boolean {
  const marks = is.marksOf(is.own);
  const before = countIn(marks, was.own);
  return was.others.some(({ words }) => countIn(marks, words) > before);
}

/**
 * Reports if other changed rows kept any of their distinct words. If none did, all rows now stand for something else.
 */
function othersKept(was: Among, is: Among): "some" | "none" | "unchanged" {
  const now = new Map(is.others.map(({ el, words }) => [el, words]));
  let some = 0;
  let none = 0;
  for (const { el, words } of was.others) {
    const later = now.get(el);
    const marks = was.marksOf(words);
    if (later === undefined || marks.length === 0 || isSameSet(words, later)) continue;
    if (countIn(marks, later) > 0) some += 1;
    else none += 1;
  }
  return some === 0 && none === 0 ? "unchanged" : none > some ? "none" : "some";
}
