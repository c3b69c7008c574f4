// browser_click: clicks with trusted input at a point where the element can be hit.

import type { ClickRequest } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { clickOn } from "../../actions/aimed-click.ts";
import { type Button, comeToFront, type How, MODIFIER_BITS } from "../../actions/mouse.ts";
import { type Action, acting } from "./acting.ts";

export const clicking: Action<"Click"> = {
  async act(request, { page, send }) {
    await comeToFront(page);
    const how: How = {
      button: buttonOf(request),
      count: request.doubleClick ? 2 : 1,
      modifiers: modifiersOf(request),
    };
    const element = await clickOn(page, request.ref, how, send);
    return {
      said: `${request.doubleClick ? "Double-clicked" : "Clicked"} ${element.ref} ${named(element)}`,
      fields: { element },
    };
  },
};

export const click = acting(clicking);

function buttonOf({ button = "MOUSE_BUTTON_LEFT" }: ClickRequest): Button {
  return button === "MOUSE_BUTTON_RIGHT" ? "right" : button === "MOUSE_BUTTON_MIDDLE" ? "middle" : "left";
}

function modifiersOf({ modifiers }: ClickRequest): number {
  const bits = {
    KEY_MODIFIER_UNSPECIFIED: 0,
    KEY_MODIFIER_ALT: MODIFIER_BITS.Alt,
    KEY_MODIFIER_CONTROL: MODIFIER_BITS.Control,
    KEY_MODIFIER_META: MODIFIER_BITS.Meta,
    KEY_MODIFIER_SHIFT: MODIFIER_BITS.Shift,
  };
  return modifiers.reduce((all, modifier) => all | bits[modifier], 0);
}
