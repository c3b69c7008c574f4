// Holds what was delivered to a session from a tab: the tree for later deltas, and the usable refs.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { DeliveredIn, Tree } from "../bridge/api/bridge-api.ts";
import { type DeliveredElement, DeliveredLines } from "./delivered-lines.ts";
import { type ParsedRef, refsIn, wholeRef } from "./ref-text.ts";
import { NOTHING_SHOWN, type Shown } from "./shown.ts";

/** At most this many refs of dead documents are remembered. */
const EARLIER_MAX = 20_000;

/** At most this many trees are held for refs that only watchers received. */
const HELD_MAX = 256;

/** The newest snapshot of a tab. */
export interface SnapshotRecord {
  /** Counts the snapshots. */
  id: number;
  /** The document, identified by the main frame's loader. */
  loaderId: string;
  /** The content of each frame. */
  frames: SeenFrames;
  elementCount: number;
  url: string;
  title: string;
}

/** The content of each frame, by its id. Later deltas are relative to it. */
export type SeenFrames = ReadonlyMap<string, SeenFrame>;

/** The content of a frame, or the reason why nothing was read. */
export type SeenFrame = SeenContent | { reason: string };

/** A frame's tree, as it was read. */
export interface SeenContent {
  /** The frame's document, identified by the world of its bridge. */
  world: string;
  /** The bridge's number of this snapshot. */
  snapshot: number;
  elementCount: number;
  holes: Tree["holes"];
}

/**
 * The number of a delivered tree, or of a part of it. `since`: the reply held all changes since that number. A reader
 * of that tree then knows this one too.
 */
export interface DeliveredTree {
  snapshot: number;
  since?: number;
}

/**
 * How much a text shows of the refs in it. "rows" is everything around them, "lines" only their own lines, and "refs"
 * only that they exist. Other details stay as they were last delivered.
 */
export type Detail = "rows" | "lines" | "refs";

/** The details that were last delivered with the same tree. */
interface Delivery {
  snapshot: number;
}

/** The trees in which a ref's own line was last delivered, and its row, list item or option. */
interface DeliveredRef {
  line: Delivery;
  row: Delivery;
}

interface DeliveredFrame {
  world: string;
  refs: Map<string, DeliveredRef>;
  /** Maps the number of their tree to the details. A delta since then moves all of them to its own tree. */
  deliveries: Map<number, Delivery[]>;
}

/** A reply, with the documents and trees that it was read from. */
interface DeliveredReply {
  text: string;
  worlds: ReadonlyMap<number, string>;
  trees: ReadonlyMap<number, DeliveredTree>;
  detail: Detail;
}

/** A document as watchers received it. Each ref has the tree in which it first appeared. */
interface FrameShown {
  world: string;
  refs: Map<string, number>;
}

/** The number of trees per frame that a delta can refer to. */
const DELIVERIES_MAX = 64;

/** The deliveries of a tab to a session. */
export class Delivered {
  snapshot: SnapshotRecord | undefined;
  shown: Shown = NOTHING_SHOWN;
  #snapshots = 0;
  /** Replies whose refs are not noted yet. */
  #unnoted: DeliveredReply[] = [];
  readonly #noted = new Map<number, DeliveredFrame>();
  readonly #shown = new Map<number, FrameShown>();
  /** Refs of dead documents, whole. */
  #earlier: Set<string>;
  /** Is true if there were more of them than are remembered. */
  #hasForgotten = false;
  readonly #lines: DeliveredLines;

  /** `lines`: the lines that were delivered before the tab's page was opened again. */
  constructor(lines = new DeliveredLines()) {
    this.#lines = lines;
    this.#earlier = new Set(lines.refs());
  }

  /** The delivered lines of elements, for a tab that replaces this one. */
  get lines(): DeliveredLines {
    return this.#lines;
  }

  /** Keeps a snapshot as the newest. */
  remember(snapshot: Omit<SnapshotRecord, "id">): SnapshotRecord {
    this.snapshot = { ...snapshot, id: ++this.#snapshots };
    return this.snapshot;
  }

  /** Goes back to this snapshot, because the replies after it do not arrive. */
  lose(snapshot: SnapshotRecord | undefined): void {
    this.snapshot = snapshot;
    this.shown = NOTHING_SHOWN;
  }

  /** Makes the next snapshot show the whole page, because the session may lack the last reply. */
  mayLack(): void {
    this.shown = NOTHING_SHOWN;
  }

  /**
   * Marks a reply's text as delivered: the session may use its refs from now on. `worlds` and `trees`, by frame number,
   * are those that the text was read from. The refs are noted when they are asked for, or by {@link noteRefs}.
   */
  deliver(
    text: string,
    worlds: ReadonlyMap<number, string>,
    trees: ReadonlyMap<number, DeliveredTree> = new Map(),
    detail: Detail = "rows",
  ): void {
    this.#lines.add(text);
    // The page's next reading changes these.
    this.#unnoted.push({
      text,
      worlds: new Map(worlds),
      trees: new Map([...trees].map(([frame, tree]) => [frame, { ...tree }])),
      detail,
    });
  }

  /** Notes the refs that were delivered. A large text has so many that its reply should not wait for it. */
  noteRefs(): void {
    const replies = this.#unnoted;
    this.#unnoted = [];
    for (const reply of replies) this.#note(reply);
  }

  get #frames(): Map<number, DeliveredFrame> {
    this.noteRefs();
    return this.#noted;
  }

  #note({ text, worlds, trees, detail }: DeliveredReply): void {
    const known = new Map<number, { refs: Map<string, DeliveredRef>; whole: DeliveredRef }>();
    for (const [frame, tree] of trees) {
      const world = worlds.get(frame);
      const delivered = this.#noted.get(frame);
      if (world && delivered?.world === world) known.set(frame, wholeIn(delivered, tree));
    }
    for (const { frame, local } of refsIn(text)) {
      let into = known.get(frame);
      if (!into) {
        const world = worlds.get(frame);
        if (!world) continue;
        const delivered = this.#of(frame, world);
        into = wholeIn(delivered, trees.get(frame) ?? { snapshot: 0 });
        known.set(frame, into);
      }
      const before = into.refs.get(local);
      if (before && detail === "refs") continue;
      const isLine = before && detail === "lines";
      into.refs.set(local, isLine ? { line: into.whole.line, row: before.row } : into.whole);
    }
  }

  /**
   * Marks a text as shown to a watcher. Its refs may be used too, unless an earlier document gave the session the same
   * ones. The session's own delivered state stays unchanged, because the watcher may be another reader.
   */
  show(text: string, worlds: ReadonlyMap<number, string>, trees: ReadonlyMap<number, DeliveredTree>): void {
    for (const { frame, local } of refsIn(text)) {
      const world = worlds.get(frame);
      if (!world || this.#isDelivered(frame, world, local)) continue;
      const { refs } = this.#shownOf(frame, world);
      if (!refs.has(local)) refs.set(local, trees.get(frame)?.snapshot ?? 0);
    }
  }

  /** Returns the role and name that a dead document's ref was delivered with, if no other ref had the same. */
  elementOf({ whole }: ParsedRef): DeliveredElement | undefined {
    return this.#lines.of(whole);
  }

  /** Returns the numbers of the trees that are still needed for refs which only watchers received. */
  heldFor(frame: number, world: string | undefined): number[] {
    const shown = this.#shown.get(frame);
    if (world === undefined || shown?.world !== world) return [];
    const held = new Set<number>();
    for (const [local, snapshot] of shown.refs)
      if (!this.#isDelivered(frame, world, local)) held.add(snapshot);
    return [...held].slice(-HELD_MAX);
  }

  /** Returns the trees in which a ref was last delivered. Undefined if none is known. */
  treesOf({ frame, local }: ParsedRef): DeliveredIn | undefined {
    const delivered = this.#frames.get(frame)?.refs.get(local);
    const shown = this.#shown.get(frame)?.refs.get(local) ?? 0;
    const line = delivered?.line.snapshot ?? shown;
    return line === 0 ? undefined : { line, row: delivered?.row.snapshot || line };
  }

  /**
   * Says which document the ref was delivered from: the one that its frame shows now, an earlier one, or none. `world`
   * is undefined if there is no such frame now.
   */
  knows({ frame, local, whole }: ParsedRef, world: string | undefined): "known" | "earlier-page" | "unseen" {
    const delivered = this.#frames.get(frame);
    if (delivered?.refs.has(local)) return delivered.world === world ? "known" : "earlier-page";
    if (this.#earlier.has(whole)) return "earlier-page";
    const shown = this.#shown.get(frame);
    if (!shown?.refs.has(local)) return "unseen";
    if (shown.world !== world) return "earlier-page";
    return this.#hasForgotten ? "unseen" : "known";
  }

  #isDelivered(frame: number, world: string, local: string): boolean {
    const delivered = this.#frames.get(frame);
    return delivered?.world === world && delivered.refs.has(local);
  }

  #of(frame: number, world: string): DeliveredFrame {
    const delivered = this.#noted.get(frame);
    if (delivered?.world === world) return delivered;
    if (delivered) this.#forget(frame, delivered.refs);
    const fresh: DeliveredFrame = { world, refs: new Map(), deliveries: new Map() };
    this.#noted.set(frame, fresh);
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

  /** Refs that are forgotten beyond the bound count as never delivered. They are refused all the same. */
  #forget(frame: number, refs: ReadonlyMap<string, unknown>): void {
    if (this.#earlier.size + refs.size > EARLIER_MAX) {
      this.#earlier = new Set();
      this.#hasForgotten = true;
    }
    for (const local of refs.keys()) this.#earlier.add(wholeRef(frame, local));
  }
}

/** Returns a frame's refs, and what is noted of those that the tree shows with all around them. */
function wholeIn(delivered: DeliveredFrame, tree: DeliveredTree) {
  const delivery = deliveryOf(delivered, tree);
  return { refs: delivered.refs, whole: { line: delivery, row: delivery } };
}

/** Returns the record for a tree. Details of the tree before a delta are valid in this tree too. */
function deliveryOf({ deliveries }: DeliveredFrame, { snapshot, since }: DeliveredTree): Delivery {
  const moved = since === undefined || since === snapshot ? [] : (deliveries.get(since) ?? []);
  for (const delivery of moved) delivery.snapshot = snapshot;
  if (since !== undefined && since !== snapshot) deliveries.delete(since);
  const here = [...(deliveries.get(snapshot) ?? []), ...moved];
  if (here.length === 0) here.push({ snapshot });
  keepNewest(deliveries, snapshot, here, DELIVERIES_MAX);
  return here[0] as Delivery;
}
