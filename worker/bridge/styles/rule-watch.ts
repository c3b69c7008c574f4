// Keeps what a sheet said when it was read, and finds out if it still says the same. No mutation record and no event
// reports an edited rule, and the browser's style counter moves with any change. So the relevant parts are compared.

import { isSameList } from "../dom/is-same-list.ts";
import { relevantValues, stillSays } from "./relevant-properties.ts";

export interface RuleWatch {
  /** Remembers a list of rules. */
  list(rules: CSSRuleList): void;
  /** Remembers a condition. */
  media(media: MediaList): void;
  /** Remembers what a rule declares, and its selector. */
  style(style: CSSStyleDeclaration, rule: CSSRule): void;
  isSame(): boolean;
}

interface StyleState {
  style: CSSStyleDeclaration;
  rule: CSSRule;
  /**
   * A rule with relevant properties keeps their values. Most rules have none: these keep the names of the properties
   * that they set.
   */
  said: { selector: string; values: readonly string[] } | { properties: readonly string[] };
}

export function createRuleWatch(): RuleWatch {
  const empty: CSSRuleList[] = [];
  const lists: { rules: CSSRuleList; members: readonly CSSRule[] }[] = [];
  const conditions: { media: MediaList; text: string }[] = [];
  const styles: StyleState[] = [];
  return {
    list(rules) {
      // Each style rule may hold others, but hardly any does.
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
        // A question for each property by its name costs twice as much.
        "properties" in said
          ? isSameList(style, said.properties)
          : stillSays(style, said.values) && selectorOf(rule) === said.selector,
      ),
  };
}

function selectorOf(rule: CSSRule): string {
  return rule instanceof CSSStyleRule ? rule.selectorText : "";
}
