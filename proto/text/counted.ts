// Numbers of things in words.

/** `word: 3` in English: `1 call`, `3 calls`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
