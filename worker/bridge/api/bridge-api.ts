// Defines the worker's questions to the bridge in a frame's isolated world, and the answers: JSON values only. The file
// has types alone. The worker imports them, the bridge implements them, and neither imports the other's code.

import type { Described } from "./described-api.ts";
import type { Held, TouchedControl } from "./held-api.ts";
import type { ListAsked, ListShown } from "./list-api.ts";
import type { QuietOptions, Reacted, ReactionOptions } from "./reaction-api.ts";
import type { AnchorsResult, ContainerResult, Limits, PatternResult } from "./structure-api.ts";

export type * from "./described-api.ts";
export type * from "./held-api.ts";
export type * from "./list-api.ts";
export type * from "./reaction-api.ts";
export type * from "./structure-api.ts";

/** The object that a document's isolated world holds as `globalThis.__troupe`. */
export interface Bridge {
  /** Sets the prefix of the frame's refs: `f1_`, or "" in the main frame. The worker sends it with each question. */
  setPrefix(prefix: string): void;
  /** Returns the document as text, one node a line. It mints refs and forgets removed elements. */
  tree(options: TreeOptions): Tree;
  /** Reports if a snapshot is known to hold. It computes styles, so Chrome's style counter shows the rest. */
  probe(snapshot: number): Probed;
  /** Returns the number of the newest tree. All other answers describe the page since that tree. */
  newestTree(): number;
  /** Counts the elements of the document and of the shadow roots that the bridge has met. */
  countMet(): number;
  /** Counts the nodes that Chrome's search for these words finds, in the document and all reachable shadow roots. */
  countReached(words: string): number;
  /**
   * Returns at most `count` custom elements that may have a closed shadow root. They were met and not returned before.
   */
  likelyHosts(count: number): object[];
  /** Makes a closed shadow root known by a node in it. It returns false if the root was known. */
  openRoot(node: object): boolean;
  /**
   * Takes elements that listen for clicks, each under a number, and the numbers of those that stopped. It returns true
   * if the tree may have changed by that.
   */
  hearClicks(numbers: readonly number[], nodes: readonly object[], gone: readonly number[]): boolean;
  /** Returns tags of custom elements, also hidden ones, that no earlier answer had. */
  newKinds(): string[];
  /** Notes that custom elements with these tags have internals, which no script can read. */
  noteKinds(tags: readonly string[]): void;
  /** Returns at most `count` elements of such kinds. The worker asks Chrome about their internals. */
  toAsk(count: number): object[];
  /**
   * Takes Chrome's answer for each element, by the equivalent attributes. It returns true if the tree may have changed
   * by that.
   */
  hearInternals(
    said: readonly (Readonly<Record<string, string>> | null)[],
    elements: readonly object[],
  ): boolean;
  /** Gives native controls a listener of this kind, so Chrome's list of listeners shows which they are. */
  markControls(kind: string): void;
  unmarkControls(): void;
  /** Returns the element that a ref names now. */
  resolve(ref: string): ResolvedRef;
  /** Returns the element of that role and name if there is only one, and the number of such elements. */
  alone(role: string, name: string): { likely: Described[]; alike: number };
  /** Returns the first elements that a client can act on and that have the name. Without `role`, any role counts. */
  called(name: string, role: string | undefined): Described[];
  /** Returns the ref of an element that the worker holds (an iframe's owner). It mints one if there is none. */
  refOf(element: object): string;

  /**
   * Scrolls the element into view, waits until it is stable, and checks everything that the need requires.
   * `delivered`, here and below, has the trees in which the element was last delivered to the caller. The call is
   * refused if the element is another one now. `again` means that the press after the last answer missed the element.
   * The preparation for a click serves only the next press. If that press misses, no listener of the page receives it.
   */
  ready(ref: string, need: Need, delivered?: DeliveredIn, again?: boolean): Promise<Readiness>;
  /** Reports the outcome of the press that `ready` prepared. */
  pressed(): Pressed;
  /**
   * Focuses the element to edit and selects its whole content. Without a ref, it takes the focused element. It leaves a
   * control as it is that takes no text but opens a list of the page's own. With `choosing`, it does so even if the
   * control takes text.
   */
  beginEdit(ref: string | undefined, delivered?: DeliveredIn, choosing?: boolean): Promise<Edit>;
  /** Sets the value of a field that takes no typed text (date, time, colour, range), with input and change. */
  setValue(ref: string | undefined, value: string, delivered?: DeliveredIn): SetValue;
  /** Describes each control that holds the session's input. The answer for another control, or a removed one, is null. */
  heldInput(touched: readonly TouchedControl[]): (Held | null)[];
  /** Returns the focused element, or null if there is none. */
  focused(): { ref: string; isFrame: boolean } | null;
  /** Chooses the options of a <select> by label or value, with input and change. */
  choose(ref: string | undefined, values: readonly string[], delivered?: DeliveredIn): Choice;
  /**
   * Returns the options in a list of the page's own that a control opens or is. `timeMs` bounds the call, and a seek is
   * bounded by seconds.
   */
  listOptions(ref: string, asked: ListAsked): Promise<ListShown>;
  /**
   * Returns the offset and scale of an iframe's content in this frame's viewport, or `covered` at a point of the
   * content. It first brings the point into view if needed, and so returns a promise. With `press`, as for `ready`, the
   * page's listeners do not receive a press that meets another element here.
   */
  frameBox(ref: string, point: Point, press?: boolean): Promise<FrameBox>;
  /** Scrolls the region of a ref, or the page. If nothing scrolls, it returns the point for a turn of the wheel. */
  scroll(ref: string | undefined, asked: ScrollAsked): Scrolled;
  /** Returns the element's border box in this frame's viewport in CSS pixels, or undefined if there is none. */
  box(ref: string): Box | undefined;

  /** Resolves to true when something may have changed since that snapshot, and to false after `timeMs`. */
  changed(snapshot: number, timeMs: number): Promise<boolean>;
  /** Resolves when the page is quiet. The answer says if any mutation came meanwhile. */
  quiet(options: QuietOptions): Promise<{ mutated: boolean }>;
  /** Starts to watch the page's reaction, because an action is about to begin. */
  beginReaction(): void;
  /** Resolves when nothing more can be expected in the document after the last cause. */
  reacted(options: ReactionOptions): Promise<Reacted>;
  /** Ends the reaction with the reply. The watch goes on until the page's own changes are known. */
  endReaction(): void;
  /**
   * Resolves to true when the condition holds, and to false after `timeMs`. It ends early if the ref is unknown or
   * removed for good.
   */
  waitFor(condition: Condition, timeMs: number): Promise<Waited>;
  /** Returns the matching elements, each as its line under its path. Each element gets a ref. */
  find(query: Query): Found;
  /** Returns the names and texts of the tree's lines, for the worker's own search. */
  findable(styleMoved: StyleMoved): Findable;

  resolveContainer(ref: string, limits: Limits): ContainerResult;
  inspectPattern(ref: string, ancestorLevel: number, limits: Limits): PatternResult;
  extractAnchors(ref: string, ancestorLevel: number, limits: Limits): AnchorsResult;

  /** Lays numbered boxes over the elements with a ref that are in view, for a screenshot. `unmark` removes them. */
  mark(): { ref: string; role: string; name: string }[];
  unmark(): void;
}

export interface Probed {
  /** No change since that snapshot is known. */
  isUnchanged: boolean;
  /** The number of listeners that the bridge has made so far. Chrome's count of listeners includes them. */
  ownListeners: number;
  /** The number of elements whose internals may have changed. */
  internals: number;
}

export interface TreeOptions {
  /** Only the subtree of this ref is printed. */
  ref?: string;
  /** The number of levels below the root. Without it, all levels are printed. */
  depth?: number;
  /** The number of skipped children of the root. A fold's line names it. */
  offset?: number;
  /** The most characters of the text. Parts without room are folded. */
  room?: number;
  /** Only elements that a client can act on are printed, with the headings and landmarks around them. */
  interactiveOnly?: boolean;
  /** Sends a large text ahead in pieces through the world's binding. Each piece follows this text and a line break. */
  pieces?: string;
  /** Asks for the changes since this snapshot. The answer is the whole tree if they are unknown or long. */
  since?: number;
  /** The name of the document in a change's position. Without it, the name is `the page`. */
  place?: string;
  /** The tree is for a watcher: no session acts on it soon. */
  watching?: boolean;
  /** With `watching`, these are the numbers of trees that only watchers have seen and may still act on. */
  held?: readonly number[];
  /** Without it, the bridge assumes that styles may have moved. */
  styleMoved?: StyleMoved;
}

/**
 * Says if the browser computed styles since the last tree. It does so for nearly all changes without a mutation.
 * `elsewhere` means that it did, and that another document gave it a reason.
 */
export type StyleMoved = boolean | "elsewhere";

/**
 * `text` is the lines joined by "\n", without a trailing one. `frames` are the iframes among them, whose content the
 * worker inserts. `holes` are all iframes of the document in the order of its tree.
 */
export interface Tree {
  kind: "full" | "delta" | "unchanged";
  /** The number of this tree, for `since`. The number of a part serves only for `delivered`. */
  snapshot: number;
  text: string;
  elementCount: number;
  /** The number of elements left out, for want of room or by `depth`. */
  left: number;
  frames: FrameHole[];
  holes: { ref: string; head: string; isLocal: boolean }[];
  /** The count that `countMet` returns. */
  met: number;
  /** The number of `likelyHosts`. */
  hosts: number;
  /** The tags of custom elements that were met for the first time. */
  kinds: string[];
  /** The part lies in a row, list item or option that is not printed with it. */
  inRow?: boolean;
  /** It is set if the requested ref is not there. */
  missing?: "unknown" | "removed";
}

/** `line` is the zero-based index of the iframe's own line in `text`. `level` is its depth, at two spaces each. */
export interface FrameHole {
  line: number;
  level: number;
  ref: string;
  /** The frame names a local file, which Chrome does not show in a web page. */
  isLocal: boolean;
}

/** Has the numbers of two trees: one delivered role and name, the other delivered the row, list item or option. */
export interface DeliveredIn {
  line: number;
  row: number;
}

export type ResolvedRef = { state: "present"; element: Described } | Missing;

/**
 * Says why a ref names no element. `likely` is the element that probably replaced it, if there is only one. `alike` is
 * the number of elements with its role and name.
 */
export type Missing =
  | { state: "unknown" }
  | { state: "removed"; element: Described; likely: Described[]; alike: number };

/**
 * "click" needs a visible, enabled, uncovered element, and "hover" a visible, uncovered one. "edit" needs a visible,
 * enabled, editable element, and "visible" a visible one.
 */
export type Need = "click" | "hover" | "edit" | "visible";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** Says why a client cannot act on an element. `by` names the element that covers it. */
export type Refusal =
  | Missing
  | Changed
  | { state: "readonly"; element: Described }
  /** `lacking` are empty fields and unticked boxes of its form. `guessed` means that the page requires none. */
  | { state: "disabled"; element: Described; lacking?: Described[]; guessed?: boolean }
  | { state: "moving"; element: Described }
  /** `file` means that the element takes files. */
  | { state: "not-editable"; element: Described; file?: true }
  /** `opener` is the control that shows the part of the page with the element. */
  | { state: "hidden"; element: Described; opener?: Described }
  | ({ state: "covered"; element: Described } & Cover);

/**
 * Describes what covers an element. `closer` is the button that closes the cover. `controls` are the first of its
 * controls that can be pressed. `asks` means that the cover holds only answers and waits for one.
 */
export interface Cover {
  by: Described;
  closer?: Described;
  controls?: Described[];
  asks?: boolean;
}

/** Says what a press met instead: a cover, or another element at the old position. */
export type Miss = Extract<Refusal, { state: "moving" } | { state: "covered" }>;

/**
 * Says what the prepared press met. "met" also stands for an unknown outcome. "unheard" means that no press reached
 * this document. `framed` means that the press was meant for a frame in it. Only the frame's document would receive
 * such a press. `miss` means that something covers the frame now. The page may also have made that cover after a press
 * in another document.
 */
export type Pressed = Miss | { state: "met" } | { state: "unheard"; framed: boolean; miss?: Miss };

/**
 * The element is now another one: `now`, instead of the delivered `element`. `row` and `nowRow` are the texts of the
 * row, list item or option, if they differ. `likely` now looks as the element did when it was delivered. `forgotten`
 * means that the delivered form is no longer known.
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

/** `point` is the place for a click in this frame's viewport, in CSS pixels. */
export type Readiness = { state: "ready"; element: Described; point: Point; box: Box } | Refusal;

/**
 * "text" is an input or textarea for typed text, and "rich" is contenteditable. "value" takes `setValue`, and "select"
 * takes `choose`. "options" opens a list that the page made itself, or is one.
 */
export type Edit =
  | {
      state: "ready";
      kind: "text" | "rich" | "value" | "select" | "options";
      /** The element opens a list of options that the page made itself. `search` means suggestions. */
      list?: "options" | "search";
      /**
       * The text goes on to an editor that the page draws itself. Only keys can select all of it there, as a person
       * does.
       */
      feeds?: true;
      /** A line break in the text begins another paragraph. */
      paragraphs?: true;
      element: Described;
      empty: boolean;
      /** The element got the focus in this call. Scripts of the page may have received that event. */
      focusMoved: boolean;
      /** The tree with the element since it has the focus, for `setValue` and `choose`. */
      seen?: number;
    }
  | { state: "nothing-focused" }
  /** The page moves the focus to another element, which would receive the typed text. */
  | { state: "focus-moved"; element: Described; to: Described }
  /** The focus is inside this iframe, so the worker asks the iframe's own bridge. */
  | { state: "in-frame"; ref: string }
  | Refusal;

export type SetValue =
  | { state: "ready" }
  | { state: "malformed"; expected: string }
  | { state: "unknown" }
  | Changed;

export type Choice =
  | { state: "ready"; chosen: string[] }
  /** `options` can be chosen. `disabled` means that the missing option exists but is disabled. */
  | { state: "no-option"; missing: string; options: string[]; disabled?: true }
  | { state: "not-multiple"; options: string[] }
  | { state: "not-select" }
  | { state: "unknown" }
  | Changed;

/** `amount` is in pixels. Without it, the region scrolls nearly as far as is in view. With 0, nothing moves. */
export interface ScrollAsked {
  direction: "up" | "down" | "left" | "right";
  amount?: number;
}

/** `element` is missing for the page itself. `leftPx` is the distance to the end in that direction. */
export type Scrolled =
  | { state: "ready"; element?: Described; movedPx: number; leftPx: number }
  | { state: "fixed"; point: Point }
  | { state: "unknown" };

export type FrameBox =
  | { state: "ready"; x: number; y: number; scaleX: number; scaleY: number }
  | { state: "unknown" }
  /** The element has no box, or its point cannot be brought into view. */
  | { state: "hidden"; element: Described }
  | ({ state: "covered" } & Cover);

/** Exactly one of text, textGone and ref is set. Texts are compared without regard to case and white space. */
export interface Condition {
  text?: string;
  textGone?: string;
  ref?: string;
  state?: "visible" | "hidden" | "enabled" | "disabled" | "gone";
}

export type Waited = { met: boolean } | { met: false; unknown: true };

/**
 * `lines` are those lines of the `findable` answer that the worker chose by a regular expression. Each has the match.
 */
export interface Query {
  text?: string;
  role?: string;
  name?: string;
  lines?: readonly { line: number; match: string }[];
  limit: number;
  /** It has the same meaning as for a tree. */
  styleMoved?: StyleMoved;
}

export interface Found {
  hits: { path: string[]; line: string }[];
  total: number;
}

/** `lines` has the number of the line for each text. */
export interface Findable {
  texts: string[];
  lines: number[];
}
