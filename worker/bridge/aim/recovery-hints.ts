// Finds the control that makes an element reachable again. It closes a cover, or opens the part with the element.

import type { Cover, Described } from "../api/bridge-api.ts";
import { ownEditKind } from "../aria/editable.ts";
import { fullName } from "../aria/name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { roleOf } from "../aria/role.ts";
import { isOff } from "../aria/state.ts";
import { attr, byId, composedParent, has, idOf, queryAll, rootOf, tagOf } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { elementsIn } from "../dom/rendered-elements.ts";
import { isOf, ofRoles } from "../dom/role-selector.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { describe, spokenRole } from "../tree/describe.ts";
import { visibleText } from "../tree/visible-text.ts";
import { asksConsent, type Control, closingControl } from "./closing-word.ts";

const CONTROLS = ofRoles(
  "button link checkbox radio switch textbox combobox",
  "button, a[href], summary, input:not([type=hidden]), select, textarea, [contenteditable]",
);
const CONTROLS_MAX = 500;

/** An error names at most this many controls. */
const NAMED_MAX = 6;
/** A question has no more answers than these. */
const ANSWERS_MAX = 4;

/** Returns the controls of a cover that can be pressed, and the one that surely closes it. */
export function recoveryHintsFor(cover: Element, context: PageContext): Omit<Cover, "by"> {
  const survey = context.survey();
  const controls: Found[] = [];
  let text = `${fullName(cover, tagOf(cover), spokenRole(cover, tagOf(cover), survey), survey)} ${textOf(cover, survey)}`;
  let looked = 0;
  for (const el of elementsIn(cover)) {
    if (el === cover || !isOf(el, CONTROLS)) continue;
    // In a layer with more controls, it is not known which one closes it.
    if (++looked > CONTROLS_MAX) return {};
    const tag = tagOf(el);
    if (!isVisible(el, tag)) continue;
    text = text.replace(textOf(el, survey), () => " ");
    if (isOff(el, tag, "", survey)) continue;
    const isField = ownEditKind(el) !== undefined || tag === "input" || TICKED.has(roleOf(el, tag));
    controls.push({ el, name: nameOf(el, survey), leads: leadsAway(el), isField });
  }
  const closer = closingControl(controls, text);
  const say = ({ el }: Found) => describe(el, context, survey);
  const named = pressedFirst(controls);
  return {
    ...(closer && { closer: say(closer) }),
    ...(named.length > 0 && { controls: named.map(say) }),
    ...(!closer && isQuestion(controls, text) && { asks: true }),
  };
}

const TICKED = new Set(["checkbox", "radio", "switch"]);

interface Found extends Control {
  el: Element;
  /** The control takes text, or can be ticked. */
  isField: boolean;
}

/** Lists controls to press before links to other pages. */
function pressedFirst(controls: readonly Found[]): Found[] {
  const pressed = controls.filter(({ isField, name }) => !isField && name !== "");
  return [...pressed.filter(({ leads }) => !leads), ...pressed.filter(({ leads }) => leads)].slice(
    0,
    NAMED_MAX,
  );
}

/** Reports if the layer only waits for an answer. Escape does not answer a question, and seldom a banner of consent. */
function isQuestion(controls: readonly Found[], text: string): boolean {
  if (controls.some(({ isField }) => isField)) return false;
  const answers = controls.filter(({ leads, name }) => !leads && name !== "");
  const least = asksConsent(text) ? 1 : 2;
  return answers.length >= least && answers.length <= ANSWERS_MAX;
}

/** A field's name says what it holds, not what a press on it does. */
function nameOf(el: Element, survey: PassCache): string {
  const tag = tagOf(el);
  return ownEditKind(el) === undefined
    ? collapsed(fullName(el, tag, spokenRole(el, tag, survey), survey)).trim()
    : "";
}

function textOf(el: Element, survey: PassCache): string {
  return visibleText(el, survey, () => {}).trim();
}

function leadsAway(el: Element): boolean {
  return (
    tagOf(el) === "a" && attr(el, "role") === null && !/^\s*(?:#|javascript:|$)/i.test(attr(el, "href") ?? "")
  );
}

/**
 * Returns the control that shows the part of the page with a hidden element. It is undefined if the page names none.
 */
export function openerOf(el: Element, context: PageContext): Described | undefined {
  for (let part: Element | null = el; part !== null; part = composedParent(part)) {
    const opener = summaryOf(part) ?? controllerOf(part);
    // The outermost closed part is opened first, because the openers of the parts inside it are hidden, too.
    if (opener !== undefined && isVisible(opener, tagOf(opener))) return describe(opener, context);
  }
  return undefined;
}

function summaryOf(part: Element): Element | undefined {
  if (tagOf(part) !== "details" || has(part, "open")) return undefined;
  return [...queryAll(part, ":scope > summary")][0];
}

/** Returns the control of this part: by `aria-controls`, by `popovertarget`, or as the tab of its panel. */
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
