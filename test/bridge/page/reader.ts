// Reads deltas exactly. It applies a delta to the earlier text and reports each difference from the present text.
// It guesses nothing. A line is known by its ref, or by its role and words among its siblings without refs. An
// ambiguous delta misleads it, for example by one of two like lines or an unclear position.

import { type Description, type Entry, entriesOf, type Place, quotes } from "./delivered-changes.ts";
import { FRAMES, type Line, leadOf, parse, wordsIn } from "./lines.ts";

/** Returns what a reader would get wrong, or undefined if nothing. */
export function misled(before: string, delta: string, after: string): string | undefined {
  try {
    const entries = entriesOf(delta);
    const now = parse(after.split("\n"));
    const there = goneAndThere(entries, now);
    if (there !== undefined) return `is said to be gone, and is there: ${there}`;
    const lines = textOf(applied(parse(before.split("\n")), entries).lines);
    const wanted = textOf(now.children);
    const at = wanted.findIndex((line, index) => line !== lines[index]);
    if (at >= 0) return `believes ${lines[at] ?? "nothing"} where there is ${wanted[at]}`;
    return lines.length > wanted.length ? `believes in ${lines[wanted.length]}` : undefined;
  } catch (error) {
    if (error instanceof Unclear) return error.message;
    throw error;
  }
}

function goneAndThere(entries: readonly Entry[], now: Line): string | undefined {
  const shown = entries.flatMap((entry) => (entry.kind === "removed" ? [] : entry.lines));
  const came = new Set(shown.flatMap((line) => [line, ...all(line)]).flatMap(({ ref }) => ref ?? []));
  const there = new Set([...all(now)].flatMap(({ ref }) => ref ?? []));
  const gone = entries.flatMap((entry) => (entry.kind === "removed" ? entry.refs : []));
  return gone.find((ref) => there.has(ref) && !came.has(ref));
}

/** The delta is ambiguous. */
export class Unclear extends Error {}

/** Has what happened to the lines of the earlier text. */
interface Happened {
  gone: Set<Line>;
  /** Has the replacement of each line. `content` is everything below it, if the delta has that. */
  replaced: Map<Line, { line: Line; content: readonly Line[] | undefined }>;
  came: { into: Line; next: Line | undefined; side: "after" | "before"; lines: readonly Line[] }[];
  /** The lines that the present text has from the delta. */
  told: Set<Line>;
}

/** Returns the lines after a delta, with their old parents. `told` has the lines that the delta contains. */
export function applied(old: Line, entries: readonly Entry[]): Pick<Happened, "told"> & { lines: Line[] } {
  const happened: Happened = { gone: new Set(), replaced: new Map(), came: [], told: new Set() };
  for (const entry of entries) note(entry, old, happened);
  const wholes = [...happened.replaced].flatMap(([line, { content }]) =>
    content ? [{ line, content }] : [],
  );
  for (const { lines } of happened.came) dropMoved(lines, undefined, old, happened);
  for (const { line, content } of wholes) dropMoved(content, line, old, happened);
  return { lines: below(old, happened), told: happened.told };
}

function note(entry: Entry, old: Line, happened: Happened): void {
  switch (entry.kind) {
    case "removed": {
      const into = placed(entry.place, old);
      for (const each of entry.gone) happened.gone.add(found(each, into, old));
      return;
    }
    case "added": {
      const { place, side, beside, lines } = entry;
      const into = placed(place, old);
      const next = beside && childWith(found(beside, into, old), into);
      happened.came.push({ into, next, side: side ?? "after", lines });
      return;
    }
    case "changed": {
      const { place, was, lines } = entry;
      for (const line of lines) {
        const changed = was ? found(was, place && placed(place, old), old) : theOnly(line, place, old);
        if (happened.replaced.has(changed)) throw new Unclear(`is told twice: ${changed.text}`);
        const content = line.children.length > 0 ? line.children : undefined;
        happened.replaced.set(changed, { line, content });
      }
    }
  }
}

/** Finds a line that the delta places without its former text. It is the only one there of its role without a ref. */
function theOnly(line: Line, place: Place | undefined, old: Line): Line {
  if (place === undefined) return byRef(line.ref ?? "", old);
  const fits = placed(place, old).children.filter(({ ref, role }) => ref === undefined && role === line.role);
  return only(fits, `${line.text} in ${place.text}`);
}

function only(fits: readonly Line[], what: string): Line {
  if (fits.length !== 1) throw new Unclear(`could be ${fits.length}: ${what}`);
  return fits[0] as Line;
}

function byRef(ref: string, old: Line): Line {
  return only(
    [...all(old)].filter((line) => line.ref === ref),
    `the line of ${ref}`,
  );
}

/**
 * Each step lies directly in the next. The last one is known by its ref, is alone in the page, or lies directly in it.
 */
function placed({ steps }: Place, old: Line): Line {
  const [outermost, ...inner] = steps.toReversed();
  if (outermost === undefined) return old;
  let at: Line;
  if (outermost.ref !== undefined) at = byRef(outermost.ref, old);
  else {
    const direct = matching(outermost, childrenFor(outermost, old));
    const frameless = [...all(old, (line) => !FRAMES.test(line.role))];
    at = direct.length > 0 ? pick(outermost, direct) : pick(outermost, matching(outermost, frameless));
  }
  for (const step of inner)
    at = step.ref === undefined ? pick(step, matching(step, childrenFor(step, at))) : byRef(step.ref, old);
  return at;
}

/** Rows count as directly in their table, whatever groups they are in. */
function childrenFor({ role }: Description, { children }: Line): readonly Line[] {
  const isGroup = (line: Line) => line.role === "rowgroup" && line.ref === undefined;
  return role === "row" ? children.flatMap((line) => (isGroup(line) ? line.children : line)) : children;
}

function found(what: Description, into: Line | undefined, old: Line): Line {
  if (what.ref !== undefined) return byRef(what.ref, old);
  const { children } = into ?? old;
  if (what.anchor === undefined) return pick(what, matching(what, children));
  const anchor = found(what.anchor, into, old);
  const at = children.indexOf(anchor);
  if (at < 0) throw new Unclear(`is not beside it: ${anchor.text}`);
  const fits = matching(what, children);
  const onSide = fits.filter((line) => (what.side === "after") === children.indexOf(line) > at);
  const near = what.side === "after" ? onSide : onSide.toReversed();
  const nth = Math.max(1, what.nth);
  return only(near.slice(nth - 1, nth), what.text);
}

function pick({ nth, text }: Description, fits: readonly Line[]): Line {
  return only(nth === 0 ? fits : fits.slice(nth - 1, nth), text);
}

/** Finds lines by name, then by the first words, then by any words. Without words, it finds the nameless lines. */
function matching({ role, words }: Description, lines: readonly Line[]): Line[] {
  const like = lines.filter((line) => line.ref === undefined && line.role === role);
  if (words === "") return like.filter(({ name }) => name === "");
  const named = like.filter(({ name }) => quotes(words, name));
  if (named.length > 0) return named;
  const led = like.filter((line) => line.name === "" && quotes(words, leadOf(line)));
  return led.length > 0 ? led : like.filter((line) => wordsIn(line).some((each) => quotes(words, each)));
}

/** Returns the line directly in a position that another line is or is in. */
function childWith(line: Line, into: Line): Line {
  for (let up: Line | undefined = line; up !== undefined; up = up.parent) if (up.parent === into) return up;
  throw new Unclear(`is not there: ${line.text}`);
}

/** A line with its ref at a new position is no longer at the earlier one. */
function dropMoved(lines: readonly Line[], into: Line | undefined, old: Line, { gone }: Happened): void {
  const refs = new Set(lines.flatMap((line) => [line, ...all(line)]).flatMap(({ ref }) => ref ?? []));
  const here = new Set(into ? [into, ...all(into)] : []);
  for (const line of all(old))
    if (line.ref !== undefined && refs.has(line.ref) && !here.has(line)) gone.add(line);
}

function below(line: Line, happened: Happened): Line[] {
  const left: Line[] = [];
  const came = happened.came.filter(({ into }) => into === line);
  const beside = (next: Line, side: string) =>
    came.filter((each) => each.next === next && each.side === side).flatMap(({ lines }) => lines);
  for (const child of line.children) {
    left.push(...beside(child, "before"));
    if (!happened.gone.has(child)) left.push(now(child, happened));
    else if (came.some(({ next }) => next === child))
      throw new Unclear(`is beside what is gone: ${child.text}`);
    left.push(...beside(child, "after"));
  }
  const alone = came.filter(({ next }) => next === undefined);
  if (alone.length > 1 || (alone.length > 0 && left.length > 0))
    throw new Unclear(`stands somewhere in ${line.text || "the page"}: ${alone[0]?.lines[0]?.text}`);
  for (const line of came.flatMap(({ lines }) => lines)) tell(line, happened);
  return [...left, ...alone.flatMap(({ lines }) => lines)];
}

function now(line: Line, happened: Happened): Line {
  const { line: said, content } = happened.replaced.get(line) ?? { line, content: undefined };
  const isOpen = said.text.endsWith(":") || FRAMES.test(said.role);
  const made = { ...said, children: content ?? (isOpen ? below(line, happened) : []) };
  if (said !== line) happened.told.add(made);
  for (const each of content ?? []) tell(each, happened);
  return made;
}

function tell(line: Line, { told }: Happened): void {
  for (const each of [line, ...all(line)]) told.add(each);
}

export function* all(top: Line, enters: (line: Line) => boolean = () => true): Generator<Line> {
  for (const line of top.children) {
    yield line;
    if (enters(line)) yield* all(line, enters);
  }
}

function textOf(lines: readonly Line[], level = 0): string[] {
  return lines.flatMap(({ text, children }) => ["  ".repeat(level) + text, ...textOf(children, level + 1)]);
}
