// A person in front of an application, as the scripts know one. There are several manners of acting.
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Wanted } from "./outline.ts";

/** The effects of an action that its reply must report. */
export interface Expected {
  shows?: Line[];
  gone?: Line[];
  /** The application's records. */
  did?: string[];
}

export type Line = string | RegExp | Wanted;

/** One call that acts, and the faults of its reply. */
export interface Step {
  call: string;
  /** Undefined if there was nothing to act on. */
  tookMs?: number;
  text: string;
  /** The things that the reply should have said. */
  unsaid: string[];
  /** The things that a further snapshot added. */
  late: string;
}

/** Acts on an application by an agent that knows only its replies. */
export interface Person {
  readonly steps: Step[];
  /** Opens a page of the application. */
  open(path: string, expected: Expected): Promise<void>;
  click(what: Line, expected: Expected, how?: JsonObject): Promise<void>;
  type(what: Line, text: string, expected: Expected, how?: JsonObject): Promise<void>;
  /** Chooses in a select, a combobox or a listbox. */
  choose(what: Line, values: string[], expected: Expected): Promise<void>;
  hover(what: Line, expected: Expected): Promise<void>;
  /** Drags one element onto another. */
  drag(what: Line, onto: Line, expected: Expected): Promise<void>;
  /** Gives files, by their names, to a field, a button or a drop zone. */
  upload(what: Line, names: readonly string[], expected: Expected): Promise<void>;
  /** Scrolls a region that scrolls on its own. */
  scroll(what: Line, how: JsonObject, expected: Expected): Promise<void>;
  /** Searches for an element for which the page's texts give no ref. */
  find(text: string): Promise<void>;
  press(key: string, expected: Expected): Promise<void>;
  /** Does what is still to be done. */
  end(): Promise<void>;
}

/** Matches a line of this kind in the same row, item or part as these words. */
export const at = (within: string, line: string | RegExp): Wanted => ({ within, line });

/** The files of an upload. Each holds its own name. */
export function filesNamed(names: readonly string[]): JsonObject[] {
  return names.map((name) => ({ name, content: Buffer.from(name).toString("base64") }));
}

export function asWanted(line: Line): Wanted {
  return typeof line === "object" && "line" in line ? line : { line };
}
