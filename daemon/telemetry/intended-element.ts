// Derives a failed call's intended element from its error. A success on another element is no recovery.

import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { type ElementMark, markOf } from "../../proto/wire/element-mark.ts";
import type { Json } from "../../proto/wire/struct.ts";

/** Each of these may be the intended element. */
export interface IntendedElement {
  refs: readonly string[];
  /** Digests of role and name, equal for elements with equal ones. */
  likenesses: readonly string[];
}

/** Returns undefined if the call concerned no element, or if nothing is known of the intended one. */
export function intendedBy({ type, details, candidates }: ErrorDetail): IntendedElement | undefined {
  if (typeof details.ref !== "string") return undefined;
  // The ref named an element that takes no text, so the intended element is another, whatever its name.
  const likes = type === "ELEMENT_NOT_EDITABLE" ? [] : likenesses(details);
  const refs = candidates.map(({ ref }) => ref);
  return refs.length + likes.length > 0 ? { refs, likenesses: likes } : undefined;
}

/** Returns true if the call's element is an intended one. It also accepts an element of which only the ref is known. */
export function isIntended(meant: IntendedElement, element: ElementMark | undefined): boolean {
  if (!element) return false;
  const { ref, likeness } = element;
  return meant.refs.includes(ref) || likeness === undefined || meant.likenesses.includes(likeness);
}

/** Returns the likeness as delivered and, if it has changed, the current one. The plan allows either. */
function likenesses({ role, name, nowRole, nowName }: Record<string, Json>): string[] {
  return [likeness(role, name), likeness(nowRole, nowName)].filter((each) => each !== undefined);
}

function likeness(role: Json | undefined, name: Json | undefined): string | undefined {
  if (typeof role !== "string" || typeof name !== "string") return undefined;
  return markOf({ ref: "", role, name }).likeness;
}
