// Runs in a thread: which of many texts a client's regular expression matches.

export interface SearchTask {
  pattern: string;
  texts: readonly string[];
}

/** `index`: of the text. `match`: the part that matches, at most so long. */
export interface Match {
  index: number;
  match: string;
}

const MATCH_MAX = 1_000;

/** The texts that match, without regard to case. */
export default function search({ pattern, texts }: SearchTask): Match[] {
  const expression = new RegExp(pattern, "i");
  return texts.flatMap((text, index) => {
    const match = expression.exec(text);
    return match ? [{ index, match: match[0].slice(0, MATCH_MAX) }] : [];
  });
}
