// Which known word somebody meant by an unknown one.

/** Longer words are no typing mistakes; comparing them would cost what their sender chooses. */
const WORD_LENGTH_MAX = 64;

/** The candidate with the fewest edits to `word`; undefined where none is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word === "" || word.length > WORD_LENGTH_MAX) return undefined;
  const wanted = word.toLowerCase();
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const edits = known.includes(wanted) || wanted.includes(known) ? 1 : editDistance(wanted, known);
    if (edits <= Math.max(2, wanted.length / 3) && edits < (best?.edits ?? Number.POSITIVE_INFINITY))
      best = { candidate, edits };
  }
  return best?.candidate;
}

/** Levenshtein's distance: insertions, deletions and replacements. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
