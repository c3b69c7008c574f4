// Makes the item of one element: role, name, states, ref and value. A wrapper that says nothing gets none.

import { beginsPointer, isActedOn, passesPointer } from "../aria/interactive.ts";
import { nameOf } from "../aria/name.ts";
import { labelledControl, labelsOf } from "../aria/native-name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { implicitRole, roleOf } from "../aria/role.ts";
import { statesOf } from "../aria/state.ts";
import { inputTypeOf, valueOf } from "../aria/value.ts";
import { attr, FRAME_TAGS, LEAF_TAGS, styleOf, tagOf } from "../dom/dom.ts";
import { ARIA, EDITABLE, flagsOf, ROLE } from "../dom/flags.ts";
import { isEditingHost } from "../dom/focusable.ts";
import { attribute, shortened } from "../dom/quote.ts";
import type { RefStore } from "../dom/ref-store.ts";
import type { RootStyles } from "../styles/style-rules.ts";
import { type Item, newItem } from "./item.ts";
import { isScroller, SCROLLABLE, type Scrollers } from "./scrollers.ts";
import { bounded } from "./text-run.ts";

/** Has what the walk knows about the element's position. */
export interface Place {
  /** The element is inside something that has a ref already. A pointer cursor adds nothing there. */
  inWidget: boolean;
  root: { styles: RootStyles };
}

export interface ItemContext {
  survey: PassCache;
  refs: RefStore;
  scrollers?: Scrollers | undefined;
}

const TYPED = new Set(["date", "time", "datetime-local", "month", "week", "color", "file"]);
const URL_MAX = 500;
const DATA_URL_MAX = 40;

/** `passes` means that the pointer passes through the element, so a press cannot meet it. */
export function makeItem(
  el: Element,
  tag: string,
  flags: number,
  place: Place,
  passes: boolean,
  { survey, refs, scrollers }: ItemContext,
): Item | undefined {
  const behind = tag === "label" && !passes ? controlBehind(el, survey) : undefined;
  if (behind !== undefined) return behindItem(behind, { survey, refs });
  const role = roleHere(el, tag, flags, survey);
  const hole = isHole(el, tag);
  const closed = LEAF_TAGS.has(tag);
  const scrolls =
    !closed && !passes && isScroller(el, tag, role, flags, place.root.styles.scrolls, scrollers);
  const acted = hole || scrolls || isTarget(el, tag, role, flags, place, passes, survey);
  const wrapper = role === "generic";
  // A slot is only a position, so it has no name.
  const nameless = wrapper && ((flags & ARIA) === 0 || tag === "slot");
  const name = nameless ? undefined : nameOf(el, tag, role, survey, flags);
  const text = name?.text ?? "";
  if (wrapper && !acted && text === "") return undefined;
  const item = newItem(el, role, text);
  item.hole = hole;
  item.holes = hole ? 1 : 0;
  item.closed = closed || name?.leaf === true;
  item.states = (scrolls ? SCROLLABLE : "") + statesOf(el, tag, role, (flags & ARIA) !== 0, survey);
  const value = valueOf(el, tag, role, survey);
  item.value = value === undefined ? undefined : bounded(value);
  item.attributes = attributesOf(el, tag, role, text);
  if (acted) item.ref = refs.mint(el, role, text);
  return item;
}

/** Returns the role for the line: never a presentational one, and `textbox` for an editing host. */
function roleHere(el: Element, tag: string, flags: number, survey: PassCache): string {
  const role = (flags & ROLE) === 0 ? implicitRole(el, tag, survey) : roleOf(el, tag, survey);
  if (role !== "generic" && role !== "none") return tag === "html" ? "generic" : role;
  if (tag === "video" || tag === "audio") return tag;
  if ((tag === "object" || tag === "embed") && isHole(el, tag)) return tag;
  return (flags & EDITABLE) !== 0 && isEditingHost(el) ? "textbox" : "generic";
}

function isHole(el: Element, tag: string): boolean {
  return FRAME_TAGS.has(tag) && (tag !== "object" || (el as HTMLObjectElement).contentWindow !== null);
}

function isTarget(
  el: Element,
  tag: string,
  role: string,
  flags: number,
  place: Place,
  passes: boolean,
  survey: PassCache,
): boolean {
  const { cursor, pointerEvents } = place.root.styles;
  const acted =
    isActedOn(el, tag, role, flags) ||
    (tag === "label" && isLabelOfUnseen(el, survey)) ||
    (!isLabel(el, tag) &&
      ((!place.inWidget && beginsPointer(el, tag, flags, cursor)) || isPressed(el, tag, role, survey)));
  if (!acted) return false;
  const isThrough = passes || (pointerEvents === "all" && passesPointer(el, flags, pointerEvents) === true);
  return !isThrough || isPressedByLabel(el, tag, survey) || isOpenedByFace(tag, role, place);
}

/** Reports if a press around the field opens its list. Such a field only shows the chosen option. */
function isOpenedByFace(tag: string, role: string, { inWidget }: Place): boolean {
  return inWidget && tag === "input" && role === "combobox";
}

function isPressed(el: Element, tag: string, role: string, survey: PassCache): boolean {
  return tag !== "html" && tag !== "body" && survey.isPressed(el, role);
}

/** Reports if one of the element's labels can be pressed in its place. */
function isPressedByLabel(el: Element, tag: string, survey: PassCache): boolean {
  return tag === "input" && labelsOf(el, survey).some((label) => isPressable(label, survey));
}

const isPressable = (label: Element, survey: PassCache) =>
  survey.isShown(label) && styleOf(label).pointerEvents !== "none";

/** Inputs of these types may be out of sight. Their labels are drawn and pressed instead. */
const DRAWN_AS_LABELS = new Set(["checkbox", "radio", "file"]);

/** Returns the control that a label stands for. The control is out of sight, and no earlier label can be pressed. */
function controlBehind(label: Element, survey: PassCache): Element | undefined {
  const control = labelledControl(label);
  if (control === null || tagOf(control) !== "input" || survey.isShown(control)) return undefined;
  if (!DRAWN_AS_LABELS.has(inputTypeOf(control as HTMLInputElement))) return undefined;
  return labelsOf(control, survey).find((each) => isPressable(each, survey)) === label ? control : undefined;
}

/** Makes the line of such a control at the position of its label. */
function behindItem(control: Element, { survey, refs }: ItemContext): Item {
  const flags = flagsOf(control);
  const role = roleHere(control, "input", flags, survey);
  const name = nameOf(control, "input", role, survey, flags).text;
  const item = newItem(control, role, name);
  item.states = statesOf(control, "input", role, (flags & ARIA) !== 0, survey);
  item.value = valueOf(control, "input", role, survey);
  item.attributes = attributesOf(control, "input", role, name);
  item.ref = refs.mint(control, role, name);
  return item;
}

function isLabel(el: Element, tag: string): boolean {
  return tag === "label" && labelledControl(el) !== null;
}

function isLabelOfUnseen(label: Element, survey: PassCache): boolean {
  const control = labelledControl(label);
  return control !== null && !survey.isShown(control);
}

function attributesOf(el: Element, tag: string, role: string, name: string): string {
  if (role === "link") return link(attr(el, "href") ?? attr(el, "xlink:href"));
  if (tag === "td" || tag === "th") return spanOf(el, "colspan") + spanOf(el, "rowspan");
  if (tag !== "input" && tag !== "textarea") return "";
  const type = tag === "input" ? inputTypeOf(el as HTMLInputElement) : "";
  const hint = attr(el, "placeholder");
  const typed = TYPED.has(type) ? ` [type=${type}]` : "";
  return hint === null || hint.trim() === "" || hint === name
    ? typed
    : `${typed} [placeholder=${attribute(shortened(hint, URL_MAX))}]`;
}

/** Says over how many columns or rows a cell reaches, if it is more than one. */
function spanOf(el: Element, name: string): string {
  const count = Number.parseInt(attr(el, name) ?? "", 10);
  return count > 1 ? ` [${name}=${Math.min(count, SPAN_MAX)}]` : "";
}

const SPAN_MAX = 1_000;

function link(url: string | null): string {
  if (url === null) return "";
  const max = /^\s*data:/i.test(url) ? DATA_URL_MAX : URL_MAX;
  return ` [url=${attribute(shortened(withoutUserinfo(url.trim()), max))}]`;
}

/** Matches up to the `@` of the host, after a web scheme or after slashes (WHATWG URL, 4.4). */
const USERINFO = /^((?:https?|wss?|ftp):[/\\]*|(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,})[^/\\?#]*@/i;
/** Browsers drop these characters from an address. */
const LEFT_OUT = /[\t\n\r]/g;

/** Returns an address without its user and password (RFC 3986, 3.2.1). */
function withoutUserinfo(url: string): string {
  if (!url.includes("@")) return url;
  const read = url.replace(LEFT_OUT, "");
  return USERINFO.test(read) ? read.replace(USERINFO, "$1") : url;
}
