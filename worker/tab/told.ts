// What this session was last told of a tab: the tree that changes are told against, and the refs that it may use.
import type { Tree } from "../bridge/api.ts";

/** How many refs of documents that are gone are remembered. */
const EARLIER_MAX = 20_000;

/** The newest look at a tab. */
export interface Look {
  /** Counts the looks. */
  id: number;
  /** Which document it was, by the main frame's loader. */
  loaderId: string;
  /** What was seen of each frame. */
  frames: SeenFrames;
  elementCount: number;
  url: string;
  title: string;
}

/** What was seen of each frame, by its id: what changed later is told against it. */
export type SeenFrames = ReadonlyMap<string, SeenFrame>;

/** What was read of a frame, or why nothing was. */
export type SeenFrame = SeenContent | { reason: string };

interface SeenContent {
  /** Its document, by the world of the bridge in it. */
  world: string;
  /** The bridge's number of what was seen. */
  snapshot: number;
  elementCount: number;
  holes: Tree["holes"];
}

/** A ref apart: the frame's number (0: main) and the ref as its bridge knows it. */
export interface ParsedRef {
  frame: number;
  local: string;
  /** As Troupe writes it. */
  whole: string;
}

/**
 * The number of a tree that was told, or a part of it. `since`: all that changed since that number was told, so that who
 * knew the tree then knows it now.
 */
export interface TreeTold {
  snapshot: number;
  since?: number;
}

/** Refs of a frame that were last told in the same tree. */
interface Telling {
  snapshot: number;
}

interface FrameTold {
  world: string;
  refs: Map<string, Telling>;
  /** By the number of their tree: a change since then moves all of them on. */
  tellings: Map<number, Telling[]>;
}

/** Changes are told against trees no older than this. */
const TELLINGS_MAX = 64;

/** What was told. */
export class Told {
  look: Look | undefined;
  /** The arguments of the last snapshot, for one that asks the same again; empty: the next one is told the whole. */
  snapshotKey = "";
  #looks = 0;
  readonly #frames = new Map<number, FrameTold>();
  /** Refs of documents that are gone, whole. */
  #earlier = new Set<string>();

  /** Keeps a look as the newest. */
  remember(look: Omit<Look, "id">): Look {
    this.look = { ...look, id: ++this.#looks };
    return this.look;
  }

  /**
   * A reply with this text goes to the session: it may use the refs in it from now on. `worlds` and `trees`, by frame
   * number: those that the text was read from.
   */
  deliver(
    text: string,
    worlds: ReadonlyMap<number, string>,
    trees: ReadonlyMap<number, TreeTold> = new Map(),
  ): void {
    const known = new Map<number, { refs: Map<string, Telling>; telling: Telling }>();
    for (const [frame, tree] of trees) {
      const world = worlds.get(frame);
      const told = this.#frames.get(frame);
      if (world && told?.world === world)
        known.set(frame, { refs: told.refs, telling: tellingOf(told, tree) });
    }
    for (const { frame, local } of refsIn(text)) {
      let into = known.get(frame);
      if (!into) {
        const world = worlds.get(frame);
        if (!world) continue;
        const told = this.#of(frame, world);
        into = { refs: told.refs, telling: tellingOf(told, trees.get(frame) ?? { snapshot: 0 }) };
        known.set(frame, into);
      }
      into.refs.set(local, into.telling);
    }
  }

  /**
   * A text that a watcher is shown: refs in it may be used too. What the session was told of those that it knows stays as
   * it was, for it is not known who of the session reads this.
   */
  show(text: string, worlds: ReadonlyMap<number, string>, trees: ReadonlyMap<number, TreeTold>): void {
    for (const { frame, local } of refsIn(text)) {
      const world = worlds.get(frame);
      if (!world) continue;
      const told = this.#of(frame, world);
      if (!told.refs.has(local))
        told.refs.set(local, tellingOf(told, { snapshot: trees.get(frame)?.snapshot ?? 0 }));
    }
  }

  /** The number of the tree in which a ref was last told; undefined where none is known. */
  toldIn({ frame, local }: ParsedRef): number | undefined {
    return this.#frames.get(frame)?.refs.get(local)?.snapshot || undefined;
  }

  /**
   * Whether the ref was told from the document that its frame shows now, from an earlier one, or never. Without a `world`
   * there is no such frame now.
   */
  knows({ frame, local, whole }: ParsedRef, world: string | undefined): "known" | "earlier-page" | "unseen" {
    const told = this.#frames.get(frame);
    if (told?.refs.has(local)) return told.world === world ? "known" : "earlier-page";
    return this.#earlier.has(whole) ? "earlier-page" : "unseen";
  }

  #of(frame: number, world: string): FrameTold {
    const told = this.#frames.get(frame);
    if (told?.world === world) return told;
    if (told) this.#forget(frame, told.refs);
    const fresh: FrameTold = { world, refs: new Map(), tellings: new Map() };
    this.#frames.set(frame, fresh);
    return fresh;
  }

  /** Beyond the bound, what is forgotten counts as never told: it is refused all the same. */
  #forget(frame: number, refs: ReadonlyMap<string, unknown>): void {
    if (this.#earlier.size + refs.size > EARLIER_MAX) this.#earlier = new Set();
    for (const local of refs.keys()) this.#earlier.add(wholeRef(frame, local));
  }
}

/** What is told in a tree. What was told in the one before a change is known in this one too. */
function tellingOf({ tellings }: FrameTold, { snapshot, since }: TreeTold): Telling {
  const moved = since === undefined || since === snapshot ? [] : (tellings.get(since) ?? []);
  for (const telling of moved) telling.snapshot = snapshot;
  if (since !== undefined && since !== snapshot) tellings.delete(since);
  const here = [...(tellings.get(snapshot) ?? []), ...moved];
  if (here.length === 0) here.push({ snapshot });
  tellings.set(snapshot, here);
  if (tellings.size > TELLINGS_MAX) tellings.delete(tellings.keys().next().value ?? 0);
  return here[0] as Telling;
}

/**
 * A ref in any form that models write it: e5, f1_e3, f1e3, @e5, ref=e5, [ref=e5], in quotes, or the whole line of its
 * element. Undefined where it is none.
 */
export function parseRef(text: string): ParsedRef | undefined {
  const match = REF_ALONE.exec(text);
  if (!match?.[2]) return refOfLine(text);
  const frame = Number(match[1] ?? 0);
  return { frame, local: match[2], whole: wholeRef(frame, match[2]) };
}

const QUOTES = "[\"'`]?";
const REF_ALONE = new RegExp(
  `^\\s*${QUOTES}[[(]?(?:@|(?:aria-)?ref\\s?[=:]\\s?)?${QUOTES}(?:f(\\d{1,9})_?)?(e\\d{1,9})${QUOTES}[\\])]?${QUOTES}\\s*$`,
);
const LINE_LENGTH_MAX = 2_000;

function refOfLine(text: string): ParsedRef | undefined {
  if (text.length > LINE_LENGTH_MAX) return undefined;
  const [only, ...more] = refsIn(text);
  return more.length === 0 ? only : undefined;
}

const REF = "ref=";
/** A ref, on the line of its own element or of a fold that it opens. */
const REF_REST = /ref=(?:f(\d{1,9})_)?(e\d{1,9})(?: offset=\d+)?\]/y;
const FOLD = "[expand with browser_snapshot ";

/** The refs that a text shows. Quoted parts are content of the page and show none. */
export function* refsIn(text: string): Generator<ParsedRef> {
  for (let at = text.indexOf(REF); at >= 0; at = text.indexOf(REF, at + REF.length)) {
    if (text[at - 1] !== "[" && !text.endsWith(FOLD, at)) continue;
    REF_REST.lastIndex = at;
    const [, number = "0", local] = REF_REST.exec(text) ?? [];
    if (local === undefined || isQuoted(text, at)) continue;
    const frame = Number(number);
    yield { frame, local, whole: wholeRef(frame, local) };
  }
}

/** Whether this place stands between two quotes of its line. */
function isQuoted(text: string, at: number): boolean {
  let end = 0;
  for (let index = text.lastIndexOf("\n", at) + 1; index < at; index = end + 1) {
    const begin = text.indexOf('"', index);
    if (begin < 0 || begin >= at) return false;
    end = closingQuote(text, begin);
    if (end > at) return true;
  }
  return false;
}

/** Where the quote ends that begins here; where it never does, it is none. */
function closingQuote(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === LINE_BREAK) break;
    if (code === BACKSLASH) index++;
  }
  return begin;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_BREAK = 0x0a;

function wholeRef(frame: number, local: string): string {
  return frame === 0 ? local : `f${frame}_${local}`;
}
