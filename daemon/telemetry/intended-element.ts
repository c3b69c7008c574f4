// Which element a failed call was meant for, as far as its error tells: whoever acts on another has not recovered from it.

import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { type ElementMark, markOf } from "../../proto/wire/element-mark.ts";
import type { Json } from "../../proto/wire/struct.ts";

/** Any of these is the one that was meant. */
export interface IntendedElement {
  /** Of the candidates. */
  refs: readonly string[];
  /** Of equal role and name. */
  likenesses: readonly string[];
}

/** Undefined where the call was about no element, or nothing is known of the one that was meant. */
export function intendedBy({ type, details, candidates }: ErrorDetail): IntendedElement | undefined {
  if (typeof details.ref !== "string") return undefined;
  // Its ref named an element that takes no text: the one that was meant is another, whatever its name.
  const likes = type === "ELEMENT_NOT_EDITABLE" ? [] : likenesses(details);
  const refs = candidates.map(({ ref }) => ref);
  return refs.length + likes.length > 0 ? { refs, likenesses: likes } : undefined;
}

/** Whether the element that a call was about is the one; one of which only the ref is known may be. */
export function isIntended(meant: IntendedElement, element: ElementMark | undefined): boolean {
  if (!element) return false;
  const { ref, likeness } = element;
  return meant.refs.includes(ref) || likeness === undefined || meant.likenesses.includes(likeness);
}

/** As it was told, and, where it has changed, as it is now: the plan leaves the choice. */
function likenesses({ role, name, nowRole, nowName }: Record<string, Json>): string[] {
  return [likeness(role, name), likeness(nowRole, nowName)].filter((each) => each !== undefined);
}

function likeness(role: Json | undefined, name: Json | undefined): string | undefined {
  if (typeof role !== "string" || typeof name !== "string") return undefined;
  return markOf({ ref: "", role, name }).likeness;
}
