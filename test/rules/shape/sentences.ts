/** Splits comments into sentences and counts their words. */

/** Returns the sentences of a comment. A blank line, or a list's next point, ends a sentence too. */
export function sentencesOf(comment: string): string[] {
  return comment
    .replace(/`[^`]*`/g, "Code")
    .split(/(?<=[.!?]["')]?)\s+(?=[^a-z])|\n\s*\n|\n\s*(?=[-*] )/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
}

export function wordCount(sentence: string): number {
  return sentence.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
