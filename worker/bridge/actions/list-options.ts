// Returns the options that a control of the page's own shows, and the one that is meant.

import { nextFrame } from "../aim/stable.ts";
import type { Bridge, ListAsked, ListOption, ListShown } from "../api/bridge-api.ts";
import { ownEditKind } from "../aria/editable.ts";
import { isOff } from "../aria/state.ts";
import { areaValueOf, inputValueOf } from "../aria/value.ts";
import {
  attr,
  composedParent,
  focusedElement,
  getter,
  holds,
  queryAll,
  rectOf,
  setter,
  styleOf,
  tagOf,
} from "../dom/dom.ts";
import { watchChanges } from "../incremental/changes.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";
import {
  chooserOf,
  isExpanded,
  optionNamed,
  readingSo,
  type ShownList,
  type ShownOption,
  shownList,
  visibleLists,
} from "./listbox.ts";

const LABELS_MAX = 100;
const SEEK_MS_MAX = 4_000;

const setScrollTop = setter(Element.prototype, "scrollTop");
const scrollHeightOf = getter(Element.prototype, "scrollHeight");
const clientHeightOf = getter(Element.prototype, "clientHeight");

/** Remembers what was shown before a list opened. */
export function createListOptions(context: PageContext): Bridge["listOptions"] {
  let before: { lists: ReadonlySet<Element>; alike: ReadonlySet<Element> } = {
    lists: new Set(),
    alike: new Set(),
  };
  return async (ref, asked) => {
    const target = targetOf(context, ref);
    if (target.state !== "present") return { state: "unknown" };
    const control = chooserOf(target.element);
    if (asked.begin)
      before = { lists: new Set(visibleLists(context)), alike: new Set(readingSo(asked.label)) };
    const read = (): Seen => {
      const list = shownList(context, control, before.lists);
      if (list !== undefined) return { list, match: optionNamed(context, list.options, asked.label) };
      const [el] = asked.begin ? [] : readingSo(asked.label).filter((each) => !before.alike.has(each));
      return { list, match: el && { el, label: asked.label, named: false } };
    };
    let seen = await until(context, read, asked);
    if (seen.match === undefined && seen.list !== undefined && asked.seek === true)
      seen = await seekOption(read, seen.list);
    return answer(context, control, seen);
  };
}

interface Seen {
  list: ShownList | undefined;
  match: ShownOption | undefined;
  /** The labels of a long list that scrolling has shown. */
  labels?: readonly string[];
}

/** Waits until there is something to choose: the option itself, or any option of a list that is already filled. */
async function until(context: PageContext, read: () => Seen, { timeMs, fills }: ListAsked): Promise<Seen> {
  const untilMs = performance.now() + timeMs;
  const changes = watchChanges(context, true);
  let seen = read();
  const isEnough = ({ match, list }: Seen) =>
    match ? isPlaced(list?.popup ?? match.el) : !fills && list !== undefined && isFilled(list);
  while (!isEnough(seen) && (await changes.next(untilMs))) {
    await nextFrame();
    seen = read();
    changes.extend();
  }
  changes.stop();
  return seen;
}

/** A single text may say that the options are still being loaded. */
function isFilled({ options }: ShownList): boolean {
  return options.length > 1 || options.some(({ named }) => named);
}

/** A page lays out a popup at an unreachable position before it moves it to its place. */
function isPlaced(popup: Element): boolean {
  const { right, bottom } = rectOf(popup);
  return right + scrollX > 0 && bottom + scrollY > 0;
}

/** Scrolls a list that holds only the options in view, until the option comes or the list ends. */
async function seekOption(read: () => Seen, list: ShownList): Promise<Seen> {
  const scroller = scrollerOf(list.popup);
  let seen: Seen = { list, match: undefined };
  const labels = new Set(list.options.map(({ label }) => label));
  if (scroller === undefined) return seen;
  const untilMs = performance.now() + SEEK_MS_MAX;
  for (let top = 0; performance.now() < untilMs; top += 0.9 * clientHeightOf(scroller)) {
    setScrollTop(scroller, top);
    // The page has drawn the options for the new position by the second frame.
    await nextFrame();
    await nextFrame();
    seen = read();
    for (const { label } of seen.list?.options ?? []) if (labels.size < LABELS_MAX) labels.add(label);
    if (seen.match !== undefined || top + clientHeightOf(scroller) >= scrollHeightOf(scroller)) break;
  }
  return { ...seen, labels: [...labels] };
}

function scrollerOf(popup: Element): Element | undefined {
  const around = [popup, ...queryAll(popup, "*")];
  for (
    let el = composedParent(popup);
    el !== null && tagOf(el) !== "body" && around.length < 10_000;
    el = composedParent(el)
  )
    around.push(el);
  return around.find(
    (el) =>
      scrollHeightOf(el) > clientHeightOf(el) + 1 &&
      clientHeightOf(el) > 0 &&
      !["visible", "clip"].includes(styleOf(el).overflowY),
  );
}

function answer(context: PageContext, control: Element, { list, match, labels }: Seen): ListShown {
  const expanded = isExpanded(control);
  const data = (option: ShownOption) => optionData(context, option);
  const several = list !== undefined && isSeveral(list);
  return {
    state: list === undefined && match === undefined ? "none" : "shown",
    labels: (labels ?? list?.options.map(({ label }) => label) ?? []).filter(Boolean).slice(0, LABELS_MAX),
    several,
    inline: list !== undefined && holds(control, list.popup),
    ...(match && { match: data(match) }),
    chosen: several ? (list?.options ?? []).filter(({ el }) => isChosen(el)).map(data) : [],
    ...(expanded !== undefined && { expanded }),
    ...typedIn(control, list?.popup),
  };
}

function optionData(context: PageContext, { el, label }: ShownOption): ListOption {
  const survey = context.survey();
  return {
    label,
    element: describe(el, context, survey),
    selected: isChosen(el),
    // The page may show this only visually.
    disabled: isOff(el, tagOf(el), "option", survey) || styleOf(el).cursor === "not-allowed",
  };
}

function isChosen(el: Element): boolean {
  return attr(el, "aria-selected") === "true" || attr(el, "aria-checked") === "true";
}

/** Reports if the page says that several options can be chosen. */
function isSeveral({ popup, options }: ShownList): boolean {
  const says = "[aria-multiselectable=true]";
  const [first] = options;
  for (let el: Element | null = first?.el ?? popup; el !== null; el = composedParent(el)) {
    if (attr(el, "aria-multiselectable") === "true") return true;
    if (el === popup) break;
  }
  return queryAll(popup, says).length > 0;
}

/** Returns the text of the field that filters the list. That field is the control or in the list, and has the focus. */
function typedIn(control: Element, popup: Element | undefined): { typed?: string } {
  const field = focusedElement();
  if (field === null || ownEditKind(field) !== "text") return {};
  const isOurs = holds(control, field) || (popup !== undefined && isBeside(popup, field));
  if (!isOurs) return {};
  return {
    typed:
      tagOf(field) === "input"
        ? inputValueOf(field as HTMLInputElement)
        : areaValueOf(field as HTMLTextAreaElement),
  };
}

/** Reports if the field is in the popup, or in an ancestor of the popup below the body. */
function isBeside(popup: Element, field: Element): boolean {
  for (let el: Element | null = popup; el !== null && tagOf(el) !== "body"; el = composedParent(el))
    if (holds(el, field)) return true;
  return false;
}
