// Decides if a document is without scripts: nothing happens in it after its arrival that Chrome does not report.
import { countElements, queryFirst, rootElementOf } from "../dom/dom.ts";
import { anyHandler } from "../dom/xpath.ts";

/** With one of these, a script of the document or of one inside it may change the document. */
const SCRIPTED = "script, iframe, frame, object, embed";

/** A larger document takes longer to search than to wait for. */
const ELEMENTS_MAX = 2_000;

/** Reports if the document holds no script now, and no other document can reach it. */
export function isScriptless(): boolean {
  const root = rootElementOf(document);
  const isAlone = window.top === window && window.opener === null;
  if (!isAlone || countElements([]) > ELEMENTS_MAX) return false;
  return root === null || (queryFirst(root, SCRIPTED) === null && !anyHandler());
}
