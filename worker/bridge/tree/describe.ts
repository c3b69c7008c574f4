// Describes an element for an error or a list.

import type { Described } from "../api/bridge-api.ts";
import { fullName } from "../aria/name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { roleOf } from "../aria/role.ts";
import { attr, plainTag, tagOf, textContentOf } from "../dom/dom.ts";
import { isEditingHost } from "../dom/focusable.ts";
import { collapsed, shortened } from "../dom/quote.ts";
import type { Identity, RefStore } from "../dom/ref-store.ts";
import { refText } from "../dom/ref-text.ts";

const TEXT_MAX = 80;

interface DescribedIn {
  refs: RefStore;
  survey(): PassCache;
}

/**
 * Returns role, name, tag and ref, and mints the ref if there is none. A nameless generic element is named by its text.
 */
export function describe(el: Element, context: DescribedIn, survey = context.survey()): Described {
  const identity = identify(el, survey);
  return { ref: refText(context.refs.mint(el, identity.role, identity.name)), ...identity };
}

export function identify(el: Element, survey: PassCache): Identity {
  const tag = tagOf(el);
  const role = spokenRole(el, tag, survey);
  const name = fullName(el, tag, role, survey);
  return { role, name: name === "" && role === "generic" ? shortText(el) : name, tag: plainTag(el) };
}

/** Returns the role as the tree has it. */
export function spokenRole(el: Element, tag: string, survey?: PassCache): string {
  const role = roleOf(el, tag, survey);
  if (role !== "generic" && role !== "none") return role;
  if (tag === "video" || tag === "audio" || tag === "object" || tag === "embed") return tag;
  return attr(el, "contenteditable") !== null && isEditingHost(el) ? "textbox" : "generic";
}

function shortText(el: Element): string {
  return shortened(collapsed((textContentOf(el) ?? "").slice(0, 4 * TEXT_MAX)), TEXT_MAX);
}
