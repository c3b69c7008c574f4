// Decides if a document is without scripts: nothing happens in it after its arrival that Chrome does not report.
import { queryFirst, rootElementOf } from "../dom/dom.ts";
import { anyHandler } from "../dom/xpath.ts";

/** With one of these, a script of the document or of one inside it may change the document. */
const SCRIPTED = "script, iframe, frame, object, embed";

/** Reports if the document holds no script, and no other document can reach it. */
export function isScriptless(): boolean {
  const root = rootElementOf(document);
  const isAlone = window.top === window && window.opener === null;
  return isAlone && (root === null || (queryFirst(root, SCRIPTED) === null && !anyHandler()));
}
