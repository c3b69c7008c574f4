// How far a style rule reaches: whether a change of one element can, by style alone, change how another one is shown.
//
// A selector of tags, classes, ids, attributes, descendants and children only speaks of an element and those around
// it: whoever looks again at all that is inside a changed element misses nothing. `.a + .b`, `:hover`, `:nth-child()`
// reach wider; what those match is compared with what they matched before.

import { relevantValues } from "./relevant-properties.ts";

/** What a sheet could change in ways that no mutation tells. */
export interface Reach {
  /** Selectors of rules that matter and reach beyond what is inside a changed element. */
  wide: string[];
  /** Media conditions of rules that matter. */
  media: string[];
  /** It holds something that nothing here can follow. */
  unknown: boolean;
}

const WIDE_MAX = 100;

/** Notes a rule with these declarations. */
export function noteReach(
  reach: Reach,
  style: CSSStyleDeclaration,
  selector: string,
  media: readonly string[],
): void {
  if (reach.unknown) return;
  const values = relevantValues(style);
  if (values === undefined) return;
  // A variable may be set by any rule.
  if (values.some((value) => value.includes("var("))) reach.unknown = true;
  reach.media.push(...media);
  if (!isWide(selector)) return;
  const plain = plainSelector(selector);
  if (plain === undefined || reach.wide.length >= WIDE_MAX) reach.unknown = true;
  else reach.wide.push(plain);
}

export function mediaTextOf(media: MediaList): string {
  return media.mediaText;
}

const LOCAL = new Set(
  [
    "root",
    "host",
    "is",
    "where",
    "not",
    "slotted",
    "part",
    "before",
    "after",
    "marker",
    "placeholder",
  ].concat(["link", "any-link", "selection", "defined", "backdrop", "file-selector-button"]),
);

function isWide(selector: string): boolean {
  const bare = selector.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\\./g, "");
  if (/[+~]/.test(bare)) return true;
  for (const [, name = ""] of bare.matchAll(/::?([\w-]+)/g)) {
    if (!LOCAL.has(name) && !name.startsWith("-webkit-")) return true;
  }
  return false;
}

// Pseudo-elements are looked for as what they belong to. Other trees' elements cannot be asked for from here.
function plainSelector(selector: string): string | undefined {
  if (/:host\b|:host-context|::slotted|::part/.test(selector)) return undefined;
  const plain = selector
    .replace(/::?(?:before|after)\b|::[\w-]+/gi, "")
    .replace(/(^|[\s>+~,(])(?=[,)]|$)/g, "$1*");
  try {
    new DocumentFragment().querySelector(plain);
    return plain;
  } catch {
    return undefined; // SyntaxError: a selector that only sheets can hold.
  }
}
