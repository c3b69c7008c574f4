// Parses the lines of a tree's text into a tree again.

export interface Line {
  /** The text has no indentation and no dash. */
  text: string;
  ref: string | undefined;
  role: string;
  name: string;
  /** The part after the colon. */
  inline: string;
  parent: Line | undefined;
  children: readonly Line[];
}

export function parse(lines: readonly string[]): Line {
  const top = { ...lineOf("", undefined), children: [] as Line[] };
  const open = [top];
  for (const line of lines) {
    if (line === "") continue;
    const [, indent = "", text = ""] = /^( *)- (.*)$/.exec(line) ?? [];
    open.length = indent.length / 2 + 1;
    const parent = open.at(-1) as typeof top;
    const made = { ...lineOf(text, parent), children: [] };
    parent.children.push(made);
    open.push(made);
  }
  return top;
}

const STRING = /"(?:[^"\\]|\\.)*"/.source;
const LINE = new RegExp(
  `^([\\w-]+)(?: (${STRING}))?((?: \\[[\\w-]+(?:=(?:${STRING}|[^\\]"]*))?\\])*)(?::(?: (.*))?)?$`,
);
const REF = /\[(?:expand with browser_snapshot )?ref=((?:f\d+_)?e\d+)(?: offset=\d+)?\]/;

/** A frame's content is known apart from its line, so the colon before it says nothing about the frame. */
function lineOf(said: string, parent: Line | undefined): Omit<Line, "children"> {
  const text = /^(?:iframe|object|embed)\b/.test(said) ? said.replace(/:$/, "") : said;
  const [, role = "", name = "", , inline = ""] = LINE.exec(text) ?? [];
  const ref = refOf(text);
  return { text, ref, role: role || roleOf(text), name: unquoted(name), inline: unquoted(inline), parent };
}

export const refOf = (text: string) => REF.exec(text.replace(new RegExp(STRING, "g"), '""'))?.[1];
export const roleOf = (text: string) => text.split(/[ :]/, 1)[0] as string;

const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

/** Returns the quoted text as the page has it. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  return text
    .slice(1, -1)
    .replace(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|(.))/g, (_, long, short, one) =>
      one === undefined
        ? String.fromCodePoint(Number.parseInt(long ?? short, 16))
        : (ESCAPES.get(one) ?? one),
    );
}

export const FRAMES = /^(?:iframe|object|embed)$/;

/** Returns all words on a line and below it, in order. A frame's content does not count as its own. */
export function wordsIn({ role, name, inline, children }: Line): string[] {
  const inside = FRAMES.test(role) ? [] : children.flatMap(wordsIn);
  return [name, inline, ...inside].filter((words) => words !== "");
}

export const leadOf = (line: Line) => wordsIn(line)[0] ?? "";
