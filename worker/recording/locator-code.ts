// Writes locators as code: for Playwright and for Testing Library. Words of the page stand in string literals, with
// nothing hidden in them.
import { quote } from "../../proto/text/quote.ts";
import type { LocatorPart } from "../bridge/api/bridge-api.ts";

/** The longest text of the page in a locator. The bridge gives none that is longer. */
const LITERAL_MAX = 4_000;

/** A locator in a page: the iframes that lead to the element, outermost first, and the parts in its document. */
export interface PageLocator {
  frames: readonly string[];
  parts: readonly LocatorPart[];
}

/** Returns Playwright code. `page`: the variable of the page. */
export function playwrightCode({ frames, parts }: PageLocator, page = "page"): string {
  const around = frames.map((css) => `.frameLocator(${literal(css)})`);
  return [page, ...around, ...parts.map(playwrightPart)].join("");
}

/** Returns code of Testing Library. It reaches neither frames nor shadow roots. */
export function testingLibraryCode(parts: readonly LocatorPart[]): string {
  return parts.reduce((scope, part) => testingLibraryPart(part, scope), "");
}

/** Writes a JavaScript string. */
export function literal(text: string): string {
  return quote(text, LITERAL_MAX);
}

function playwrightPart(part: LocatorPart): string {
  switch (part.by) {
    case "role": {
      const { role, name, hasText } = part;
      const options = name === undefined ? "" : `, { name: ${literal(name)}, exact: true }`;
      const filter = hasText === undefined ? "" : `.filter({ hasText: ${literal(hasText)} })`;
      return `.getByRole(${literal(role)}${options})${filter}`;
    }
    case "testId":
      return `.getByTestId(${literal(part.value)})`;
    case "css":
      return `.locator(${literal(part.value)})`;
    default:
      return `.${PLAYWRIGHT[part.by]}(${literal(part.value)}, { exact: true })`;
  }
}

const PLAYWRIGHT = {
  label: "getByLabel",
  placeholder: "getByPlaceholder",
  alt: "getByAltText",
  title: "getByTitle",
  text: "getByText",
} as const;

const TESTING_LIBRARY = {
  testId: "getByTestId",
  label: "getByLabelText",
  placeholder: "getByPlaceholderText",
  alt: "getByAltText",
  title: "getByTitle",
  text: "getByText",
} as const;

/** `scope`: the code of the element to look in, or nothing for the whole screen. */
function testingLibraryPart(part: LocatorPart, scope: string): string {
  const from = scope === "" ? "screen" : `within(${scope})`;
  switch (part.by) {
    case "role": {
      const { role, name, hasText } = part;
      if (hasText !== undefined)
        return `${from}.getAllByRole(${literal(role)}).find((each) => each.textContent?.includes(${literal(hasText)}))!`;
      return `${from}.getByRole(${literal(role)}${name === undefined ? "" : `, { name: ${literal(name)} }`})`;
    }
    case "css":
      return `${scope === "" ? "document" : scope}.querySelector(${literal(part.value)})!`;
    default:
      return `${from}.${TESTING_LIBRARY[part.by]}(${literal(part.value)})`;
  }
}
