// An element as the daemon knows it again without being told what a page says: its ref, and a digest of role and name.
import { createHash } from "node:crypto";
import { cut } from "../text/quote.ts";

/** `likeness`: equal for elements of equal role and name; missing where these are not known. */
export interface ElementMark {
  ref: string;
  likeness?: string;
}

/** An error's details may be cut to this. */
const NAME_LENGTH = 40;

/** The mark of an element. */
export function markOf({ ref, role, name }: { ref: string; role?: string; name?: string }): ElementMark {
  if (role === undefined || name === undefined) return { ref };
  const likeness = createHash("sha256")
    .update(`${role}\n${cut(name, NAME_LENGTH)}`)
    .digest("base64url");
  return { ref, likeness };
}

/** The mark as a header has it. */
export function markText({ ref, likeness }: ElementMark): string {
  return likeness === undefined ? ref : `${ref} ${likeness}`;
}

/** The mark that a header has. */
export function markFrom(text: string): ElementMark {
  const [ref = "", likeness] = text.split(" ");
  return { ref, ...(likeness && { likeness }) };
}
