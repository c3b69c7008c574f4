// What this session was last told of a tab: the tree that changes are told against, and the refs that it may use.
import type { Tree } from "./bridge/api.ts";

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

/** What was told. */
export class Told {
  look: Look | undefined;
  /** The arguments of the last snapshot, for one that asks the same again; empty: the next one is told the whole. */
  snapshotKey = "";
  #looks = 0;
  /** By frame number: the world that the refs belong to, and the refs. */
  readonly #refs = new Map<number, { world: string; refs: Set<string> }>();
  /** Refs of documents that are gone, whole. */
  #earlier = new Set<string>();

  /** Keeps a look as the newest. */
  remember(look: Omit<Look, "id">): Look {
    this.look = { ...look, id: ++this.#looks };
    return this.look;
  }

  /**
   * A reply with this text goes to the session: it may use the refs in it from now on. `worlds`, by frame number: those
   * that the text was read from.
   */
  deliver(text: string, worlds: ReadonlyMap<number, string>): void {
    for (const { frame, local } of refsIn(text)) {
      const world = worlds.get(frame);
      if (world) this.#of(frame, world).add(local);
    }
  }

  /**
   * Whether the ref was told from the document that its frame shows now, from an earlier one, or never. Without a `world`
   * there is no such frame now.
   */
  knows({ frame, local, whole }: ParsedRef, world: string | undefined): "known" | "earlier-page" | "unseen" {
    const told = this.#refs.get(frame);
    if (told?.refs.has(local)) return told.world === world ? "known" : "earlier-page";
    return this.#earlier.has(whole) ? "earlier-page" : "unseen";
  }

  #of(frame: number, world: string): Set<string> {
    const told = this.#refs.get(frame);
    if (told?.world === world) return told.refs;
    if (told) this.#forget(frame, told.refs);
    const refs = new Set<string>();
    this.#refs.set(frame, { world, refs });
    return refs;
  }

  /** Beyond the bound, what is forgotten counts as never told: it is refused all the same. */
  #forget(frame: number, refs: ReadonlySet<string>): void {
    if (this.#earlier.size + refs.size > EARLIER_MAX) this.#earlier = new Set();
    for (const local of refs) this.#earlier.add(wholeRef(frame, local));
  }
}

/** A ref in any form that models write it: e5, f1_e3, f1e3, @e5, ref=e5, [ref=e5]. Undefined where it is none. */
export function parseRef(text: string): ParsedRef | undefined {
  const match = /^\s*\[?(?:@|ref=)?"?(?:f(\d{1,9})_?)?(e\d{1,9})"?\]?\s*$/.exec(text);
  if (!match?.[2]) return undefined;
  const frame = Number(match[1] ?? 0);
  return { frame, local: match[2], whole: wholeRef(frame, match[2]) };
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
