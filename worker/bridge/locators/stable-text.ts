// Decides which ids, classes and texts are likely the same in the next run. It is pure.

/** Ids that frameworks count or make up: `:r1:`, `radix-7`, `mui-1234`, `css-1x2y3z`, a UUID. */
export function isGenerated(id: string): boolean {
  if (id.length > 60 || /[:«»\s]/.test(id)) return true;
  if (isCode(id)) return true;
  const parts = partsOf(id);
  // Single letters among others count up: `_r_l_`.
  return /\d/.test(id) || !parts.every(isWord) || (parts.length > 1 && parts.some((part) => part.length < 2));
}

/** A test id is written by a person, so it may have numbers. It is refused only if it looks made up. */
export function isMadeUp(testId: string): boolean {
  return testId.length > 80 || isCode(testId);
}

/**
 * A class that says what an element is, such as `price`, `card-title` or `card__title`. Styles that a tool has named are
 * refused.
 */
export function isStableClass(name: string): boolean {
  return (
    name.length <= 40 &&
    /^[a-z][a-z-]*(?:__[a-z][a-z-]*)?$/.test(name) &&
    partsOf(name).every(isWord) &&
    !STATES.test(name)
  );
}

/** Texts that another run shows otherwise: times, dates, ages, long numbers, made-up ids. */
export function isVolatile(text: string): boolean {
  return (
    /\d{1,2}:\d{2}|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{5,}/.test(text) ||
    /\b(?:just now|ago|yesterday|today|tomorrow|seconds?|minutes?|[ap]\.?m\.?)\b/i.test(text) ||
    /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\d\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(
      text,
    ) ||
    text.split(/[^\w-]+/).some((word) => word.length >= 6 && isCode(word))
  );
}

/** Texts of which another run shows other words, not only other numbers. */
export function changesByItself(text: string): boolean {
  return (
    /\b(?:just now|ago|yesterday|today|tomorrow|[ap]\.?m\.?)\b/i.test(text) ||
    MONTHS_AND_DAYS.test(text) ||
    text.split(/[^\w-]+/).some((word) => word.length >= 6 && isCode(word) && !/^\d+$/.test(word))
  );
}

const MONTHS_AND_DAYS =
  /\b(?:(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d+\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )/i;

/** States that come and go are no identity. */
const STATES =
  /(?:^|[-_])(?:active|hover|focus|focused|selected|disabled|open|opened|closed|show|shown|hidden|visible|loading|current|checked|enter|leave|first|last|odd|even)(?:[-_]|$)/;

/** Hexadecimal or mixed codes: letters and digits that change places more than once. */
function isCode(text: string): boolean {
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(text)) return true;
  return text.split(/[-_./ ]+/).some((part) => {
    if (/^\d{6,}$/.test(part)) return true;
    if (part.length < 5 || !/\d/.test(part) || !/[a-z]/i.test(part)) return false;
    return (part.match(/\d+|[a-z]+/gi) ?? []).length > 2;
  });
}

function partsOf(id: string): string[] {
  return id.split(/[-_./]+|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== "");
}

const SHORT = new Set([
  "btn",
  "nav",
  "hdr",
  "img",
  "txt",
  "tbl",
  "th",
  "td",
  "tr",
  "li",
  "ul",
  "pwd",
  "str",
  "msg",
]);

// A word has a vowel for every few consonants. Random letters do not.
function isWord(part: string): boolean {
  const lower = part.toLowerCase();
  if (SHORT.has(lower)) return true;
  if (!/^[a-z]{1,24}$/.test(lower)) return /^[^\d\s:]+$/u.test(part) && /[^\u0000-\u007f]/u.test(part);
  return (
    lower.length <= 2 ||
    (/[aeiouy]/.test(lower) && !/[^aeiouy]{5,}/.test(lower) && !/[a-z][A-Z]{2,}[a-z]/.test(part))
  );
}
