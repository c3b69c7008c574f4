// A step of a plan, and what is known of the failed call for which it is made.
import type { Profile } from "../../tools/read-tools.ts";
import type { JsonObject } from "../../wire/struct.ts";

/**
 * A place in a call of several steps. `at` counts from 1; with more than `of`, it is the wait at the end. `done`: the
 * number of steps that were carried out.
 */
export interface StepPlace {
  at: number;
  of: number;
  done: number;
}

/** The failed call, as far as it is known at the place of the error. */
export interface FailedCall {
  tool: string;
  arguments: JsonObject;
  profile: Profile;
  role: string;
  /** The call named its role for itself alone, so the calls of its plan must name it too. */
  ownRole?: boolean;
  /** The session beside its connection's own that the call named. The calls of its plan must name it too. */
  ownSession?: string | undefined;
  session: string;
  tab: string;
  /** The step of a call of several steps that the error is about. */
  step?: StepPlace;
  /** The argument with the ref of the intended element, if its name is another one than `ref`. */
  refName?: string;
}

/** One step of a plan. With a tool, its text is the exact call. */
export interface Step {
  text: string;
  tool?: string;
  arguments?: JsonObject;
}

/** An element in an error: ARIA role, accessible name, lower-case tag. */
export interface ElementData {
  ref: string;
  role: string;
  name: string;
  tag: string;
}

export interface Candidate {
  ref: string;
  role: string;
  name: string;
}
