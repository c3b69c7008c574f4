// Finds the known word that an unknown one likely means.

/** Longer words are not compared letter by letter, because that would cost as much as their sender chooses. */
const WORD_LENGTH_MAX = 64;
/** Longer texts are not compared at all. */
const TEXT_LENGTH_MAX = 1000;
const EDITS_MAX = 3;
/** A shorter part of a word matches by chance. */
const PART_LENGTH_MIN = 4;

/** Returns the candidate with the fewest edits to `word`; undefined if none is near enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word === "") return undefined;
  if (word.length > WORD_LENGTH_MAX) return begunBy(word, candidates);
  const wanted = word.toLowerCase();
  const editsMax = Math.min(EDITS_MAX, Math.floor(wanted.length / 3));
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const edits = known === wanted ? 0 : isPart(wanted, known) ? 1 : editDistance(wanted, known);
    if (edits <= editsMax && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { candidate, edits };
  }
  return best?.candidate;
}

/** Returns the one candidate that begins like a long text. The text's end may be misspelt or cut off. */
function begunBy(text: string, candidates: readonly string[]): string | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const begin = text.toLowerCase().slice(0, -EDITS_MAX);
  const [meant, ...others] = candidates.filter((candidate) => candidate.toLowerCase().startsWith(begin));
  return others.length === 0 ? meant : undefined;
}

function isPart(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= PART_LENGTH_MIN && long.includes(short);
}

/**
 * Counts insertions, deletions, replacements, and swaps of neighbours (Damerau–Levenshtein, optimal string alignment).
 */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (from[line - 1] === to[column - 1] ? 0 : 1);
      const swaps =
        line > 1 && column > 1 && from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      const swapped = swaps ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, at(row, column) + 1, at(next, column - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
