// Decides how far a style rule reaches. Can a change of one element change, by style alone, how another one is shown?
// A selector of tags, classes, ids, attributes, descendants and children concerns only an element and its ancestors. A
// pass that reads everything inside a changed element misses nothing then. `.a + .b`, `:hover`, `:nth-child()` reach
// wider. Their matches are compared with those from before.

import { relevantValues } from "./relevant-properties.ts";

/** Lists what a sheet could change without a mutation record. */
export interface Reach {
  /** These selectors of relevant rules reach beyond the inside of a changed element. */
  wide: string[];
  /** These are the media conditions of relevant rules. */
  media: string[];
  /** The sheet holds something that the bridge cannot follow. */
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
  // Any rule may set a variable.
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

/** Elements begin or cease to match these with a mutation of their own. An upgrade to `:defined` has no record. */
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
  ].concat(["link", "any-link", "selection", "backdrop", "file-selector-button"]),
);

function isWide(selector: string): boolean {
  const bare = selector.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\\./g, "");
  if (/[+~]/.test(bare)) return true;
  for (const [, name = ""] of bare.matchAll(/::?([\w-]+)/g)) {
    if (!LOCAL.has(name) && !name.startsWith("-webkit-")) return true;
  }
  return false;
}

// A pseudo-element is replaced by its element. Elements of other trees cannot be queried from here.
function plainSelector(selector: string): string | undefined {
  if (/:host\b|:host-context|::slotted|::part/.test(selector)) return undefined;
  const plain = selector
    .replace(/::?(?:before|after)\b|::[\w-]+/gi, "")
    .replace(/(^|[\s>+~,(])(?=[,)]|$)/g, "$1*");
  try {
    new DocumentFragment().querySelector(plain);
    return plain;
  } catch {
    return undefined; // SyntaxError: only a sheet can hold such a selector.
  }
}
