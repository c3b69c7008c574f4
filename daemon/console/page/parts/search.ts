// Finds what a person searches for in a text.

/** Returns true if the text has all words of the search, in any case. */
export function hasWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(" ")
    .every((word) => lower.includes(word));
}
