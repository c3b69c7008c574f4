// What this session was last told of a tab: the tree that changes are told against, and the refs that it may use.
import type { ToldIn, Tree } from "../bridge/api/bridge-api.ts";
import { type DeliveredElement, DeliveredLines } from "./delivered-lines.ts";
import { type ParsedRef, refsIn, wholeRef } from "./ref-text.ts";
import { NOTHING_SHOWN, type Shown } from "./shown.ts";

/** How many refs of documents that are gone are remembered. */
const EARLIER_MAX = 20_000;

/** How many trees are held for refs that watchers alone were shown. */
const HELD_MAX = 256;

/** The newest look at a tab. */
export interface SnapshotRecord {
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

/** A frame's tree, as it was read. */
export interface SeenContent {
  /** Its document, by the world of the bridge in it. */
  world: string;
  /** The bridge's number of what was seen. */
  snapshot: number;
  elementCount: number;
  holes: Tree["holes"];
}

/**
 * The number of a tree that was told, or a part of it. `since`: all that changed since that number was told, so that who
 * knew the tree then knows it now.
 */
export interface DeliveredTree {
  snapshot: number;
  since?: number;
}

/**
 * What a text tells of the refs in it: all that stands around them, only what stands on their own lines, or nothing but
 * that they are there. What it does not tell is known as it was told before.
 */
export type Tells = "rows" | "lines" | "refs";

/** What was last told in the same tree. */
interface Telling {
  snapshot: number;
}

/** Where a ref's role and name were last told, and where its row, list item or option. */
interface RefTold {
  line: Telling;
  row: Telling;
}

interface FrameTold {
  world: string;
  refs: Map<string, RefTold>;
  /** By the number of their tree: a change since then moves all of them on. */
  tellings: Map<number, Telling[]>;
}

/** What watchers were shown of a document: by ref, the tree in which it was first. */
interface FrameShown {
  world: string;
  refs: Map<string, number>;
}

/** Changes are told against trees no older than this. */
const TELLINGS_MAX = 64;

/** What was told. */
export class Delivered {
  look: SnapshotRecord | undefined;
  shown: Shown = NOTHING_SHOWN;
  #looks = 0;
  readonly #frames = new Map<number, FrameTold>();
  readonly #shown = new Map<number, FrameShown>();
  /** Refs of documents that are gone, whole. */
  #earlier: Set<string>;
  /** Whether there were more of them than are remembered. */
  #hasForgotten = false;
  readonly #lines: DeliveredLines;

  /** `lines`: what the session was told of the tab before its page was opened again. */
  constructor(lines = new DeliveredLines()) {
    this.#lines = lines;
    this.#earlier = new Set(lines.refs());
  }

  /** What replies said of elements, for a tab that is opened again in the place of this one. */
  get lines(): DeliveredLines {
    return this.#lines;
  }

  /** Keeps a look as the newest. */
  remember(look: Omit<SnapshotRecord, "id">): SnapshotRecord {
    this.look = { ...look, id: ++this.#looks };
    return this.look;
  }

  /** Replies with what was seen after this look do not arrive. */
  lose(look: SnapshotRecord | undefined): void {
    this.look = look;
    this.shown = NOTHING_SHOWN;
  }

  /** The session may not have had the last reply: the next snapshot shows it the whole page. */
  mayLack(): void {
    this.shown = NOTHING_SHOWN;
  }

  /**
   * A reply with this text goes to the session: it may use the refs in it from now on. `worlds` and `trees`, by frame
   * number: those that the text was read from.
   */
  deliver(
    text: string,
    worlds: ReadonlyMap<number, string>,
    trees: ReadonlyMap<number, DeliveredTree> = new Map(),
    tells: Tells = "rows",
  ): void {
    this.#lines.add(text);
    const known = new Map<number, { refs: Map<string, RefTold>; telling: Telling }>();
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
      const before = into.refs.get(local);
      if (before && tells === "refs") continue;
      const { telling } = into;
      into.refs.set(local, { line: telling, row: before && tells === "lines" ? before.row : telling });
    }
  }

  /**
   * A text that a watcher is shown: refs in it may be used too, where no document before gave the session the same ones.
   * What the session was told of its own stays as it was, for it is not known who of the session reads this.
   */
  show(text: string, worlds: ReadonlyMap<number, string>, trees: ReadonlyMap<number, DeliveredTree>): void {
    for (const { frame, local } of refsIn(text)) {
      const world = worlds.get(frame);
      if (!world || this.#isTold(frame, world, local)) continue;
      const { refs } = this.#shownOf(frame, world);
      if (!refs.has(local)) refs.set(local, trees.get(frame)?.snapshot ?? 0);
    }
  }

  /** Role and name that a ref of a document that is gone was told with, where no other had the same. */
  toldOf({ whole }: ParsedRef): DeliveredElement | undefined {
    return this.#lines.of(whole);
  }

  /** The numbers of the trees that are needed yet for refs of this document that watchers alone were shown. */
  heldFor(frame: number, world: string | undefined): number[] {
    const shown = this.#shown.get(frame);
    if (world === undefined || shown?.world !== world) return [];
    const held = new Set<number>();
    for (const [local, snapshot] of shown.refs) if (!this.#isTold(frame, world, local)) held.add(snapshot);
    return [...held].slice(-HELD_MAX);
  }

  /** The trees in which a ref was last told; undefined where none is known. */
  toldIn({ frame, local }: ParsedRef): ToldIn | undefined {
    const told = this.#frames.get(frame)?.refs.get(local);
    const shown = this.#shown.get(frame)?.refs.get(local) ?? 0;
    const line = told?.line.snapshot ?? shown;
    return line === 0 ? undefined : { line, row: told?.row.snapshot || line };
  }

  /**
   * Whether the ref was told from the document that its frame shows now, from an earlier one, or never. Without a `world`
   * there is no such frame now.
   */
  knows({ frame, local, whole }: ParsedRef, world: string | undefined): "known" | "earlier-page" | "unseen" {
    const told = this.#frames.get(frame);
    if (told?.refs.has(local)) return told.world === world ? "known" : "earlier-page";
    if (this.#earlier.has(whole)) return "earlier-page";
    const shown = this.#shown.get(frame);
    if (!shown?.refs.has(local)) return "unseen";
    if (shown.world !== world) return "earlier-page";
    return this.#hasForgotten ? "unseen" : "known";
  }

  #isTold(frame: number, world: string, local: string): boolean {
    const told = this.#frames.get(frame);
    return told?.world === world && told.refs.has(local);
  }

  #of(frame: number, world: string): FrameTold {
    const told = this.#frames.get(frame);
    if (told?.world === world) return told;
    if (told) this.#forget(frame, told.refs);
    const fresh: FrameTold = { world, refs: new Map(), tellings: new Map() };
    this.#frames.set(frame, fresh);
    return fresh;
  }

  #shownOf(frame: number, world: string): FrameShown {
    const shown = this.#shown.get(frame);
    if (shown?.world === world) return shown;
    if (shown) this.#forget(frame, shown.refs);
    const fresh: FrameShown = { world, refs: new Map() };
    this.#shown.set(frame, fresh);
    return fresh;
  }

  /** Beyond the bound, what is forgotten counts as never told: it is refused all the same. */
  #forget(frame: number, refs: ReadonlyMap<string, unknown>): void {
    if (this.#earlier.size + refs.size > EARLIER_MAX) {
      this.#earlier = new Set();
      this.#hasForgotten = true;
    }
    for (const local of refs.keys()) this.#earlier.add(wholeRef(frame, local));
  }
}

/** What is told in a tree. What was told in the one before a change is known in this one too. */
function tellingOf({ tellings }: FrameTold, { snapshot, since }: DeliveredTree): Telling {
  const moved = since === undefined || since === snapshot ? [] : (tellings.get(since) ?? []);
  for (const telling of moved) telling.snapshot = snapshot;
  if (since !== undefined && since !== snapshot) tellings.delete(since);
  const here = [...(tellings.get(snapshot) ?? []), ...moved];
  if (here.length === 0) here.push({ snapshot });
  tellings.set(snapshot, here);
  if (tellings.size > TELLINGS_MAX) tellings.delete(tellings.keys().next().value ?? 0);
  return here[0] as Telling;
}
