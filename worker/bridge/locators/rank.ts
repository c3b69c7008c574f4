// Ranks the locators of an element: those first that say what a person sees or what the author meant for tests. Each is
// checked to match exactly this element. Ids and classes that look generated are refused.

import type { LocatorKind, LocatorOptions, LocatorPart, RankedLocator } from "../api/bridge-api.ts";
import { attr, tagOf } from "../dom/dom.ts";
import { containersOf } from "./containers.ts";
import { cssPath } from "./css-path.ts";
import { plainText } from "./plain-text.ts";
import { isQueried, queriedRole } from "./queried-role.ts";
import { attributeCss, cssOf, isReachable, labelTexts, type Search } from "./search.ts";
import { isGenerated, isMadeUp, isVolatile } from "./stable-text.ts";

const NAME_LENGTH_MAX = 120;
const CONTAINERS_MAX = 4;
const TEST_IDS = ["data-test-id", "data-test", "data-cy", "data-qa", "data-pw"];
/** A text that another run shows otherwise makes a locator this much less stable. */
const VOLATILE = 40;

interface Candidate {
  kind: LocatorKind;
  parts: LocatorPart[];
  stability: number;
}

/** Returns the element's locators, the best first. There is none in a closed shadow root. */
export function rankedLocators(
  el: Element,
  search: Search,
  { most, stability = 0, strong }: LocatorOptions,
): RankedLocator[] {
  if (!isReachable(el)) return [];
  const found: RankedLocator[] = [];
  const candidates = [...ownCandidates(el, search)].sort((a, b) => b.stability - a.stability);
  const room = () => found.length < most;
  const isEnough = () => !room() || (strong !== undefined && (found[0]?.stability ?? 0) >= strong);
  for (const candidate of candidates) {
    if (!room() || candidate.stability < stability) break;
    // Beside a strong locator, only one that goes by something else is of use.
    if (isEnough() && !INDEPENDENT.has(candidate.kind)) continue;
    if (search.isOnly(candidate.parts, el)) found.push(ranked(candidate));
  }
  if (!isEnough()) found.push(...scoped(el, search, stability, most - found.length));
  if (!isEnough() && stability <= CSS_STABILITY) {
    const parts = cssPath(el, search);
    const isNew = !found.some(({ css }) => css !== undefined && css === cssAlone(parts ?? []));
    if (parts !== undefined && isNew) found.push(ranked({ kind: "css", parts, stability: CSS_STABILITY }));
  }
  return found.sort((a, b) => b.stability - a.stability);
}

const CSS_STABILITY = 20;
/** These go by something else than the element's words. */
const INDEPENDENT: ReadonlySet<LocatorKind> = new Set(["test id", "placeholder", "id", "attribute"]);

function ranked(candidate: Candidate): RankedLocator {
  const css = cssAlone(candidate.parts);
  return css === undefined ? candidate : { ...candidate, css };
}

/** Returns a locator as one CSS selector, if it can be written so. */
function cssAlone([part, ...more]: readonly LocatorPart[]): string | undefined {
  if (part === undefined || more.length > 0 || part.by === "role") return undefined;
  return part.by === "label" || part.by === "text" ? undefined : cssOf(part);
}

function* ownCandidates(el: Element, search: Search): Generator<Candidate> {
  const testId = attr(el, "data-testid");
  if (testId && !isMadeUp(testId))
    yield { kind: "test id", parts: [{ by: "testId", value: testId }], stability: 95 };
  for (const name of TEST_IDS) {
    const value = attr(el, name);
    if (value && !isMadeUp(value)) yield cssCandidate("test id", attributeCss(name, value), 94);
  }
  yield* byRole(el, search);
  for (const value of new Set(labelTexts(el, search.survey))) yield* byText("label", "label", value, 85);
  yield* byText("placeholder", "placeholder", attr(el, "placeholder"), 80);
  yield* byText("alt text", "alt", attr(el, "alt"), 76);
  yield* byText("title", "title", attr(el, "title"), 74);
  if (queriedRole(el) === undefined || READ.has(queriedRole(el) ?? ""))
    yield* byText("text", "text", shortText(el), 70);
  yield* byAttributes(el);
}

/** These roles are read, not operated. Their text is what a person looks for. */
const READ = new Set([
  "paragraph",
  "listitem",
  "cell",
  "status",
  "alert",
  "strong",
  "emphasis",
  "caption",
  "term",
]);

function* byRole(el: Element, search: Search): Generator<Candidate> {
  const role = queriedRole(el);
  if (role === undefined || !isQueried(el)) return;
  const name = search.nameOf(el, role);
  if (name !== "" && name.length <= NAME_LENGTH_MAX)
    yield { kind: "role and name", parts: [{ by: "role", role, name }], stability: 90 - malus(name) };
  yield { kind: "role", parts: [{ by: "role", role }], stability: 45 };
}

function* byText(
  kind: LocatorKind,
  by: "label" | "placeholder" | "alt" | "title" | "text",
  value: string | null | undefined,
  stability: number,
): Generator<Candidate> {
  if (!value || value.trim() === "" || value.length > NAME_LENGTH_MAX) return;
  yield { kind, parts: [{ by, value }], stability: stability - malus(value) };
}

function malus(text: string): number {
  return isVolatile(text) ? VOLATILE : /\d/.test(text) ? 5 : 0;
}

function shortText(el: Element): string | undefined {
  const text = plainText(el);
  return text.length <= NAME_LENGTH_MAX ? text : undefined;
}

function* byAttributes(el: Element): Generator<Candidate> {
  const tag = tagOf(el);
  const id = attr(el, "id");
  if (id && !isGenerated(id)) yield cssCandidate("id", `#${CSS.escape(id)}`, 60);
  if (!/^[a-z][a-z0-9-]*$/.test(tag)) return;
  const name = attr(el, "name");
  if (name && !isGenerated(name)) {
    const value = attr(el, "value");
    const isChoice = tag === "input" && /^(?:radio|checkbox)$/i.test(attr(el, "type") ?? "");
    const own = `${tag}${attributeCss("name", name)}`;
    yield cssCandidate("attribute", own, 58);
    if (isChoice && value && value.length <= 40)
      yield cssCandidate("attribute", own + attributeCss("value", value), 57);
  }
  const href = tag === "a" ? attr(el, "href") : null;
  if (href && href.length <= 100 && !/^(?:#|javascript:)/i.test(href) && !/[?]|\d{4}/.test(href))
    yield cssCandidate("attribute", `a${attributeCss("href", href)}`, 55);
}

function cssCandidate(kind: LocatorKind, value: string, stability: number): Candidate {
  return { kind, parts: [{ by: "css", value }], stability };
}

/** The element by its role, label or text in a container that a locator finds alone. */
function* scoped(el: Element, search: Search, least: number, most: number): Generator<RankedLocator> {
  const inner = innerParts(el, search);
  let count = 0;
  let tried = 0;
  for (const { part, element, stability } of inner.length === 0 ? [] : containersOf(el, search)) {
    if (count >= most || ++tried > CONTAINERS_MAX) return;
    if (stability < least) continue;
    const own = inner.find((each) => search.isOnlyIn(each, el, element));
    if (own === undefined) continue;
    count += 1;
    yield { kind: "role in container", parts: [part, own], stability };
  }
}

function innerParts(el: Element, search: Search): LocatorPart[] {
  const role = queriedRole(el);
  const testId = attr(el, "data-testid");
  const placeholder = attr(el, "placeholder");
  const parts: LocatorPart[] = [];
  if (testId && !isMadeUp(testId)) parts.push({ by: "testId", value: testId });
  if (role !== undefined && isQueried(el)) {
    const name = search.nameOf(el, role);
    if (name !== "" && name.length <= NAME_LENGTH_MAX) parts.push({ by: "role", role, name });
    parts.push({ by: "role", role });
  }
  if (placeholder) parts.push({ by: "placeholder", value: placeholder });
  const text = role === undefined ? shortText(el) : undefined;
  if (text) parts.push({ by: "text", value: text });
  return parts;
}
