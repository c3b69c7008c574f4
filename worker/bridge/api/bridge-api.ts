// What the worker may ask of the bridge in a frame's isolated world, and what it answers: JSON values only.
// Types alone: the worker imports them, the bridge implements them, neither imports the other's code.
//
// A ref is `e5` inside the bridge and in the main frame; the worker gives each child frame a prefix (`f1_`)
// and the bridge writes it before each ref that it prints. Refs that come in are without prefix.

import type { Described } from "./described-api.ts";
import type { ListAsked, ListShown } from "./list-api.ts";
import type { QuietOptions, Reacted, ReactionOptions } from "./reaction-api.ts";
import type { AnchorsResult, ContainerResult, Limits, PatternResult } from "./structure-api.ts";

export type * from "./described-api.ts";
export type * from "./list-api.ts";
export type * from "./reaction-api.ts";
export type * from "./structure-api.ts";

/** The object that a document's isolated world holds as `globalThis.__troupe`. */
export interface Bridge {
  /** The document as text, one node a line; mints refs for what can be acted on; forgets removed elements. */
  tree(options: TreeOptions): Tree;
  /** Whether a snapshot still holds, as far as is known. Computes styles, so that their counter tells the rest. */
  glance(snapshot: number): Glanced;
  /** The number of the newest tree: what any other answer tells is known to be so since then. */
  seen(): number;
  /** How many elements stand in the document and the shadow roots that were met. */
  countMet(): number;
  /** How many nodes Chrome's search for these words finds in the document and in all shadow roots that can be reached. */
  countReached(words: string): number;
  /** So many of the page's own kinds of elements that were met, were not given here before, and may have a closed shadow root. */
  likelyHosts(count: number): object[];
  /** Makes the closed shadow root known that a node is, or is in, which no script finds; false where it was. */
  openRoot(node: object): boolean;
  /**
   * Makes elements known that listen for clicks, each under a number, and the numbers of those that do so no longer. True
   * where the tree may be another by that.
   */
  hearClicks(numbers: readonly number[], nodes: readonly object[], gone: readonly number[]): boolean;
  /** Tags of custom elements that were not told before, also of those that are hidden. */
  newKinds(): string[];
  /** The page's own kinds of elements with these tags have internals, which no script can read. */
  noteKinds(tags: readonly string[]): void;
  /** So many elements of such kinds, to ask Chrome what their internals say. */
  toAsk(count: number): object[];
  /** What Chrome said of each, by the attributes that would say so. True where the tree may be another by that. */
  hearInternals(
    said: readonly (Readonly<Record<string, string>> | null)[],
    elements: readonly object[],
  ): boolean;
  /** Gives native controls a listener for this kind of event, so that Chrome's list of listeners shows which they are. */
  markControls(kind: string): void;
  unmarkControls(): void;
  /** What a ref stands for now; the answer's refs carry the prefix. */
  look(ref: string, prefix?: string): Look;
  /** The element of that role and name, where there is one alone; and how many there are. */
  alone(role: string, name: string, prefix: string): { likely: Described[]; alike: number };
  /** What can be acted on and has that name, of whatever role without one: the first of many. */
  called(name: string, role: string | undefined, prefix: string): Described[];
  /** The ref of an element that the worker holds (an iframe's owner); minted where it has none. */
  refOf(element: object): string;

  /**
   * Scrolls the element into view, waits until it stands still, and checks all that the need asks for. `told`, here and
   * below: the trees in which the caller was last told of the element; it is refused where it is another now. `again`:
   * the press that came of the last answer missed it. What a click needs is ready for the next press alone: one that does
   * not meet it, no listener of the page hears of.
   */
  ready(ref: string, need: Need, prefix: string, told?: ToldIn, again?: boolean): Promise<Readiness>;
  /** What became of the press that something was made ready for. */
  pressed(prefix: string): Pressed;
  /**
   * Focuses what is to be edited (without a ref, what has the focus) and selects its whole content. Not what opens a list
   * of the page's own making and takes no text, nor with `choosing` one that takes text too.
   */
  beginEdit(ref: string | undefined, prefix: string, told?: ToldIn, choosing?: boolean): Promise<Edit>;
  /** Sets the value of a field that takes no typed text (date, time, colour, range), with input and change. */
  setValue(ref: string | undefined, value: string, prefix?: string, told?: ToldIn): SetValue;
  /** Whether these fields hold text now; one that is gone does not. */
  holdText(refs: readonly string[]): boolean[];
  /** Chooses the options of a <select> by label or value, with input and change. */
  choose(ref: string | undefined, values: readonly string[], prefix?: string, told?: ToldIn): Choice;
  /** What can be chosen in the list of the page's own making that a control opens, or is. Bounded by `timeMs`, seeking by seconds. */
  listOptions(ref: string, asked: ListAsked, prefix: string): Promise<ListShown>;
  /**
   * Where an iframe's content begins in this frame's viewport, and how it is scaled; `covered` at a point of the
   * content. Brings the point into view first where it is not, hence the promise. `press`: as for what is `ready`, a press
   * that meets something else here is not heard of.
   */
  frameBox(ref: string, point: Point, prefix: string, press?: boolean): Promise<FrameBox>;
  /** Scrolls the region of a ref, or the page; where nothing scrolls, where a wheel would be turned. */
  scroll(ref: string | undefined, asked: ScrollAsked, prefix: string): Scrolled;
  /** The element's border box in this frame's viewport, CSS pixels; undefined when it has none. */
  box(ref: string): Box | undefined;

  /** Resolves true when something may have changed since that snapshot, false after `timeMs`. */
  changed(snapshot: number, timeMs: number): Promise<boolean>;
  /** Resolves when the page has come to rest; the answer tells whether any mutation came meanwhile. */
  quiet(options: QuietOptions): Promise<{ mutated: boolean }>;
  /** An action is about to begin: what the page makes of it is watched. */
  beginReaction(): void;
  /** Resolves when nothing more can be expected in the document after the last cause. */
  reacted(options: ReactionOptions): Promise<Reacted>;
  /** The action has been told. The page is watched only until it is known how it changes by itself. */
  endReaction(): void;
  /** Resolves true when the condition holds; false after `timeMs`. Resolves early when the ref is unknown, or removed for good. */
  waitFor(condition: Condition, timeMs: number): Promise<Waited>;
  /** Elements that match, each as its line under its path, each with a ref whatever it is. */
  find(query: Query, prefix: string): Found;
  /** The names and texts of the tree's lines, for what the worker searches by itself. */
  findable(styleMoved: StyleMoved): Findable;

  resolveContainer(ref: string, limits: Limits, prefix: string): ContainerResult;
  inspectPattern(ref: string, ancestorLevel: number, limits: Limits, prefix: string): PatternResult;
  extractAnchors(ref: string, ancestorLevel: number, limits: Limits, prefix: string): AnchorsResult;

  /** Lays numbered boxes over what has a ref and is in view (for a screenshot); returns what `unmark` takes away. */
  mark(prefix: string): { ref: string; role: string; name: string }[];
  unmark(): void;
}

export interface Glanced {
  /** Nothing is known to have changed since that snapshot. */
  isCalm: boolean;
  /** How many listeners the bridge has made so far: Chrome's count of listeners holds them too. */
  ownListeners: number;
  /** How many elements have internals that may say something else by now. */
  internals: number;
}

export interface TreeOptions {
  prefix: string;
  /** Only the subtree of this ref. */
  ref?: string;
  /** Levels below the root; without it, all. */
  depth?: number;
  /** How many children of the root are skipped: a fold's line names it. */
  offset?: number;
  /** At most so many characters: what there is no room for is folded. */
  room?: number;
  /** Only what can be acted on, with headings and landmarks that say where it stands. */
  interactiveOnly?: boolean;
  /** Sends a large text ahead in pieces, each after this and a line break, through the world's binding. */
  pieces?: string;
  /** What changed since this snapshot, where that is known and short; else the whole. */
  since?: number;
  /** What the document is called as the place of a change; without it, `the page`. */
  place?: string;
  /** For a watcher: no session acts on it soon. */
  watching?: boolean;
  /** With it: the numbers of trees that watchers alone were shown, and may act by yet. */
  held?: readonly number[];
  /** Without it, it is taken as possible. */
  styleMoved?: StyleMoved;
}

/**
 * Whether the browser computed styles since the last tree, which it does for nearly all that no mutation tells of;
 * `elsewhere`: it did, and had a reason to in another document.
 */
export type StyleMoved = boolean | "elsewhere";

/**
 * `lines` joined by "\n", without a trailing one. `frames`: the iframes among them, whose content the worker puts in.
 * `holes`: all iframes of the document, as they stand in its tree.
 */
export interface Tree {
  kind: "full" | "delta" | "unchanged";
  /** The number of what was seen, for `since` (of a part, only for `told`). */
  snapshot: number;
  text: string;
  elementCount: number;
  /** How many of the elements are left out for want of room, or by `depth`. */
  left: number;
  frames: FrameHole[];
  holes: { ref: string; head: string; isLocal: boolean }[];
  /** As `countMet` says. */
  met: number;
  /** How many `likelyHosts` there are. */
  hosts: number;
  /** Tags of custom elements that were met for the first time. */
  kinds: string[];
  /** Of a part: whether it lies in a row, list item or option, which is not told with it. */
  inRow?: boolean;
  /** Set when the asked ref is not there. */
  missing?: "unknown" | "removed";
}

/** `line`: zero-based index of the iframe's own line in `text`; `level`: its depth, two spaces each. */
export interface FrameHole {
  line: number;
  level: number;
  ref: string;
  /** It names a local file, which Chrome shows in no web page. */
  isLocal: boolean;
}

/** By number: the tree in which role and name were told, and that in which the row, list item or option was. */
export interface ToldIn {
  line: number;
  row: number;
}

export type Look = { state: "present"; element: Described } | Missing;

/**
 * Why a ref names no element. `likely`: what is likely to have taken its place, where that is one element alone;
 * `alike`: how many elements have its role and name.
 */
export type Missing =
  | { state: "unknown" }
  | { state: "removed"; element: Described; likely: Described[]; alike: number };

/** click and hover: visible, enabled (click), not covered. focus: visible. edit: visible, enabled, editable. visible: visible. */
export type Need = "click" | "hover" | "edit" | "visible";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** Why an element cannot be acted on. `by` names what lies over it. */
export type Refusal =
  | Missing
  | Changed
  | { state: "readonly"; element: Described }
  /** `lacking`: fields of its form that are empty, and boxes that are not ticked; `guessed`: the page requires none. */
  | { state: "disabled"; element: Described; lacking?: Described[]; guessed?: boolean }
  | { state: "moving"; element: Described }
  /** `file`: it takes files. */
  | { state: "not-editable"; element: Described; file?: true }
  /** `opener`: what shows the part of the page that it is in. */
  | { state: "hidden"; element: Described; opener?: Described }
  | ({ state: "covered"; element: Described } & Cover);

/**
 * What lies over an element. `closer`: the button that closes it; `controls`: what can be pressed in it, the first of many.
 * `asks`: it holds nothing but answers, and waits for one.
 */
export interface Cover {
  by: Described;
  closer?: Described;
  controls?: Described[];
  asks?: boolean;
}

/** What a press met instead: what lay over the element, or whatever was in the place that it had left. */
export type Miss = Extract<Refusal, { state: "moving" } | { state: "covered" }>;

/**
 * met: also where it cannot be judged. unheard: no press came to this document. `framed`: one was meant for a frame in it,
 * whose document would hear of it alone. `miss`: a frame lies over the element by now, which may also be what the page made
 * of a press that was heard in another document.
 */
export type Pressed = Miss | { state: "met" } | { state: "unheard"; framed: boolean; miss?: Miss };

/**
 * The element is `now` another than what was told of it, which is `element`. `row` and `nowRow`: the text of the row,
 * list item or option, where that is what differs. `likely`: what is now as was told, as for a missing one. `forgotten`:
 * it was told so long ago that what was told is not known any more.
 */
export interface Changed {
  state: "changed";
  element: Described;
  now: Described;
  row?: string;
  nowRow?: string;
  likely: Described[];
  alike: number;
  forgotten?: boolean;
}

/** `point`: where to click, in this frame's viewport, CSS pixels. */
export type Readiness = { state: "ready"; element: Described; point: Point; box: Box } | Refusal;

/**
 * text: an input or textarea that takes typed text; rich: contenteditable; value: takes `setValue`;
 * select: takes `choose`; options: opens a list of the page's own making, or is one; none: nothing editable has the focus.
 */
export type Edit =
  | {
      state: "ready";
      kind: "text" | "rich" | "value" | "select" | "options";
      /** It opens a list of options of the page's own making. `search`: one of suggestions. */
      list?: "options" | "search";
      /** The text goes on to an editor that the page draws itself: what is all of it, a person selects by the keys. */
      feeds?: true;
      /** A line break in the text begins another paragraph. */
      paragraphs?: true;
      element: Described;
      empty: boolean;
      /** It was given the focus just now: scripts of the page may have heard of that. */
      focusMoved: boolean;
      /** For `setValue` and `choose`: the tree in which it stands since it has the focus. */
      seen?: number;
    }
  | { state: "nothing-focused" }
  /** The page moves the focus to another element: what is typed would go there. */
  | { state: "focus-moved"; element: Described; to: Described }
  /** The focus is inside this iframe (prefixed ref): ask its own bridge. */
  | { state: "in-frame"; ref: string }
  | Refusal;

export type SetValue =
  | { state: "ready" }
  | { state: "malformed"; expected: string }
  | { state: "unknown" }
  | Changed;

export type Choice =
  | { state: "ready"; chosen: string[] }
  /** `options`: those that can be chosen. `disabled`: the missing one is there, but cannot. */
  | { state: "no-option"; missing: string; options: string[]; disabled?: true }
  | { state: "not-multiple"; options: string[] }
  | { state: "not-select" }
  | { state: "unknown" }
  | Changed;

/** `amount`: pixels; without it, nearly as much as is in view; 0: only looks. */
export interface ScrollAsked {
  direction: "up" | "down" | "left" | "right";
  amount?: number;
}

/** `element`: missing for the page itself. `leftPx`: to the end in that direction. */
export type Scrolled =
  | { state: "ready"; element?: Described; movedPx: number; leftPx: number }
  | { state: "fixed"; point: Point }
  | { state: "unknown" };

export type FrameBox =
  | { state: "ready"; x: number; y: number; scaleX: number; scaleY: number }
  | { state: "unknown" }
  /** It has no box, or its point cannot be brought into view. */
  | { state: "hidden"; element: Described }
  | ({ state: "covered" } & Cover);

/** Exactly one of text, textGone, ref. Text is compared without regard to case and white space. */
export interface Condition {
  text?: string;
  textGone?: string;
  ref?: string;
  state?: "visible" | "hidden" | "enabled" | "disabled" | "gone";
}

export type Waited = { met: boolean } | { met: false; unknown: true };

/** `lines`: those that the worker chose of what is `findable` (regular expressions), each with what of its text matched. */
export interface Query {
  text?: string;
  role?: string;
  name?: string;
  lines?: readonly { line: number; match: string }[];
  limit: number;
  /** As for a tree. */
  styleMoved?: StyleMoved;
}

export interface Found {
  hits: { path: string[]; line: string }[];
  total: number;
}

/** `lines`: for each text the number of its line. */
export interface Findable {
  texts: string[];
  lines: number[];
}
