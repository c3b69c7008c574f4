// What a session was told of elements whose page is gone: role and name, from the lines of the newest replies.

import { refsIn } from "./ref-text.ts";

/** What a line says of its element. */
export interface DeliveredElement {
  role: string;
  name: string;
}

/** Characters of replies that are kept; the oldest go first. */
const LENGTH_MAX = 100_000;

/** The newest replies of a tab. */
export class DeliveredLines {
  #texts: string[] = [];
  #length = 0;
  /** By text; most are asked for again and again. */
  readonly #condensed = new Map<string, string>();

  /** `texts`: as another one was {@link DeliveredLines.condensed}. */
  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  /** The refs that are shown, whole. */
  refs(): string[] {
    return this.#texts.flatMap((text) => [...refsIn(text)].map(({ whole }) => whole));
  }

  /** What is needed to go on from here: the lines that say an element's role and name, oldest reply first. */
  condensed(): string[] {
    const kept = new Map(this.#texts.map((text) => [text, this.#condensed.get(text) ?? condensed(text)]));
    this.#condensed.clear();
    for (const [text, short] of kept) this.#condensed.set(text, short);
    return [...kept.values()].filter((text) => text !== "");
  }

  /** A reply with this text goes to the session. */
  add(text: string): void {
    if (text.length > LENGTH_MAX || !text.includes("[ref=")) return;
    this.#texts.push(text);
    this.#length += text.length;
    while (this.#length > LENGTH_MAX) this.#length -= this.#texts.shift()?.length ?? 0;
  }

  /** What was last said of a ref; undefined where that is not known, or where the same reply said it of another one too. */
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

/** Only role, name and ref of each line. */
function condensed(text: string): string {
  const lines = text.split("\n").flatMap((line) => {
    const head = headOf(line);
    const [ref] = [...refsIn(line)];
    const parts = [head?.name ? `- ${head.whole}` : "", ref ? `[ref=${ref.whole}]` : ""].filter(Boolean);
    return parts.length > 0 ? [parts.join(" ")] : [];
  });
  return lines.some((line) => line.endsWith("]")) ? lines.join("\n") : "";
}

/** The line's beginning, `button "Save"`; quoted as JSON quotes. */
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
    // A page's text may look like a line; that it is none is all there is to know of it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
