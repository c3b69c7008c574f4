// An attentive reader of deltas: applies one to the earlier text of the tree, and says where that is not the tree as it is.
//
// What a delta tells of lines with refs is complete: after it, each of them says what it says, stands in the element that
// it stands in, in its order. Lines without refs are told by their place and what they say, not by their position: of them
// the reader knows which there are, line by line, where a changed line replaces one of its place, and one that is said to be
// gone was one of that role and text there.

interface Line {
  text: string;
  ref: string | undefined;
  role: string;
  parent: Line | undefined;
  children: Line[];
}

interface Told {
  /** `ref`: of the line that each replaces, where that is told. */
  changed: {
    text: string;
    ref: string | undefined;
    place: string | undefined;
    content: Line[] | undefined;
  }[];
  added: { place: string; side: string; beside: string | undefined; lines: Line[] }[];
  removed: { place: string; what: string }[];
  /** Not all that is gone was listed. */
  more: boolean;
}

/** What a reader would get wrong; undefined where nothing. */
export function misled(before: string, delta: string, after: string): string | undefined {
  const old = parse(before.split("\n"));
  const now = parse(after.split("\n"));
  const told = parseDelta(delta);
  return wrongPlaces(told, now) ?? wrongLines(told, old, now) ?? wrongRefs(told, old, now);
}

const REF = /\[(?:expand with browser_snapshot )?ref=((?:f\d+_)?e\d+)(?: offset=\d+)?\]/;
const unquoted = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
// What a frame holds is told apart from its line: the colon before it says nothing of the frame.
const plain = (text: string) => (/^(?:iframe|object|embed)\b/.test(text) ? text.replace(/:$/, "") : text);
const roleOf = (text: string) => text.split(/[ :]/, 1)[0] as string;
const refOf = (text: string) => REF.exec(unquoted(text))?.[1];

function parse(lines: readonly string[]): Line {
  const top: Line = { text: "", ref: undefined, role: "", parent: undefined, children: [] };
  const open = [top];
  for (const line of lines) {
    if (line === "") continue;
    const [, indent = "", said = ""] = /^( *)- (.*)$/.exec(line) ?? [];
    const text = plain(said);
    open.length = indent.length / 2 + 1;
    const parent = open.at(-1) as Line;
    const made: Line = { text, ref: refOf(text), role: roleOf(text), parent, children: [] };
    parent.children.push(made);
    open.push(made);
  }
  return top;
}

function parseDelta(delta: string): Told {
  const told: Told = { changed: [], added: [], removed: [], more: false };
  const lines = delta.split("\n");
  for (let at = 0; at < lines.length; ) {
    const head = lines[at++] as string;
    const block: string[] = [];
    while (lines[at]?.startsWith("  ")) block.push((lines[at++] as string).slice(2));
    const gone = /^removed from ((?:"(?:[^"\\]|\\.)*"|[^":])*): (.*)$/.exec(head);
    if (gone) noteRemoved(told, gone[1] as string, gone[2] as string);
    else noteShown(told, head, block);
  }
  return told;
}

function noteRemoved(told: Told, place: string, list: string): void {
  for (const what of entriesOf(list)) told.removed.push({ place, what });
  if (/ and [\d,]+ more\b/.test(unquoted(list))) told.more = true;
}

function noteShown(told: Told, head: string, block: readonly string[]): void {
  const [, sign, place = "", side = "", beside] =
    /^([~+]) in (.*?)(?:(?: (after|before)|, was) ((?:f\d+_)?e\d+))?:$/.exec(head) ?? [];
  if (sign === "+") told.added.push({ place, side, beside, lines: parse(block).children });
  else if (sign === "~")
    for (const line of block) {
      const text = plain(line.slice(2));
      told.changed.push({ text, ref: beside ?? refOf(text), place, content: undefined });
    }
  else {
    const content = block.length > 0 ? parse(block.map((line) => line.slice(2))).children : undefined;
    const text = plain(head.slice(4));
    told.changed.push({ text, ref: refOf(text), place: undefined, content });
  }
}

/** The parts of a list, those in parentheses left with what they are in. */
function entriesOf(list: string): string[] {
  const entries = [""];
  let depth = 0;
  for (const [part] of list.matchAll(/"(?:[^"\\]|\\.)*"|, | and [\d,]+ more|[^"]/g)) {
    if (part === "(") depth++;
    if (part === ")") depth--;
    if (depth === 0 && part === ", ") entries.push("");
    else if (depth > 0 || !part.startsWith(" and ")) entries[entries.length - 1] += part;
  }
  return entries;
}

function* all(top: Line): Generator<Line> {
  for (const line of top.children) {
    yield line;
    yield* all(line);
  }
}

/** What stands before the colon, by which a place is named. */
function isPlace(line: Line, place: string): boolean {
  const ref = refOf(place);
  if (ref !== undefined) return line.ref === ref;
  const bare = line.text.replace(/ \[[\w-]+(?:=(?:"(?:[^"\\]|\\.)*"|[^\]"]*))?\]/g, "");
  return bare === place || bare.startsWith(`${place}:`);
}

function isIn(line: Line, place: string): boolean {
  if (place === "the page") return true;
  for (let up = line.parent; up !== undefined; up = up.parent) if (isPlace(up, place)) return true;
  return false;
}

/** Whether all that is told stands where it is said to stand. */
function wrongPlaces({ changed, added }: Told, now: Line): string | undefined {
  const lines = [...all(now)];
  const refs = lines.flatMap(({ ref }) => ref ?? []);
  for (const { text, place } of changed) {
    if (!lines.some((line) => line.text === text && isIn(line, place ?? "the page")))
      return `is not there: ${place} ${text}`;
  }
  for (const { place, side, beside, lines: came } of added) {
    for (const { text } of came)
      if (!lines.some((line) => line.text === text && isIn(line, place)))
        return `is not in ${place}: ${text}`;
    const inside = came.flatMap(withInside).flatMap(({ ref }) => ref ?? []);
    const [first] = inside;
    if (first === undefined || beside === undefined) continue;
    const at = refs.indexOf(first);
    const neighbour = side === "after" ? refs[at - 1] : refs[at + inside.length];
    if (neighbour !== beside) return `stands ${side} ${neighbour}, not ${beside}: ${first}`;
  }
  return undefined;
}

/** Whether the lines are those that there are. */
function wrongLines(told: Told, old: Line, now: Line): string | undefined {
  const belief = beliefAfter(told, old, now);
  for (const { what, place } of told.removed) {
    if (/^(?:f\d+_)?e\d+\b/.test(what)) continue;
    if (!belief.takeGone(what, place)) return `was not there to be gone: ${what}`;
  }
  for (const { text, ref, place } of told.changed) {
    if (!belief.isKnown(ref) && !belief.takeReplaced(text, place)) return `replaces nothing: ${text}`;
  }
  for (const [text, count] of belief.excess) {
    if (count < 0) return `not told: ${text}`;
    if (count > 0 && !told.more) return `believed to be there still: ${text}`;
  }
  return undefined;
}

interface Belief {
  /** How much more often than it is there each line is believed to be. */
  excess: ReadonlyMap<string, number>;
  /** Whether there was a line of the ref. */
  isKnown(ref: string | undefined): boolean;
  /** Takes one that this was said of, with all in it; false where there is none. */
  takeGone(what: string, place: string): boolean;
  takeReplaced(text: string, place: string | undefined): boolean;
}

/** What is believed after all that refs make certain. The rest was one of those that it could have been. */
function beliefAfter({ changed, added, removed }: Told, old: Line, now: Line): Belief {
  const lines = [...all(old)];
  const left = new Set(lines);
  const excess = new Map<string, number>();
  const count = (text: string, by: number) => excess.set(text, (excess.get(text) ?? 0) + by);
  const drop = (line: Line | undefined, inside = true) => {
    if (line === undefined) return;
    for (const each of inside ? withInside(line) : [line]) if (left.delete(each)) count(each.text, -1);
  };
  const byRef = (ref: string | undefined) => lines.find((line) => ref !== undefined && line.ref === ref);
  for (const { text } of lines) count(text, 1);
  for (const { text } of all(now)) count(text, -1);
  for (const { ref, text } of added.flatMap((each) => each.lines.flatMap(withInside))) {
    count(text, 1);
    drop(byRef(ref));
  }
  for (const { what } of removed) drop(byRef(/^((?:f\d+_)?e\d+)\b/.exec(what)?.[1]));
  for (const { text, ref, content } of changed) {
    count(text, 1);
    for (const line of content?.flatMap(withInside) ?? []) count(line.text, 1);
    drop(byRef(ref), content !== undefined);
  }
  const isBelieved = ({ text }: Line) => (excess.get(text) ?? 0) > 0;
  const isAll = (line: Line) => withInside(line).every((each) => !left.has(each) || isBelieved(each));
  return {
    excess,
    isKnown: (ref) => byRef(ref) !== undefined,
    takeGone(what, place) {
      const role = roleOf(what);
      const words = [...what.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word.replace(/…$/, ""));
      const own = /^\S+ "((?:[^"\\]|\\.)*)"/.exec(what)?.[1]?.replace(/…$/, "") ?? "";
      const said = ({ text }: Line) => text.replace(/^\S+:?/, "");
      const fits = [...left].filter((each) => {
        const inside = withInside(each).map(said).join();
        return each.role === role && said(each).includes(own) && words.every((word) => inside.includes(word));
      });
      const line = fits.find((each) => isAll(each) && isIn(each, place)) ?? fits.find(isAll) ?? fits[0];
      drop(line);
      return line !== undefined;
    },
    takeReplaced(text, place = "the page") {
      const role = roleOf(text);
      const fits = [...left].filter(isBelieved);
      const line = fits.find((each) => each.role === role && isIn(each, place)) ?? fits[0];
      drop(line, false);
      return line !== undefined;
    },
  };
}

const withInside = (line: Line): Line[] => [line, ...all(line)];

/** Whether lines with refs that are not told to have come or gone stand as they stood. */
function wrongRefs({ added, removed, changed }: Told, old: Line, now: Line): string | undefined {
  const came = new Set(
    added
      .flatMap(({ lines }) => lines.flatMap((line) => [line, ...all(line)]))
      .flatMap(({ ref }) => ref ?? []),
  );
  const left = new Set([...all(now)].flatMap(({ ref }) => ref ?? []));
  const lost = new Set(changed.flatMap(({ ref, text }) => (refOf(text) === ref ? [] : (ref ?? []))));
  const known = new Set([...all(old)].flatMap(({ ref }) => (ref === undefined || lost.has(ref) ? [] : ref)));
  const kept = (top: Line) =>
    [...all(top)].flatMap((line) =>
      line.ref === undefined || came.has(line.ref) || !left.has(line.ref) || !known.has(line.ref)
        ? []
        : [`${parentRef(line, known)} ${line.ref}`],
    );
  const [was, is] = [kept(old), kept(now)];
  for (const [index, each] of is.entries())
    if (each !== was[index]) return `stands otherwise: ${each}, was ${was[index]}`;
  const inside = new Set(removed.flatMap(({ what }) => what.match(/\b(?:f\d+_)?e\d+\b/g) ?? []));
  for (const ref of inside)
    if (left.has(ref) && !came.has(ref)) return `told to be gone, and is there: ${ref}`;
  return undefined;
}

function parentRef(line: Line, known: ReadonlySet<string>): string {
  for (let up = line.parent; up !== undefined; up = up.parent)
    if (up.ref !== undefined && known.has(up.ref)) return up.ref;
  return "";
}
