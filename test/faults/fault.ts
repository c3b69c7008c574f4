// What a fault is: a situation that is arranged, the call that fails in it, and whether its purpose was reached in the end.
import type { ErrorType } from "../../proto/errors/catalogue.ts";
import type { Profile } from "../../proto/tools/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Caller, Choice, Heard } from "./literal-agent.ts";
import type { Stage } from "./stage.ts";

/** One fault of the catalogue. */
export interface Fault {
  /** What is wrong, in a few words. */
  name: string;
  /** What the call fails with. */
  type: ErrorType;
  /**
   * yes: following the steps does what the call was meant to do. asks: the plan ends by asking its reader to choose or to
   * judge, as nobody else can. no: somebody else must act.
   */
  recovers: "yes" | "asks" | "no";
  arrange(stage: Stage): Promise<Situation>;
}

/** A fault that has been arranged. */
export interface Situation {
  agent: Caller;
  /** The agent's profile, where it is not core. */
  profile?: Profile;
  tool: string;
  args: JsonObject;
  /** What happens while the call is under way, once the page has been asked. */
  during?(): unknown;
  /** What the world does as soon as the call has failed: a holder leaves, a server comes back. */
  failed?(): unknown;
  /**
   * Whether the call's purpose was reached, as the site or the server knows it; of a call that only looks, whether `last`,
   * the last reply, holds what the site shows. Not asked where nobody recovers.
   */
  reached?(last: Heard): boolean | Promise<boolean>;
  /**
   * What a person who wants this would choose where the plan asks, call by call, from the texts alone; with it, `reached` is
   * asked of a plan that asks, too.
   */
  intent?: readonly Choice[];
  /** Whether nothing was done which nobody meant, once the plan has been followed as far as it goes. */
  unharmed?(): boolean;
}

/** Whether the last reply shows these words, and no error. */
export const shows =
  (words: string) =>
  ({ isError, text }: Heard): boolean =>
    !isError && text.includes(words);
