// Runs in a thread: finds the texts that match a client's regular expression.

export interface SearchTask {
  pattern: string;
  texts: readonly string[];
}

/** `index`: of the text. `match`: the part that matches, cut to {@link MATCH_MAX} characters. */
export interface Match {
  index: number;
  match: string;
}

const MATCH_MAX = 1_000;

/** Returns the texts that match, ignoring case. */
export default function search({ pattern, texts }: SearchTask): Match[] {
  const expression = new RegExp(pattern, "i");
  return texts.flatMap((text, index) => {
    const match = expression.exec(text);
    return match ? [{ index, match: match[0].slice(0, MATCH_MAX) }] : [];
  });
}
