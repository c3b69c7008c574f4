// Answers which locators find a ref's element.

import { visiblePlace } from "../actions/ready.ts";
import type { LocatorOptions, LocatorsFound } from "../api/bridge-api.ts";
import { takesSecret } from "../aria/secret-field.ts";
import { rootOf } from "../dom/dom.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { rankedLocators } from "../locators/rank.ts";
import { createSearch, isReachable } from "../locators/search.ts";
import { describe } from "../tree/describe.ts";

export function locators(context: PageContext, ref: string, options: LocatorOptions): LocatorsFound {
  const target = targetOf(context, ref);
  if (target.state !== "present") return target;
  const { element } = target;
  const survey = context.survey();
  return {
    state: "found",
    element: describe(element, context, survey),
    locators: rankedLocators(element, createSearch(survey), options),
    secret: takesSecret(element, survey),
    closed: !isReachable(element),
    labelled: visiblePlace(element, context) !== element,
    shadowed: rootOf(element) !== document,
  };
}
