// Lists the fields for secrets that hold a text, so that evidence can leave it out of a reply.

import type { SecretField } from "../api/tree-api.ts";
import { takesSecret } from "../aria/secret-field.ts";
import { inputValueOf } from "../aria/value.ts";
import { queryAll } from "../dom/dom.ts";
import { inlined } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import { identify } from "../tree/describe.ts";
import type { PageContext } from "./page-context.ts";

/** A page has fewer fields with a text, unless it means to be slow. */
const FIELDS_MAX = 1_000;

export function secretFields(context: PageContext): SecretField[] {
  const survey = context.survey();
  return [document, ...context.shadowRoots()]
    .flatMap((root) => [...queryAll(root, "input")])
    .filter((el) => inputValueOf(el as HTMLInputElement) !== "")
    .slice(0, FIELDS_MAX)
    .filter((el) => takesSecret(el, survey))
    .map((el) => {
      const number = context.refs.known(el);
      const { name } = identify(el, survey);
      const value = inlined(inputValueOf(el as HTMLInputElement));
      return { ref: number === undefined ? "" : refText(number), name, value };
    });
}
