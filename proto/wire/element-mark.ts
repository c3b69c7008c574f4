// Marks an element so that the daemon recognises it without the page's words: its ref, and a digest of role and name.
import { createHash } from "node:crypto";
import { cut } from "../text/quote.ts";

/** `likeness`: equal for elements of equal role and name. Missing if these are unknown. */
export interface ElementMark {
  ref: string;
  likeness?: string;
}

/** An error's details may be cut to this length. */
const NAME_LENGTH = 40;

export function markOf({ ref, role, name }: { ref: string; role?: string; name?: string }): ElementMark {
  if (role === undefined || name === undefined) return { ref };
  const likeness = createHash("sha256")
    .update(`${role}\n${cut(name, NAME_LENGTH)}`)
    .digest("base64url");
  return { ref, likeness };
}

/** Writes the mark for a header. */
export function markText({ ref, likeness }: ElementMark): string {
  return likeness === undefined ? ref : `${ref} ${likeness}`;
}

/** Reads the mark from a header. */
export function markFrom(text: string): ElementMark {
  const [ref = "", likeness] = text.split(" ");
  return { ref, ...(likeness && { likeness }) };
}
