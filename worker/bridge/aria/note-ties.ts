// Notes which elements can change without a mutation, or by a mutation elsewhere.

import { shadowRootOf, tagOf } from "../dom/dom.ts";
import { POPOVER, RESTLESS } from "../dom/flags.ts";
import type { ShadowWatch } from "../dom/shadow-watch.ts";
import type { Controls } from "./controls.ts";
import type { Internals } from "./internals.ts";
import { labelledControl } from "./native-name.ts";
import type { PassCache } from "./pass-cache.ts";

/** The records that {@link noteTies} adds to. */
export interface TieNotes {
  survey: Pick<PassCache, "links">;
  controls?: Controls;
  shadows?: ShadowWatch;
  internals?: Internals;
}

/** Scripts decide if such an element shows another document or is chosen. */
const RESTLESS_TAGS = new Set(["object", "embed", "option"]);

export function noteTies(
  el: Element,
  tag: string,
  flags: number,
  { survey: { links }, controls, shadows, internals }: TieNotes,
): void {
  if (links === undefined) return;
  controls?.note(el, tag);
  if (shadowRootOf(el) === null) shadows?.note(el, tag);
  if (tag.includes("-")) internals?.meet(el, tag);
  if ((flags & POPOVER) !== 0) links.restless(el, true);
  if ((flags & RESTLESS) !== 0 || RESTLESS_TAGS.has(tag)) links.restless(el, false);
  const control = tag === "label" ? labelledControl(el) : null;
  if (control === null) return;
  links.depends(control, el);
  // The walk does not meet a control that is out of sight.
  controls?.note(control, tagOf(control));
}
