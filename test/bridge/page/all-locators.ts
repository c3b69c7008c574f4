// Runs in a page of Playwright. It asks for the locators of every element with a ref. The test compares
// the elements with those that Playwright finds.

import type { RankedLocator } from "../../../worker/bridge/api/bridge-api.ts";
import { createContext } from "../../../worker/bridge/incremental/page-context.ts";
import { rankedLocators } from "../../../worker/bridge/locators/rank.ts";
import { createSearch } from "../../../worker/bridge/locators/search.ts";
import { describe } from "../../../worker/bridge/tree/describe.ts";

interface Asked {
  name: string;
  locators: RankedLocator[];
}

const elements: Element[] = [];

/** Returns the locators of each element that the page's tree gives a ref. */
export function allLocators(): Asked[] {
  const context = createContext();
  context.update(true);
  const survey = context.survey();
  const search = createSearch(survey);
  return context.refs.living().map(({ element }) => {
    elements.push(element);
    const { role, name, tag } = describe(element, context, survey);
    return {
      name: `${role} ${JSON.stringify(name)} <${tag}>`,
      locators: rankedLocators(element, search, { most: 20 }),
    };
  });
}

/** Reports if these are the one element of that number. */
export function isOnly(found: readonly Element[], index: number): boolean {
  return found.length === 1 && found[0] === elements[index];
}

Object.assign(globalThis, { allLocators, isOnly });
