// Defines a fault: a situation, the call that fails in it, and a check that the call's purpose was reached in the end.
import type { ErrorType } from "../../../proto/errors/catalogue.ts";
import type { Profile } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import type { Stage } from "./fault-harness.ts";
import type { Caller, Choice, Heard } from "./literal-agent.ts";

/** One fault of the catalogue. */
export interface Fault {
  /** The problem in a few words. */
  name: string;
  /** The error type of the failed call. */
  type: ErrorType;
  /**
   * `yes` means that following the steps does what the call was meant to do. `asks` means that the plan ends with a
   * choice for its reader. `no` means that another person must act.
   */
  recovers: "yes" | "asks" | "no";
  arrange(stage: Stage): Promise<Situation>;
}

/** A fault that has been arranged. */
export interface Situation {
  agent: Caller;
  /** The agent's profile, if it is not core. */
  profile?: Profile;
  tool: string;
  args: JsonObject;
  /** An event during the call, once the page has received a request. */
  during?(): unknown;
  /** An event after the call has failed: a holder leaves, a server comes back. */
  failed?(): unknown;
  /**
   * Returns true if the site or the server shows that the call's purpose was reached. For a read-only call, `last` is
   * the last reply and must have the site's content. It is not called if the fault does not recover.
   */
  reached?(last: Heard): boolean | Promise<boolean>;
  /**
   * The choices of a person with this intent at each question of the plan, from the texts alone. With it, `reached` is
   * also checked for a plan that asks.
   */
  intent?: readonly Choice[];
  /** Returns true if no unintended action happened, after the plan was followed as far as possible. */
  unharmed?(): boolean;
}

/** Returns true if the last reply has these words and no error. */
export const shows =
  (words: string) =>
  ({ isError, text }: Heard): boolean =>
    !isError && text.includes(words);
