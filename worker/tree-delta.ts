// What changed between two trees, told by the lines that are new, changed or gone, each with its place.
import { diffArrays } from "diff";

/** Beyond so many edits the new tree is shorter than the story of its changes. */
const EDITS_MAX = 2_000;

/** A line apart from its place. */
interface Line {
  depth: number;
  /** Without indentation. */
  text: string;
  /** The nearest line above with less depth. */
  parent: Line | undefined;
}

/** The lines of a delta; undefined where there are too many to tell; none where nothing changed. */
export function treeDelta(before: readonly string[], after: readonly string[]): string[] | undefined {
  const shared = sharedEnds(before, after);
  const from = before.slice(shared.head, before.length - shared.tail);
  const to = after.slice(shared.head, after.length - shared.tail);
  if (from.length === 0 && to.length === 0) return [];
  const changes = diffArrays(from, to, { maxEditLength: EDITS_MAX });
  if (!changes) return undefined;
  return tell(changes, linesOf(before).slice(shared.head), linesOf(after).slice(shared.head));
}

function sharedEnds(before: readonly string[], after: readonly string[]): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { head, tail };
}

function tell(
  changes: { added: boolean; removed: boolean; count: number }[],
  before: Line[],
  after: Line[],
): string[] {
  const told: string[] = [];
  let old = 0;
  let now = 0;
  let gone: Line[] = [];
  const flush = (come: Line[]) => {
    told.push(...tellHunk(gone, come));
    gone = [];
  };
  for (const { added, removed, count } of changes) {
    if (removed) {
      gone.push(...before.slice(old, old + count));
      old += count;
    } else if (added) {
      flush(after.slice(now, now + count));
      now += count;
    } else {
      flush([]);
      old += count;
      now += count;
    }
  }
  flush([]);
  return told;
}

/** Lines that went and lines that came at one place: those of the same element are changes. */
function tellHunk(gone: Line[], come: Line[]): string[] {
  const left = new Set(gone);
  const told: string[] = [];
  let added: Line[] = [];
  for (const line of come) {
    const was = [...left].find((each) => isSame(each, line));
    if (!was) {
      added.push(line);
      continue;
    }
    told.push(...tellAdded(added), ...tellChanged(line));
    added = [];
    left.delete(was);
  }
  return [...told, ...tellAdded(added), ...tellRemoved([...left])];
}

function tellChanged(line: Line): string[] {
  return refOf(line) ? [`~ ${line.text}`] : [`~ in ${placeOf(line)}:`, `  ${line.text}`];
}

function tellAdded(lines: Line[]): string[] {
  const told: string[] = [];
  const inside = new Set<Line>(lines);
  let root: Line | undefined;
  for (const line of lines) {
    if (!line.parent || !inside.has(line.parent)) {
      if (line.parent !== root || told.length === 0) told.push(`+ in ${placeOf(line)}:`);
      root = line.parent;
    }
    told.push(`${"  ".repeat(line.depth - depthOf(root))}${line.text}`);
  }
  return told;
}

function tellRemoved(lines: Line[]): string[] {
  const inside = new Set(lines);
  const roots = lines.filter(({ parent }) => !parent || !inside.has(parent));
  const byPlace = Map.groupBy(roots, placeOf);
  return [...byPlace].map(([place, each]) => `removed from ${place}: ${each.map(shortly).join(", ")}`);
}

/** `e17 button "Buy"`: what a line was, without its children and states. */
function shortly(line: Line): string {
  const ref = refOf(line);
  const { role, name, rest } = partsOf(line);
  return [ref, role, name || rest.slice(0, 60)].filter(Boolean).join(" ");
}

/** `list "Results" [ref=e9]`: the nearest ancestor that has a name or a ref. */
function placeOf(line: Line): string {
  for (let at = line.parent; at; at = at.parent) {
    const ref = refOf(at);
    const { role, name } = partsOf(at);
    if (ref || name) return [role, name, ref && `[ref=${ref}]`].filter(Boolean).join(" ");
  }
  return "the page";
}

/** The same element: the same ref, or without one the same role in the same place. */
function isSame(a: Line, b: Line): boolean {
  const ref = refOf(a);
  if (ref || refOf(b)) return ref === refOf(b);
  return a.depth === b.depth && partsOf(a).role === partsOf(b).role;
}

function linesOf(lines: readonly string[]): Line[] {
  const path: Line[] = [];
  return lines.map((whole) => {
    const text = whole.trimStart();
    const depth = (whole.length - text.length) / 2;
    const line = { depth, text, parent: path[depth - 1] };
    path[depth] = line;
    path.length = depth + 1;
    return line;
  });
}

function depthOf(parent: Line | undefined): number {
  return parent ? parent.depth : -1;
}

/** `- role "name" [state]: text` apart. */
function partsOf({ text }: Line): { role: string; name: string; rest: string } {
  const [, role = "", name = "", rest = ""] =
    /^- (\S+?)(?=[\s:]|$)(?: ("(?:[^"\\]|\\.)*"))?[^:]*:? ?(.*)$/.exec(text) ?? [];
  return { role, name, rest };
}

function refOf({ text }: Line): string | undefined {
  return /\[ref=((?:f\d+_)?e\d+)\]/.exec(text.replace(/"(?:[^"\\]|\\.)*"/g, ""))?.[1];
}
