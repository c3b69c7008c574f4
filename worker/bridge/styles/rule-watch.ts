// What a sheet said when it was read, to tell whether it says it still. Neither a mutation nor an event tells of a rule
// that is edited, and the browser's counter of styles moves with any change: so what matters is compared.

import { isSameList } from "../dom/is-same-list.ts";
import { relevantValues, stillSays } from "./relevant-properties.ts";

export interface RuleWatch {
  /** Remembers a list of rules. */
  list(rules: CSSRuleList): void;
  /** Remembers a condition. */
  media(media: MediaList): void;
  /** Remembers what a rule declares, and for what. */
  style(style: CSSStyleDeclaration, rule: CSSRule): void;
  /** Whether all of it is as it was. */
  isSame(): boolean;
}

interface StyleState {
  style: CSSStyleDeclaration;
  rule: CSSRule;
  /** What it says; of one that says nothing that matters, which properties it sets: most rules are such. */
  said: { selector: string; values: readonly string[] } | { properties: readonly string[] };
}

export function createRuleWatch(): RuleWatch {
  const empty: CSSRuleList[] = [];
  const lists: { rules: CSSRuleList; members: readonly CSSRule[] }[] = [];
  const conditions: { media: MediaList; text: string }[] = [];
  const styles: StyleState[] = [];
  return {
    list(rules) {
      // Each style rule may hold others, hardly any does.
      if (rules.length === 0) empty.push(rules);
      else lists.push({ rules, members: [...rules] });
    },
    media: (media) => void conditions.push({ media, text: media.mediaText }),
    style(style, rule) {
      const values = relevantValues(style);
      styles.push({
        style,
        rule,
        said: values ? { selector: selectorOf(rule), values } : { properties: [...style] },
      });
    },
    isSame: () =>
      empty.every((rules) => rules.length === 0) &&
      lists.every(({ rules, members }) => isSameList(rules, members)) &&
      conditions.every(({ media, text }) => media.mediaText === text) &&
      styles.every(({ style, rule, said }) =>
        // Asking for each property by its name costs twice as much.
        "properties" in said
          ? isSameList(style, said.properties)
          : stillSays(style, said.values) && selectorOf(rule) === said.selector,
      ),
  };
}

function selectorOf(rule: CSSRule): string {
  return rule instanceof CSSStyleRule ? rule.selectorText : "";
}
