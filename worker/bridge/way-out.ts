// What makes an element reachable again: the button that closes what lies over it, the control that opens what it is in.

import type { Described } from "./api.ts";
import { describe, spokenRole } from "./describe.ts";
import { attr, byId, composedParent, has, idOf, queryAll, rootOf, tagOf } from "./dom.ts";
import { fullName } from "./name.ts";
import type { PageContext } from "./page-context.ts";
import { collapsed } from "./quote.ts";
import { isOff } from "./state.ts";
import { isVisible } from "./visibility.ts";

/** Names of buttons that only close: none of them agrees to anything. */
const CLOSES =
  /^(?:[×✕✖✗⨯x]|(?:close|dismiss|hide)(?: \p{L}+){0,3}|cancel|got it|no,? thanks?(?: you)?|not now|maybe later|later|skip|ok|okay|schließen|abbrechen|fermer|annuler|cerrar|chiudi|fechar|sluiten|stäng|luk|lukk|zamknij|zavřít)$/iu;
const CONTROLS =
  "button, a[href], summary, [role=button], [role=link], input[type=button], input[type=submit]";
const CONTROLS_MAX = 500;

/** The button inside a cover that closes it; undefined where none says so. */
export function closerIn(cover: Element, context: PageContext, prefix: string): Described | undefined {
  const survey = context.survey();
  let looked = 0;
  for (const el of queryAll(cover, CONTROLS)) {
    if (++looked > CONTROLS_MAX) return undefined;
    const tag = tagOf(el);
    const name = collapsed(fullName(el, tag, spokenRole(el, tag, survey), survey)).trim();
    if (CLOSES.test(name) && isVisible(el, tag) && !isOff(el, tag, "", survey))
      return describe(el, context.refs, survey, prefix);
  }
  return undefined;
}

/** The control that shows the part of the page in which a hidden element is; undefined where the page does not say. */
export function openerOf(el: Element, context: PageContext, prefix: string): Described | undefined {
  for (let part: Element | null = el; part !== null; part = composedParent(part)) {
    const opener = summaryOf(part) ?? controllerOf(part);
    // Of parts within parts the outermost that is closed is opened first: what opens the inner ones is hidden too.
    if (opener !== undefined && isVisible(opener, tagOf(opener)))
      return describe(opener, context.refs, context.survey(), prefix);
  }
  return undefined;
}

function summaryOf(part: Element): Element | undefined {
  if (tagOf(part) !== "details" || has(part, "open")) return undefined;
  return [...queryAll(part, ":scope > summary")][0];
}

/** What the page says controls this part: by `aria-controls`, `popovertarget`, or as the tab of its panel. */
function controllerOf(part: Element): Element | undefined {
  const root = rootOf(part);
  const id = idOf(part);
  if (root === undefined || isVisible(part, tagOf(part))) return undefined;
  if (id !== "") {
    const quoted = CSS.escape(id);
    const [control] = queryAll(root, `[aria-controls~="${quoted}"], [popovertarget="${quoted}"]`);
    if (control !== undefined) return control;
  }
  const label = attr(part, "role") === "tabpanel" ? attr(part, "aria-labelledby") : null;
  return label === null ? undefined : (byId(root, label) ?? undefined);
}
