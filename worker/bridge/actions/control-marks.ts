// Puts listeners on native controls for a moment. Chrome lists the listeners of all worlds, so its answer shows which
// elements are controls.

import type { Bridge } from "../api/bridge-api.ts";
import { queryAll } from "../dom/dom.ts";
import { listen, stopListening } from "../dom/listen.ts";

/** These have a ref and are pressed as a whole, whatever listens on them. */
const NATIVE = "a[href], area[href], button, input, select, textarea, summary";

export function createControlMarks(): Pick<Bridge, "markControls" | "unmarkControls"> {
  let marked: Iterable<Element> = [];
  let kind = "";
  const unmarkControls = () => {
    for (const el of marked) stopListening(el, kind, ignore);
    marked = [];
  };
  return {
    markControls(asked) {
      unmarkControls();
      kind = asked;
      marked = queryAll(document, NATIVE);
      for (const el of marked) listen(el, kind, ignore, { passive: true });
    },
    unmarkControls,
  };
}

function ignore(): void {}
