// Holds what an action learns of its elements on the way, for the record of the session's steps.
import type { ActedOn, ExpectedText } from "../bridge/api/bridge-api.ts";

/** The notes of one step. It has some only while it is recorded. */
export interface StepNotes {
  /** The texts of the step before, for the first question to this document. */
  readonly expected: { world: object; texts: ExpectedText[] } | undefined;
  /** The answer: which of them another run most likely shows, too. */
  repeatable?: boolean[];
  /** The elements from the moment before the action, by ref. */
  readonly on: Map<string, ActedOn>;
  /** Called with each of them before it is acted on. */
  met(on: ActedOn): void;
  /** Called before keys go to the focused field. `isSecret`: its text is a secret. */
  focusIs(isSecret: boolean): void;
  /** Resolves when the step's secrets are kept for another worker. Input is sent after that. */
  kept(): Promise<void>;
}
