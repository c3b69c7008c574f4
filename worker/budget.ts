// How much of a text is sent: at most so many tokens, cut at a line, with a first line that says so.

/** A token is about four characters. */
const CHARACTERS_PER_TOKEN = 4;
export const TOKENS_DEFAULT = 6_000;
/** What the line that tells of the cut, the page's line and the lines after the tree may take. */
const RESERVED_CHARACTERS = 400;

/** The lines that fit; the first says what was left out, where something was. `maxTokens` 0 lifts the bound. */
export function withinBudget(lines: readonly string[], maxTokens = TOKENS_DEFAULT): string[] {
  if (maxTokens === 0) return [...lines];
  const room = Math.max(200, maxTokens * CHARACTERS_PER_TOKEN - RESERVED_CHARACTERS);
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) break;
    kept.push(line);
  }
  if (kept.length === lines.length) return kept;
  const left = lines.length - kept.length;
  const told = `… ${left} of ${lines.length} lines left out: browser_find finds in all of them, ref or depth shows a part, maxTokens=0 everything`;
  return [told, ...kept];
}
