// Puts listeners on native controls for a moment. Chrome lists the listeners of all worlds, so its answer shows which
// elements are controls.

import { queryAll } from "../dom/dom.ts";
import { listen, stopListening } from "../dom/listen.ts";

export interface ControlMarks {
  mark(kind: string): void;
  unmark(): void;
}

/** These have a ref and are pressed as a whole, whatever listens on them. */
const NATIVE = "a[href], area[href], button, input, select, textarea, summary";

export function createControlMarks(): ControlMarks {
  let marked: Iterable<Element> = [];
  let kind = "";
  const unmark = () => {
    for (const el of marked) stopListening(el, kind, ignore);
    marked = [];
  };
  return {
    mark(asked) {
      unmark();
      kind = asked;
      marked = queryAll(document, NATIVE);
      for (const el of marked) listen(el, kind, ignore, { passive: true });
    },
    unmark,
  };
}

function ignore(): void {}
