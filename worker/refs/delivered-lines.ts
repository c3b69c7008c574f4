// Keeps the lines of the newest replies. They give the role and name of elements whose page is gone.

import { refsIn } from "./ref-text.ts";

/** The role and name in an element's line. */
export interface DeliveredElement {
  role: string;
  name: string;
}

/** The bound for kept replies, in characters. The oldest go first. */
const LENGTH_MAX = 100_000;

/** The newest replies of a tab. */
export class DeliveredLines {
  #texts: string[] = [];
  #length = 0;
  /** Maps each text to its condensed form, because most are asked for repeatedly. */
  readonly #condensed = new Map<string, string>();

  /** `texts`: the {@link DeliveredLines.condensed} lines of a predecessor. */
  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  /** Returns the whole refs in all kept replies. */
  refs(): string[] {
    return this.#texts.flatMap((text) => [...refsIn(text)].map(({ whole }) => whole));
  }

  /** Returns what a successor needs: the lines with an element's role and name, oldest reply first. */
  condensed(): string[] {
    const kept = new Map(this.#texts.map((text) => [text, this.#condensed.get(text) ?? condensed(text)]));
    this.#condensed.clear();
    for (const [text, short] of kept) this.#condensed.set(text, short);
    return [...kept.values()].filter((text) => text !== "");
  }

  /** Keeps the text of a reply that goes to the session. */
  add(text: string): void {
    if (text.length > LENGTH_MAX || !text.includes("[ref=")) return;
    this.#texts.push(text);
    this.#length += text.length;
    while (this.#length > LENGTH_MAX) this.#length -= this.#texts.shift()?.length ?? 0;
  }

  /**
   * Returns the last delivered role and name of a ref. Undefined if they are unknown, or if the same reply gave them to
   * another ref too.
   */
  of(ref: string): DeliveredElement | undefined {
    const marked = `[ref=${ref}]`;
    const text = this.#texts.findLast((each) => each.includes(marked));
    const line = text?.split("\n").find((each) => each.includes(marked));
    const head = headOf(line ?? "");
    if (!text || !head?.name) return undefined;
    const same = text.split("\n").filter((each) => headOf(each)?.whole === head.whole);
    return same.length === 1 ? { role: head.role, name: head.name } : undefined;
  }
}

/** Reduces each line to role, name and ref. */
function condensed(text: string): string {
  const lines = text.split("\n").flatMap((line) => {
    const head = headOf(line);
    const [ref] = [...refsIn(line)];
    const parts = [head?.name ? `- ${head.whole}` : "", ref ? `[ref=${ref.whole}]` : ""].filter(Boolean);
    return parts.length > 0 ? [parts.join(" ")] : [];
  });
  return lines.some((line) => line.endsWith("]")) ? lines.join("\n") : "";
}

/** Parses the beginning of a line, such as `button "Save"`. The name is quoted as in JSON. */
function headOf(line: string): (DeliveredElement & { whole: string }) | undefined {
  const [, whole, role, quoted] = /^[~+]?\s*- ((\S+) ("(?:[^"\\]|\\.)*"))/.exec(line) ?? [];
  if (!whole || !role || !quoted) return undefined;
  const name = unquoted(quoted);
  return name === undefined ? undefined : { whole, role, name };
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch (error) {
    // A page's text may look like a line without being one.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
