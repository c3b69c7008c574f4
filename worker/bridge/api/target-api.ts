// Defines the answers about the element that a ref names, and about its position.

/** Has the ARIA role, the accessible name and the lower-case tag for errors. */
export interface Described {
  ref: string;
  role: string;
  name: string;
  tag: string;
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

export type FrameBox =
  | { state: "ready"; x: number; y: number; scaleX: number; scaleY: number }
  | { state: "unknown" }
  /** The element has no box, or its point cannot be brought into view. */
  | { state: "hidden"; element: Described }
  | ({ state: "covered" } & Cover);
