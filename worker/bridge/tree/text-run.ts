// Gathers the text between two lines of the tree. Text nodes are joined as they flow, and a block's edge ends the run.

import { styleOf } from "../dom/dom.ts";
import { collapsed, shortened } from "../dom/quote.ts";
import { adopt, type Item, type Words } from "./item.ts";

export interface TextRun {
  text: string;
  /** The number of characters that came, including those beyond the bound. */
  length: number;
  from: Element | undefined;
  /** The other elements that hold parts of the text. */
  others: WeakRef<Element>[] | undefined;
  /**
   * The inline elements that began or ended since the last character. If one of them is no inline box, there is a gap.
   */
  crossed: Element[];
  /** So far, the text belongs to this phrase (`strong`, `code`) alone. */
  phrase: Item | undefined;
  /** Line breaks and indentation are part of the text. */
  keeps: boolean;
}

const TEXT_MAX = 2_000;
const GATHERED_MAX = 4 * TEXT_MAX;
const CROSSED_MAX = 4;
const OTHERS_MAX = 100;

export function emptyTextRun(): TextRun {
  return {
    text: "",
    length: 0,
    from: undefined,
    others: undefined,
    crossed: [],
    phrase: undefined,
    keeps: false,
  };
}

/** `keeps` means that the white space is part of the text, as in `<pre>`. */
export function addText(run: TextRun, data: string, from: Element, keeps = false): void {
  if (data === "") return;
  if (keeps) run.keeps = true;
  if (isBlank(data)) {
    if (keeps) run.text += data.slice(0, Math.max(0, GATHERED_MAX - run.text.length));
    else if (run.text !== "") run.text += " ";
    run.crossed.length = 0;
    return;
  }
  if (run.from === undefined) run.from = from;
  else if (run.from !== from) noteOther(run, from);
  run.phrase = undefined;
  if (run.crossed.length > 0) {
    if (run.text !== "" && !/\s$/.test(run.text) && !/^\s/.test(data) && isGap(run.crossed)) run.text += " ";
    run.crossed.length = 0;
  }
  run.length += data.length;
  if (run.text.length < GATHERED_MAX)
    run.text += data.length > GATHERED_MAX ? data.slice(0, GATHERED_MAX) : data;
}

function noteOther(run: TextRun, el: Element): void {
  run.others ??= [];
  if (run.others.length < OTHERS_MAX && run.others.at(-1)?.deref() !== el) run.others.push(new WeakRef(el));
}

/** Notes that an inline element begins or ends here. */
export function cross(run: TextRun, el: Element): void {
  if (run.text !== "" && run.crossed.length < CROSSED_MAX) run.crossed.push(el);
}

/** Ends the run. Its text becomes words under the item, or its phrase becomes a line there. */
export function flush(run: TextRun, into: Item): void {
  if (run.from !== undefined) {
    const text = bounded(run.keeps ? inLines(run.text) : collapsed(run.text), run.length);
    if (text !== "") {
      adopt(run.phrase ?? into, wordsOf(run, text, run.from));
      if (run.phrase !== undefined) adopt(into, run.phrase);
    }
  }
  run.text = "";
  run.length = 0;
  run.from = undefined;
  run.others = undefined;
  run.phrase = undefined;
  run.keeps = false;
  run.crossed.length = 0;
}

/** Keeps a text of several lines without the blank lines around it. It is printed on one line, with escapes. */
function inLines(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();
  return lines.includes("\n") ? lines : collapsed(lines);
}

function wordsOf({ others }: TextRun, text: string, el: Element): Words {
  return others === undefined ? { kind: "words", text, el } : { kind: "words", text, el, others };
}

/** Returns a text of bounded length, followed by its whole length if it is cut. */
export function bounded(text: string, length = text.length): string {
  if (text.length <= TEXT_MAX) return text;
  return `${shortened(text, TEXT_MAX)} (${length.toLocaleString("en-US")} characters)`;
}

function isBlank(data: string): boolean {
  return data.length < 1_000 ? data.trim() === "" : !/\S/.test(data);
}

function isGap(crossed: readonly Element[]): boolean {
  return crossed.some((el) => {
    const display = styleOf(el).display;
    return display !== "inline" && display !== "contents";
  });
}
