// Defines the worker's questions about locators and their answers. It has types alone, as `bridge-api.ts` does.

import type { Described } from "./target-api.ts";

/** One part of a locator. Each part looks inside the elements that the part before it matches. */
export type LocatorPart =
  | { by: "role"; role: string; name?: string; hasText?: string }
  | { by: "testId" | "label" | "placeholder" | "alt" | "title" | "text" | "css"; value: string };

/** The reason why a locator stands where it does in the ranking. */
export type LocatorKind =
  | "test id"
  | "role and name"
  | "label"
  | "placeholder"
  | "alt text"
  | "title"
  | "text"
  | "id"
  | "attribute"
  | "role in container"
  | "role"
  | "css";

/** A locator that matches exactly one element of its document. */
export interface RankedLocator {
  kind: LocatorKind;
  parts: LocatorPart[];
  /** 0 to 100: how likely it survives a change of the page. */
  stability: number;
  /** The same element as a CSS selector, if the locator can be written so. */
  css?: string;
}

export interface LocatorOptions {
  /** At most so many locators. */
  most: number;
  /** Only locators that are at least so stable. */
  stability?: number;
  /** Beside a locator that is at least so stable, only those count that go by something else than words and place. */
  strong?: number;
}

/** The facts of an element that an action meets. */
export interface ActedOn {
  element: Described;
  locators: RankedLocator[];
  /** The text that it takes is a secret. */
  secret: boolean;
  /** The element itself is not visible. A person clicks its label. */
  labelled: boolean;
}

/**
 * The facts for the record of the session's steps, from the moment before an action. `repeatable` answers which of the
 * expected texts another run most likely shows, too.
 */
export interface StepFacts {
  on: ActedOn;
  repeatable: boolean[];
}

/** An answer that has such facts if the element is ready and they were asked for. */
export interface WithFacts {
  facts?: StepFacts | undefined;
}

/** The locators of a ref's element. */
export type LocatorsFound =
  | {
      state: "found";
      element: Described;
      locators: RankedLocator[];
      /** The text that it takes is a secret. */
      secret: boolean;
      /** It lies in a closed shadow root, which no locator reaches. */
      closed: boolean;
      /** The element itself is not visible. A person clicks its label. */
      labelled: boolean;
      /** It lies in a shadow root of any kind. */
      shadowed: boolean;
    }
  | { state: "removed"; element: Described }
  | { state: "unknown" };

export interface ElementsQuery {
  selector: string;
  /** Only elements whose text holds this, without regard to case and white space. */
  text?: string;
  hidden: boolean;
  limit: number;
}

/** The elements that a selector matches. `line` is the element's line of the tree. */
export type ElementsFound =
  | {
      state: "found";
      hits: { line: string; tag: string; visible: boolean; attributes: Record<string, string> }[];
      /** All that fit, also those beyond the limit. */
      total: number;
      /** Matches that were left out because they are hidden, or because of their text. */
      hidden: number;
      otherText: number;
      /** For a selector without a match: the nearest selectors that match something. */
      near: { selector: string; count: number }[];
    }
  | { state: "invalid"; problem: string };

/** Words that describe an element, and words of what is around it. */
export interface DescriptionQuery {
  description: string;
  near?: string;
  limit: number;
}

/** The best elements first. `whole`: each word of the description fits them. */
export interface DescriptionFound {
  hits: { ref: string; line: string }[];
  total: number;
  whole: boolean;
}

/** A text that appeared on the page; with `role`, as the name of an element of that role. */
export interface ExpectedText {
  role?: string;
  text: string;
}
