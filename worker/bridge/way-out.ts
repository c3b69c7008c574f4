// What makes an element reachable again: the button that closes what lies over it, the control that opens what it is in.

import type { Described } from "./api.ts";
import { type Control, closingControl } from "./closing-word.ts";
import { describe, spokenRole } from "./describe.ts";
import { attr, byId, composedParent, has, idOf, queryAll, rootOf, tagOf } from "./dom.ts";
import { ownEditKind } from "./editable.ts";
import { fullName } from "./name.ts";
import type { PageContext } from "./page-context.ts";
import { collapsed } from "./quote.ts";
import { isOff } from "./state.ts";
import type { Survey } from "./survey.ts";
import { isVisible } from "./visibility.ts";
import { visibleText } from "./visible-text.ts";

const CONTROLS =
  "button, a[href], summary, [role=button], [role=link], input:not([type=hidden]), select, textarea, [contenteditable]";
const CONTROLS_MAX = 500;

/** The button inside a cover that closes it; undefined where none is sure to. */
export function closerIn(cover: Element, context: PageContext, prefix: string): Described | undefined {
  const survey = context.survey();
  const controls: (Control & { el: Element })[] = [];
  let text = `${fullName(cover, tagOf(cover), spokenRole(cover, tagOf(cover), survey), survey)} ${textOf(cover, survey)}`;
  let looked = 0;
  for (const el of queryAll(cover, CONTROLS)) {
    // Of a layer with more controls than are looked at, nobody knows what closes it.
    if (++looked > CONTROLS_MAX) return undefined;
    const tag = tagOf(el);
    if (!isVisible(el, tag)) continue;
    text = text.replace(textOf(el, survey), () => " ");
    if (!isOff(el, tag, "", survey)) controls.push({ el, name: nameOf(el, survey), leads: leadsAway(el) });
  }
  const closer = closingControl(controls, text);
  return closer && describe(closer.el, context.refs, survey, prefix);
}

/** A field's name says what it holds, not what comes of it. */
function nameOf(el: Element, survey: Survey): string {
  const tag = tagOf(el);
  return ownEditKind(el) === undefined
    ? collapsed(fullName(el, tag, spokenRole(el, tag, survey), survey)).trim()
    : "";
}

function textOf(el: Element, survey: Survey): string {
  return visibleText(el, survey, () => {}).trim();
}

function leadsAway(el: Element): boolean {
  return (
    tagOf(el) === "a" && attr(el, "role") === null && !/^\s*(?:#|javascript:|$)/i.test(attr(el, "href") ?? "")
  );
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
