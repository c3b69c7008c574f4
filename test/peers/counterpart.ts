// A tool of ours that does the same as tools of other servers, or the reason why there is none.
import type { TheirTools } from "./their-tools.ts";

/** Tools of others that do the same, separated by spaces. */
type Theirs = Partial<Record<keyof TheirTools, string>>;

/** `shownBy`: the title of the test that shows it. */
export type Counterpart =
  | { ours: string; shownBy: string; theirs: Theirs }
  /** Says why there is no such tool. */
  | { reason: string; theirs: Theirs };
