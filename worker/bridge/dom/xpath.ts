// Questions that one XPath answers, without a script's walk over the nodes.
import { evaluate } from "./dom.ts";

const HANDLERS = '//@*[starts-with(name(), "on")]';
const OWN_TEXT = "text()[normalize-space()]";

/** Reports if an element of the document has an attribute that handles an event. */
export function anyHandler(): boolean {
  return leadsAnywhere(HANDLERS, document);
}

/** Reports if text, other than white space, stands between the children of an element of this document. */
export function hasOwnText(el: Element): boolean {
  return leadsAnywhere(OWN_TEXT, el);
}

function leadsAnywhere(path: string, from: Node): boolean {
  return evaluate(document, path, from, null, XPathResult.BOOLEAN_TYPE).booleanValue;
}
