// Defines the worker's questions to the bridge in a frame's isolated world, and the answers: JSON values only. The file
// has types alone. The worker imports them, the bridge implements them, and neither imports the other's code.

import type { FileDragReport, FileTarget } from "./file-api.ts";
import type { Held, TouchedControl } from "./held-api.ts";
import type { Choice, Edit, ScrollAsked, Scrolled, SecretTyped, SetValue } from "./input-api.ts";
import type { ListAsked, ListShown } from "./list-api.ts";
import type {
  DescriptionFound,
  DescriptionQuery,
  ElementsFound,
  ElementsQuery,
  ExpectedText,
  LocatorOptions,
  LocatorsFound,
  WithFacts,
} from "./locator-api.ts";
import type { QuietOptions, Reacted, ReactionOptions } from "./reaction-api.ts";
import type { AnchorsResult, ContainerResult, Limits, PatternResult } from "./structure-api.ts";
import type {
  Box,
  Changed,
  DeliveredIn,
  Described,
  FrameBox,
  Need,
  Point,
  Pressed,
  Readiness,
  ResolvedRef,
} from "./target-api.ts";
import type {
  EarlyTree,
  Findable,
  Found,
  Probed,
  Query,
  SecretField,
  StyleMoved,
  Tree,
  TreeOptions,
} from "./tree-api.ts";
import type { ShownPart, ShownText } from "./veil-api.ts";

export type * from "./file-api.ts";
export type * from "./held-api.ts";
export type * from "./input-api.ts";
export type * from "./list-api.ts";
export type * from "./locator-api.ts";
export type * from "./reaction-api.ts";
export type * from "./structure-api.ts";
export type * from "./target-api.ts";
export type * from "./tree-api.ts";
export type * from "./veil-api.ts";

/** The object that a document's isolated world holds as `globalThis.__troupe`. */
export interface Bridge {
  /** Sets the prefix of the frame's refs: `f1_`, or "" in the main frame. The worker sends it with each question. */
  setPrefix(prefix: string): void;
  /** Returns the document as text, one node a line. It mints refs and forgets removed elements. */
  tree(options: TreeOptions): Tree;
  /**
   * Returns the tree right after a probe, whose answer the worker does not have yet. It returns nothing if changes are
   * asked for and the probe found none. It assumes that styles have moved if the options say so, or if there were
   * mutations.
   */
  earlyTree(options: TreeOptions): EarlyTree | undefined;
  /** Reports if a snapshot is known to hold. It computes styles, so Chrome's style counter shows the rest. */
  probe(snapshot: number): Probed;
  /** Begins to read the document in idle time, ahead of the first question for its tree. */
  readAhead(): void;
  /** Returns the number of the newest tree. All other answers describe the page since that tree. */
  newestTree(): number;
  /** Keeps these trees until others are pinned. Later actions of the same call are compared with them. */
  pinTrees(numbers: readonly number[]): void;
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
  /** Returns the element that a ref names now. With `delivered`, it is refused if it is another one than delivered. */
  resolve(ref: string, delivered?: DeliveredIn): ResolvedRef | Changed;
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
   * With `expected`, here and below, the answer has the facts for the record of the session's steps.
   */
  ready(
    ref: string,
    need: Need,
    delivered?: DeliveredIn,
    again?: boolean,
    expected?: readonly ExpectedText[],
  ): Promise<Readiness & WithFacts>;
  /** Reports the outcome of the press that `ready` prepared. */
  pressed(): Pressed;
  /**
   * Focuses the element to edit and selects its whole content. Without a ref, it takes the focused element. It leaves a
   * control as it is that takes no text but opens a list of the page's own. With `choosing`, it does so even if the
   * control takes text.
   */
  beginEdit(
    ref: string | undefined,
    delivered?: DeliveredIn,
    choosing?: boolean,
    expected?: readonly ExpectedText[],
  ): Promise<Edit & WithFacts>;
  /** Sets the value of a field that takes no typed text (date, time, colour, range), with input and change. */
  setValue(ref: string | undefined, value: string, delivered?: DeliveredIn): SetValue;
  /** Returns the document's origin; "null" for an opaque one. */
  origin(): string;
  /** Replaces the selection in the focused field by a secret, which stays masked there. */
  typeSecret(ref: string | undefined, text: string): SecretTyped;
  /** Returns the text that the document shows, for `veil`. */
  shownText(): ShownText;
  /**
   * Covers these parts of that text, and hides the elements with these refs, until `unveil`. Without parts, it hides
   * the whole document. With `areElements`, it hides the elements that hold the parts.
   */
  veil(parts: readonly ShownPart[] | undefined, refs: readonly string[], areElements: boolean): void;
  unveil(): void;
  /**
   * Hides fields for secrets, and the elements of these selectors, until `unmask`. Returns the reason if that is
   * impossible, else an empty text.
   */
  mask(selectors: readonly string[]): string;
  unmask(): void;
  /** Returns the fields for secrets that hold a text. */
  secretFields(): SecretField[];
  /** Describes each control that holds the session's input. The answer for another control, or a removed one, is null. */
  heldInput(touched: readonly TouchedControl[]): (Held | null)[];
  /** Returns the focused element, or null if there is none. `isSecret`: the text that it takes is a secret. */
  focused(): { ref: string; isFrame: boolean; isSecret: boolean } | null;
  /**
   * Returns the same for a field that a person types into. A field for a secret stays masked from now on. `value`: the
   * secret that it holds.
   */
  focusedByPerson(): { ref: string; isFrame: boolean; isSecret: boolean; value: string } | null;
  /** Pastes a text into what has the focus. Returns true if the page took it itself. */
  paste(text: string): boolean;
  /** Reports if a checkbox, radio or switch is checked, or undefined if there is no such element. */
  isTicked(ref: string): boolean | undefined;
  /** Gives a slider of the page's own the focus and reads it. Undefined if the element is none. */
  focusSlider(ref: string): SliderAt | undefined;
  /** Begins to watch the next drag from this document, or ends that. */
  watchDrag(isWatched: boolean): void;
  dragSeen(): DragSeen;
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
  /** Says how files get to the element. */
  fileTarget(ref: string, delivered?: DeliveredIn): FileTarget;
  /** Returns the file field that the element is or labels, for the worker to hand over. */
  fileField(ref: string): object | undefined;
  /** Watches a drag of files until `endFileDrag`. Chrome then opens no dropped file in the tab. */
  beginFileDrag(): void;
  /** Says if the page takes the drag at its present place. */
  fileDragged(): FileDragReport;
  endFileDrag(): void;
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
  /** Returns locators for a ref's element, the best first. Each matches exactly this element now. */
  locators(ref: string, options: LocatorOptions): LocatorsFound;
  /** Reports for each text if test tools find it now, and if it is likely the same in another run. */
  isRepeatable(expected: readonly ExpectedText[]): boolean[];
  /** Returns the elements that a CSS selector matches, in open shadow roots too. Each gets a ref. */
  queryElements(query: ElementsQuery): ElementsFound;
  /** Returns the elements that words describe. */
  described(query: DescriptionQuery): DescriptionFound;

  /** Returns the element itself, for a script that is given it. It travels as an object, not as a value. */
  node(ref: string): unknown;
  /** Returns the document's text, or that below a ref, as a reader would have it: main content first. */
  readText(ref: string | undefined): string;

  resolveContainer(ref: string, limits: Limits): ContainerResult;
  inspectPattern(ref: string, ancestorLevel: number, limits: Limits): PatternResult;
  extractAnchors(ref: string, ancestorLevel: number, limits: Limits): AnchorsResult;

  /** Lays numbered boxes over the elements with a ref that are in view, for a screenshot. `unmark` removes them. */
  mark(): { ref: string; role: string; name: string }[];
  unmark(): void;
}

export interface SliderAt {
  now: number;
  min: number;
  max: number;
}

/** `isNative`: the browser's own drag has begun. `taken`: it has ended, with a drop or without. */
export interface DragSeen {
  isNative: boolean;
  taken?: boolean;
}

/** Exactly one of text, textGone and ref is set. Texts are compared without regard to case and white space. */
export interface Condition {
  text?: string;
  textGone?: string;
  ref?: string;
  state?: "visible" | "hidden" | "enabled" | "disabled" | "gone";
}

export type Waited = { met: boolean } | { met: false; unknown: true };
