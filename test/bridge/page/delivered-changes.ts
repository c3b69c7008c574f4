// Parses a delta's text into entries, each with the positions and lines that it names.

import { type Line, parse, unquoted } from "./lines.ts";

/** A delta names a line by its ref, or by role and words. It may add a number among several and a line beside it. */
export interface Description {
  text: string;
  ref: string | undefined;
  role: string;
  words: string;
  /** The number among the possible lines, from 1. It is 0 if there is only one. */
  nth: number;
  side?: string | undefined;
  anchor?: Description | undefined;
}

/** The steps go from the inside out. The page has none. */
export interface Place {
  text: string;
  steps: Description[];
}

export type Entry =
  /** `refs` are all refs that are reported as removed. */
  | { kind: "removed"; place: Place; gone: Description[]; refs: string[] }
  | {
      kind: "added";
      place: Place;
      side: "after" | "before" | undefined;
      beside: Description | undefined;
      lines: readonly Line[];
    }
  | { kind: "changed"; place: Place | undefined; was: Description | undefined; lines: readonly Line[] };

export function entriesOf(delta: string): Entry[] {
  const entries: Entry[] = [];
  const lines = delta.split("\n");
  for (let at = 0; at < lines.length; ) {
    const head = lines[at++] as string;
    const block: string[] = [];
    while (lines[at]?.startsWith("  ")) block.push((lines[at++] as string).slice(2));
    entries.push(entryOf(head, block));
  }
  return entries;
}

function entryOf(head: string, block: readonly string[]): Entry {
  if (head.startsWith("~ - ")) {
    const lines = parse([head.slice(2), ...block]).children;
    return { kind: "changed", place: undefined, was: undefined, lines };
  }
  const { bare, strings } = withoutStrings(head);
  const [, place = "", list = ""] = /^removed from (.*?): (.*)$/.exec(bare) ?? [];
  if (place) {
    const refs = list.match(/\b(?:f\d+_)?e\d+\b/g) ?? [];
    return { kind: "removed", place: placeOf(place, strings), gone: goneOf(list, strings), refs };
  }
  const lines = parse(block).children;
  const [, into = "", side, beside] = /^\+ in (.*?)(?: (after|before) (.*))?:$/.exec(bare) ?? [];
  if (into) {
    const neighbour = beside === undefined ? undefined : descriptionOf(beside, strings);
    return {
      kind: "added",
      place: placeOf(into, strings),
      side: side as "after" | "before" | undefined,
      beside: neighbour,
      lines,
    };
  }
  const [, where = "", was] = /^~ in (.*?)(?:, was (.*))?:$/.exec(bare) ?? [];
  if (where === "") throw new Error(`no entry of a delta: ${head}`);
  const what = was === undefined ? undefined : descriptionOf(was, strings);
  return { kind: "changed", place: placeOf(where, strings), was: what, lines };
}

/** Replaces each quoted text by a number for the time being, so that it cannot be taken for anything else. */
function withoutStrings(text: string): { bare: string; strings: string[] } {
  const strings: string[] = [];
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => `"${strings.push(unquoted(string)) - 1}"`);
  return { bare, strings };
}

function placeOf(text: string, strings: readonly string[]): Place {
  if (text === "the page") return { text, steps: [] };
  return { text, steps: text.split(" of ").map((step) => descriptionOf(step, strings)) };
}

const REF = /^(?:f\d+_)?e\d+\b/;

function descriptionOf(text: string, strings: readonly string[]): Description {
  const [, what = "", side, beside] = /^(.*?)(?: (after|before) (.*))?$/.exec(text) ?? [];
  const ref = REF.exec(what)?.[0] ?? /\[ref=([^\]]*)\]/.exec(what)?.[1];
  const [, nth = "0", role = "", words] = /^(?:(\d+)(?:st|nd|rd|th) )?([\w-]+)(?: "(\d+)")?/.exec(what) ?? [];
  return {
    text: text.replace(/"(\d+)"/g, (_, at) => `"${strings[Number(at)]}"`),
    ref,
    role,
    words: words === undefined ? "" : (strings[Number(words)] as string),
    nth: Number(nth),
    ...(beside !== undefined && { side, anchor: descriptionOf(beside, strings) }),
  };
}

/**
 * Splits a list into its parts. Content in parentheses was removed with its part. A part that says nothing else has its
 * first words there.
 */
function goneOf(list: string, strings: readonly string[]): Description[] {
  const parts = [""];
  let depth = 0;
  for (const [part] of list.matchAll(/, |[\s\S]/g)) {
    if (part === "(") depth++;
    if (depth === 0 && part === ", ") parts.push("");
    else parts[parts.length - 1] += part;
    if (part === ")") depth--;
  }
  return parts.map((part) => {
    const [, own = "", inside = ""] = /^(.*?)(?: \((.*)\))?$/.exec(part) ?? [];
    const description = descriptionOf(own, strings);
    const first = /"(\d+)"/.exec(inside)?.[1];
    if (description.words !== "" || first === undefined || description.nth > 0) return description;
    return { ...description, words: strings[Number(first)] as string };
  });
}

/** Reports if the words are those. Long words are cut. */
export function quotes(words: string, whole: string): boolean {
  if (words === whole) return true;
  return words.length > 50 && words.endsWith("…") && whole.startsWith(words.slice(0, -1));
}
