// Colours what a person reads at a terminal. NO_COLOR, FORCE_COLOR and TERM=dumb decide, as Node reads them.
import { styleText } from "node:util";
import type { Terminal } from "./command.ts";

type Style = Parameters<typeof styleText>[0];
/** Puts a style around a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** A program that reads the output gets no colours. */
export function painter(terminal: Terminal | undefined): Paint {
  if (!terminal?.output.hasColors()) return (_style, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}

/** Colours the changes in a reply, and makes its refs step back behind its words. */
export function paintedReply(text: string, paint: Paint): string {
  return text
    .split("\n")
    .map((line) => paintedLine(line, paint))
    .join("\n");
}

/** Colours the title and the headings of an error. */
export function paintedPlan(text: string, paint: Paint): string {
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("❌ ")) return paint(["bold", "red"], line);
      return /^(Possible causes:|🔧 Action Required:)$/u.test(line) ? paint("bold", line) : line;
    })
    .join("\n");
}

/** The marks at the beginning of a line, as replies write them. */
const MARKED: readonly [begin: RegExp, style: Style][] = [
  [/^\+ /, "green"],
  [/^~ /, "yellow"],
  [/^removed /, "red"],
  [/^(Warnings|Warning|changed since snapshot)\b/, "yellow"],
];

function paintedLine(line: string, paint: Paint): string {
  const [, style] = MARKED.find(([begin]) => begin.test(line)) ?? [];
  if (style) return paint(style, line);
  return /^\s*- /.test(line) ? line.replace(/\[ref=\w+\]/g, (ref) => paint("dim", ref)) : line;
}
