// Describes an element that an action is about to meet, for the record of the session's steps.

import { visiblePlace } from "../actions/ready.ts";
import type { ActedOn, Described, ExpectedText, StepFacts } from "../api/bridge-api.ts";
import { takesSecret } from "../aria/secret-field.ts";
import { focusedElement } from "../dom/dom.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { rankedLocators } from "../locators/rank.ts";
import { describe } from "../tree/describe.ts";
import { createCountedSearch } from "./counted-search.ts";
import { isRepeatable } from "./is-repeatable.ts";

const LOCATORS_MAX = 2;
/** A weaker locator gets another one by the element's place. */
const STRONG = 65;

/**
 * Returns the facts of a ref's element; without a ref, of the focused one. Undefined if there is none. `known`: the
 * element as it was just described.
 */
export function stepFacts(
  context: PageContext,
  ref: string | undefined,
  expected: readonly ExpectedText[],
  known?: Described,
): StepFacts | undefined {
  const target = ref === undefined ? undefined : targetOf(context, ref);
  const el = target === undefined ? focusedElement() : target.state === "present" ? target.element : null;
  if (el === null) return undefined;
  return { on: actedOn(el, context, known), repeatable: isRepeatable(context, expected) };
}

function actedOn(el: Element, context: PageContext, known: Described | undefined): ActedOn {
  const survey = context.survey();
  return {
    element: known ?? describe(el, context, survey),
    locators: rankedLocators(el, createCountedSearch(context, survey), {
      most: LOCATORS_MAX,
      strong: STRONG,
    }),
    secret: takesSecret(el, survey),
    labelled: visiblePlace(el, context) !== el,
  };
}
