// Reads from a reply what appeared on the page: headings, messages, texts and controls. It is pure.
import type { ExpectedText } from "../bridge/api/bridge-api.ts";

const TEXTS_MAX = 3;
const LENGTH_MAX = 120;

/** A line of the tree: its indent, role, name and the text after the colon. */
const LINE =
  /^( *)(?:~ )?- ([a-z]+(?:-[a-z]+)*)(?: "((?:[^"\\]|\\.)*)")?((?: \[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\])*)(:)?(?: (.*))?$/;
const DELTA = /^changed since snapshot \d+/m;
/** Only messages and what a reader sees at once are expected on a whole new page. */
const ON_A_PAGE: ReadonlySet<string> = new Set(["heading", "alert", "status"]);
/** Their text is a value, or goes on by itself. */
const UNSTEADY: ReadonlySet<string> = new Set(
  "textbox searchbox combobox spinbutton slider progressbar meter timer time log marquee option listbox iframe scrollbar tooltip".split(
    " ",
  ),
);
const CONTROLS: ReadonlySet<string> = new Set(
  "button link tab menuitem checkbox radio switch dialog alertdialog".split(" "),
);

interface Told extends ExpectedText {
  rank: number;
}

/** Returns the texts that a reply says appeared, the most telling first. */
export function appearedIn(reply: string): ExpectedText[] {
  const isDelta = DELTA.test(reply);
  const { added, changed } = isDelta ? newLines(reply) : WHOLE;
  const lines = isDelta ? [...added, ...changed] : reply.split("\n");
  const told: Told[] = [];
  let frameIndent = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const match = LINE.exec(line);
    if (!match) continue;
    const [, indent = "", role = "", name, states = "", colon, rest = ""] = match;
    // Test tools do not look into frames unless they are led there.
    if (indent.length > frameIndent || IN_FRAME.test(states)) continue;
    frameIndent = role === "iframe" ? indent.length : Number.POSITIVE_INFINITY;
    const said = toldBy(role, name, colon === undefined ? "" : rest);
    // A control that was there before has another state only.
    if (changed.has(line) && CONTROLS.has(role)) continue;
    if (said && (isDelta || ON_A_PAGE.has(role))) told.push(said);
  }
  const sorted = told.sort((a, b) => a.rank - b.rank).map(({ rank: _rank, ...each }) => each);
  const once = new Map(sorted.map((each) => [`${each.role ?? ""} ${each.text}`, each]));
  return [...once.values()].slice(0, TEXTS_MAX);
}

const IN_FRAME = /\[ref=f\d/;

interface NewLines {
  added: readonly string[];
  changed: ReadonlySet<string>;
}

const WHOLE: NewLines = { added: [], changed: new Set() };

/** Returns the lines of a delta that are new, and those that have changed. */
function newLines(reply: string): NewLines {
  const added: string[] = [];
  const changed = new Set<string>();
  let section = "";
  for (const line of reply.split("\n")) {
    const isHead = /^(?:\+ |~ in |removed )/.test(line);
    if (isHead) section = IN_FRAME.test(line) ? "" : line.charAt(0);
    else if (line.startsWith("~ - ")) changed.add(line);
    else if (line.startsWith(" ") && section === "+") added.push(line);
    else if (line.startsWith(" ") && section === "~") changed.add(line);
  }
  return { added, changed };
}

function toldBy(role: string, quoted: string | undefined, rest: string): Told | undefined {
  if (UNSTEADY.has(role)) return undefined;
  const name = unquoted(quoted);
  const text = rest.startsWith('"') ? unquoted(/^"((?:[^"\\]|\\.)*)"$/.exec(rest)?.[1]) : rest;
  if (role === "heading") return usable(name) && { role, text: name, rank: 1 };
  if (role === "alert" || role === "status") return usable(text) && { text, rank: 0 };
  if (CONTROLS.has(role)) return usable(name) && { role, text: name, rank: role.endsWith("dialog") ? 1 : 3 };
  return usable(text) && { text, rank: 2 };
}

function usable(text: string): true | undefined;
function usable(text: string): boolean | undefined {
  return (text.length > 1 && text.length <= LENGTH_MAX && /\p{L}{2}/u.test(text)) || undefined;
}

/** Returns the text of a quoted one, or nothing if it has an escape that JSON does not know. */
function unquoted(text = ""): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return "";
  }
}
