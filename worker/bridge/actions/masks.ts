// Hides elements while a picture is taken as evidence: fields for secrets, and what the operator's selectors match. The
// page's layout stays, and so does its tree.
import type { Bridge } from "../api/bridge-api.ts";
import { takesSecret } from "../aria/secret-field.ts";
import { queryAll, styleOf } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";

/** No transition shows it step by step, and no line of the tree depends on it. */
const PROPERTY = "mask-image";
const NOTHING = "linear-gradient(transparent, transparent)";
/** More elements are not checked one by one. */
const CHECKED_MAX = 2_000;
const FIELDS = "input, textarea";

interface Styled {
  el: HTMLElement;
  value: string;
  priority: string;
}

export function createMasks(context: PageContext): Pick<Bridge, "mask" | "unmask"> {
  let sheet: CSSStyleSheet | undefined;
  let roots: (Document | ShadowRoot)[] = [];
  let styled: Styled[] = [];
  const unmask = () => {
    for (const root of roots)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
    for (const { el, value, priority } of styled) el.style.setProperty(PROPERTY, value, priority);
    for (const { el } of styled) if (el.getAttribute("style") === "") el.removeAttribute("style");
    sheet = undefined;
    roots = [];
    styled = [];
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
        sheet = new CSSStyleSheet();
        sheet.replaceSync(
          selectors.map((each) => `${each} { ${PROPERTY}: ${NOTHING} !important }`).join("\n"),
        );
        const hiding = sheet;
        roots = all.filter((root) => matched.some((el) => el.getRootNode() === root));
        for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, hiding];
      }
      for (const el of fields as HTMLElement[]) {
        const { style } = el;
        styled.push({
          el,
          value: style.getPropertyValue(PROPERTY),
          priority: style.getPropertyPriority(PROPERTY),
        });
        style.setProperty(PROPERTY, NOTHING, "important");
      }
      const hidden = [...matched, ...fields];
      const isHidden = (el: Element) => styleOf(el).getPropertyValue(PROPERTY).startsWith("linear-gradient");
      const isWhole = hidden.length <= CHECKED_MAX && hidden.every(isHidden);
      return isWhole ? "" : "the page shows what is to be masked";
    },
  };
}
