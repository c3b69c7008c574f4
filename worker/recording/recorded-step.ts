// Defines a step that a session carried out, as it is kept: what was done to which element, and what it led to. It holds
// no secret.
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { ExpectedText, RankedLocator } from "../bridge/api/bridge-api.ts";

/** An element of a step, with its locators from the moment before the action. */
export interface RecordedTarget {
  role: string;
  name: string;
  tag: string;
  /** Selectors of the iframes around it, the outermost first. */
  frames: string[];
  /** The best first. There is none for an element that no locator finds. */
  locators: RankedLocator[];
  /** The session pressed the element's label, because the element itself is not visible. */
  labelled: boolean;
}

/** The outcome of a step. */
export interface RecordedOutcome {
  /** The tab's address afterwards. */
  url: string;
  /** The step led to another document or address. */
  moved: boolean;
  /** Texts that appeared and are likely to appear again. */
  shown: ExpectedText[];
  dialog?: { type: string; message: string };
  /** The tab that it opened. */
  opened?: string;
  download?: boolean;
  /** The tab was closed by it. */
  closed?: boolean;
}

export interface RecordedStep {
  tool: string;
  tab: string;
  /** The tab's address before the step; empty if it was not open. */
  urlBefore: string;
  /** The call's arguments, without refs, tab and secrets. */
  args: JsonObject;
  /** The elements, by the argument that named them. */
  targets: Record<string, RecordedTarget>;
  /** The names of the arguments that are left out, with the reason. `chosen` is the labels of the chosen options. */
  hidden: Record<string, "secret" | "too long" | "not kept">;
  /** The labels of the chosen options. */
  chosen?: string[];
  /** How many pixels it scrolled. */
  moved?: number;
  /** The step failed with this error, and may have acted. */
  failed?: string;
  outcome: RecordedOutcome;
}

/** Returns the step without the parts that show a secret. `isSecret`: a text shows one. */
export function withoutSecrets(step: RecordedStep, isSecret: (text: string) => boolean): RecordedStep {
  const shows = (value: unknown): boolean => {
    if (typeof value === "string") return isSecret(value);
    if (typeof value === "number") return isSecret(String(value));
    return typeof value === "object" && value !== null && Object.values(value).some(shows);
  };
  if (!shows(step)) return step;
  const targets = Object.entries(step.targets).map(([name, target]) => [
    name,
    {
      ...target,
      name: shows(target.name) ? "" : target.name,
      role: shows(target.role) ? "" : target.role,
      tag: shows(target.tag) ? "" : target.tag,
      frames: shows(target.frames) ? [] : target.frames,
      locators: shows(target.frames) ? [] : target.locators.filter((each) => !shows(each)),
    },
  ]);
  const { chosen, ...others } = step;
  const { outcome } = others;
  const args = Object.entries(step.args).filter(([, value]) => !shows(value));
  const lost = Object.keys(step.args).filter((name) => shows(step.args[name]));
  // A choice of only some of the options would be another one.
  if (shows(chosen)) lost.push("chosen");
  const { dialog, ...rest } = outcome;
  return {
    ...others,
    urlBefore: shows(step.urlBefore) ? "" : step.urlBefore,
    args: Object.fromEntries(args),
    targets: Object.fromEntries(targets),
    hidden: { ...step.hidden, ...Object.fromEntries(lost.map((name) => [name, "secret"] as const)) },
    ...(chosen && !shows(chosen) && { chosen }),
    outcome: {
      ...rest,
      ...(dialog && { dialog: shows(dialog) ? { type: dialog.type, message: "" } : dialog }),
      url: shows(outcome.url) ? "" : outcome.url,
      shown: outcome.shown.filter((each) => !shows(each)),
    },
  };
}
