// browser_drag: drags an element onto another one with trusted input.
import { fail } from "../../../proto/errors/catalogue.ts";
import { named } from "../../../proto/text/named.ts";
import { type Dragged, drag as dragTo } from "../../actions/drag.ts";
import { comeToFront } from "../../actions/mouse.ts";
import { parseRef } from "../../refs/ref-text.ts";
import { type Action, acting } from "./acting.ts";

export const dragging: Action<"Drag"> = {
  check({ from, to }) {
    const refs = [from, to].map((ref) => parseRef(ref)?.whole);
    if (refs[0] === undefined || refs[0] !== refs[1]) return;
    throw fail("INVALID_ARGUMENT", {
      argument: "to",
      problem: "from and to are the same element",
      hint: "with to as the element to drop it on",
    });
  },
  async act({ from, to }, { page, send }) {
    await comeToFront(page);
    let dragged: Dragged | undefined;
    await send(() => dragTo(page, from, to, (far) => (dragged = far)), { heard: true });
    return {
      said: dragged ? inWords(dragged) : "The drag did not begin",
      fields: { element: dragged?.source ?? null },
    };
  },
};

export const drag = acting(dragging);

function inWords({ source, goal, far }: Dragged): string {
  const [what, where] = [source, goal].map((each) => `${each.ref} ${named(each)}`);
  if (far === "begun") return `Began to drag ${what} to ${where}, and let it go before it was there`;
  const dragged = `Dragged ${what} to ${where}`;
  return far === "refused" ? `${dragged}: the page takes no drop there` : dragged;
}
