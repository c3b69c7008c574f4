// Numbers of things in words.

/** `word: 3` as English has it: `1 call`, `3 calls`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
