// Hides elements while a picture is taken as evidence: fields for secrets, and what the operator's selectors match. The
// page's layout stays, and so does its tree.
import type { Bridge } from "../api/bridge-api.ts";
import { takesSecret } from "../aria/secret-field.ts";
import { queryAll } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { AddedSheet } from "./added-sheet.ts";
import { Hiding, isHiddenBy, MASK } from "./hiding.ts";

/** More elements are not checked one by one. */
const CHECKED_MAX = 2_000;
const FIELDS = "input, textarea";

export function createMasks(context: PageContext): Pick<Bridge, "mask" | "unmask"> {
  let sheet: AddedSheet | undefined;
  const hiding = new Hiding(MASK);
  const unmask = () => {
    sheet?.remove();
    sheet = undefined;
    hiding.undo();
  };
  return {
    unmask,
    mask(selectors) {
      unmask();
      // All shadow roots are known only once all is read.
      context.current.finish();
      const all = [document, ...context.shadowRoots()];
      const matched: Element[] = [];
      for (const selector of selectors) {
        try {
          for (const root of all) matched.push(...root.querySelectorAll(selector));
        } catch {
          return `the selector ${selector} cannot be read`;
        }
      }
      const survey = context.survey();
      // Chrome itself draws no text of a password field.
      const fields = all
        .flatMap((root) => [...queryAll(root, FIELDS)])
        .filter((el) => (el as HTMLInputElement).type !== "password" && takesSecret(el, survey));
      if (matched.length > 0) {
        const rules = selectors.map((each) => `${each} { ${MASK.name}: ${MASK.value} !important }`);
        const roots = all.filter((root) => matched.some((el) => el.getRootNode() === root));
        sheet = new AddedSheet(rules.join("\n"), roots);
      }
      hiding.hide(fields);
      const hidden = [...matched, ...fields];
      const isWhole = hidden.length <= CHECKED_MAX && hidden.every((el) => isHiddenBy(el, MASK));
      return isWhole ? "" : "the page shows what is to be masked";
    },
  };
}
