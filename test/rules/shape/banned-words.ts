/** Words that the style guide and the glossary have replaced, and openings that hide a sentence's subject. */

const inComments =
  /\b(?:tells?|told|untold|whoever|nobody|somebody|whereabouts|till|befalls|heeds?)\b|^(?:What|Who|Whether) /gi;

/** Words of earlier names, by the parts of a path. */
const inPaths =
  /(?<=[/-]|^)(?:accounts|blow|census|glance|keeping|ledger|look|mend|places|spare|steady|theatre|told|untold|whereabouts)(?=[/.-])/g;

/** Returns the banned words of a comment's sentence. */
export function bannedInSentence(sentence: string): string[] {
  // A quotation is the text of another.
  return [...sentence.replace(/"[^"]*"/g, "").matchAll(inComments)].map(([word]) => word.trim());
}

export function bannedInPath(path: string): string[] {
  return [...path.matchAll(inPaths)].map(([word]) => word);
}
