// Names siblings without refs, so that a reader of the list finds exactly the one that is meant.

import { quoted, shortened } from "../dom/quote.ts";
import type { Node } from "../tree/item.ts";
import { hasWords, leadingWords, wordsIn } from "./distinct-words.ts";

/**
 * `words` are those on its line, or else the first below it that no like sibling has. `nth` counts from 1 among several
 * siblings that fit the words.
 */
export interface SiblingName {
  words: string;
  nth: number;
}

export interface SiblingNames {
  nameOf(at: number): SiblingName;
  /** Returns the indices of the siblings with this role and these first words. */
  like(role: string, words: string): readonly number[];
  count(role: string): number;
  /** Reports if only one sibling, with or without a ref, has these words on its own line. */
  areAlone(words: string): boolean;
}

const WORDS_MAX = 60;
/** At most this many siblings are searched for words that only one of them has. */
const LOOKS_MAX = 20_000;

export const briefly = (text: string) => shortened(text, WORDS_MAX);

export const roleOf = (node: Node) =>
  node.kind === "element" ? node.role : node.kind === "fold" ? "…" : "text";
export const refOf = (node: Node) => (node.kind === "words" ? 0 : node.ref);

/** Writes the name as a delta has it: `2nd row "Ada"`. */
export function siblingNameText(role: string, { words, nth }: SiblingName): string {
  return `${nth === 0 ? "" : `${ordinal(nth)} `}${role}${words === "" ? "" : ` ${quoted(words)}`}`;
}

/** Has the siblings of one role without a ref, by the words that find them. */
interface Kin {
  /** Named siblings are found by their names, and nameless ones by their first words. */
  named: Map<string, number[]>;
  led: Map<string, number[]>;
  nameless: number[];
}

/** For this many questions, the list is searched each time. That costs less than an index. */
const SCANS_MAX = 6;
const NONE: readonly number[] = [];

/** The content of siblings is searched only if their first words are the same. */
export function siblingNames(siblings: readonly Node[]): SiblingNames {
  let kin: Map<string, Kin> | undefined;
  let scans = SCANS_MAX;
  const like = (role: string, words: string): readonly number[] => {
    if (kin === undefined && scans-- > 0) return alikeIn(siblings, role, words);
    kin ??= kinOf(siblings);
    const alike = kin.get(role);
    return (words === "" ? alike?.nameless : (alike?.named.get(words) ?? alike?.led.get(words))) ?? NONE;
  };
  let looks = LOOKS_MAX;
  /** Returns the first words inside the sibling that no other of its role has. */
  const wordsInside = (at: number, role: string): string | undefined => {
    for (const each of wordsIn(siblings[at] as Node)) {
      const words = briefly(each);
      if (words === "" || like(role, words).length > 0) continue;
      const isThem = (other: string) => briefly(other) === words;
      const isElsewhere = (other: Node, index: number) =>
        index !== at &&
        refOf(other) === 0 &&
        roleOf(other) === role &&
        looks-- > 0 &&
        hasWords(other, isThem);
      if (!siblings.some(isElsewhere) && looks > 0) return words;
    }
    return undefined;
  };
  let counts: Map<string, number> | undefined;
  return {
    like,
    count: (role) =>
      siblings.reduce((sum, node) => (refOf(node) === 0 && roleOf(node) === role ? sum + 1 : sum), 0),
    areAlone(words) {
      counts ??= leadCounts(siblings);
      return counts.get(briefly(words)) === 1;
    },
    nameOf(at) {
      const node = siblings[at] as Node;
      const role = roleOf(node);
      const lead = briefly(leadingWords(node));
      const fits = like(role, lead);
      const isFound = fits.includes(at);
      if (isFound && fits.length === 1) return { words: lead, nth: 0 };
      const words = wordsInside(at, role);
      if (words !== undefined) return { words, nth: 0 };
      return isFound
        ? { words: lead, nth: fits.indexOf(at) + 1 }
        : { words: "", nth: like(role, "").indexOf(at) + 1 };
    },
  };
}

function alikeIn(siblings: readonly Node[], role: string, words: string): number[] {
  const named: number[] = [];
  const others: number[] = [];
  for (let at = 0; at < siblings.length; at++) {
    const node = siblings[at] as Node;
    if (refOf(node) !== 0 || roleOf(node) !== role) continue;
    if (node.kind === "element" && node.name !== "") {
      if (words !== "" && briefly(node.name) === words) named.push(at);
    } else if (words === "" || briefly(leadingWords(node)) === words) others.push(at);
  }
  return named.length > 0 ? named : others;
}

function kinOf(siblings: readonly Node[]): Map<string, Kin> {
  const kin = new Map<string, Kin>();
  for (let at = 0; at < siblings.length; at++) {
    const node = siblings[at] as Node;
    if (refOf(node) !== 0) continue;
    const role = roleOf(node);
    let alike = kin.get(role);
    if (alike === undefined) {
      alike = { named: new Map(), led: new Map(), nameless: [] };
      kin.set(role, alike);
    }
    const isNamed = node.kind === "element" && node.name !== "";
    if (!isNamed) alike.nameless.push(at);
    const into = isNamed ? alike.named : alike.led;
    const lead = briefly(leadingWords(node));
    const known = into.get(lead);
    if (known === undefined) into.set(lead, [at]);
    else known.push(at);
  }
  return kin;
}

function leadCounts(siblings: readonly Node[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of siblings) {
    const lead = briefly(leadingWords(node));
    counts.set(lead, (counts.get(lead) ?? 0) + 1);
  }
  return counts;
}

function ordinal(nth: number): string {
  const tens = nth % 100;
  const ending = tens > 10 && tens < 20 ? "th" : (["th", "st", "nd", "rd"][nth % 10] ?? "th");
  return `${nth}${ending}`;
}
