// browser_hover: moves the pointer over an element, and leaves it there.
import { named } from "../../../proto/text/named.ts";
import { readyElement } from "../../actions/element.ts";
import { comeToFront, moveTo } from "../../actions/mouse.ts";
import { type Action, acting } from "./acting.ts";

export const hovering: Action<"Hover"> = {
  async act({ ref }, { page, send }) {
    await comeToFront(page);
    const { aim, element } = await readyElement(page, ref, "hover");
    await send(() => moveTo(page, aim));
    return { said: `Pointed at ${element.ref} ${named(element)}`, fields: { element } };
  },
};

export const hover = acting(hovering);
