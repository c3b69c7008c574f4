// Runs in a thread: which of many texts a client's regular expression matches.

export interface SearchTask {
  pattern: string;
  texts: readonly string[];
}

/** The indices of the texts that match, without regard to case. */
export default function search({ pattern, texts }: SearchTask): number[] {
  const expression = new RegExp(pattern, "i");
  return texts.flatMap((text, index) => (expression.test(text) ? [index] : []));
}
