// Draws numbered boxes over the elements with a ref that are in view, for a screenshot.

import { boxOf, hitTest } from "../aim/hit.ts";
import type { Bridge } from "../api/bridge-api.ts";
import { createHtml, rootElementOf, tagOf } from "../dom/dom.ts";
import { refText } from "../dom/ref-text.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { identify } from "../tree/describe.ts";

const MARKS_MAX = 500;
const COLOURS = ["#c00", "#06c", "#080", "#a0a", "#b60", "#077"];

export function createScreenshotMarks(context: PageContext): Pick<Bridge, "mark" | "unmark"> {
  let layer: HTMLElement | undefined;
  const unmark = () => {
    layer?.remove();
    layer = undefined;
  };
  return {
    unmark,
    mark() {
      context.update(false);
      unmark();
      const survey = context.survey();
      const shown: { ref: string; role: string; name: string; box: DOMRect }[] = [];
      for (const { number, element } of context.refs.living()) {
        if (shown.length === MARKS_MAX) break;
        if (!isVisible(element, tagOf(element)) || hitTest(element, survey).state !== "free") continue;
        const box = boxOf(element);
        const { role, name } = identify(element, survey);
        if (box !== undefined) shown.push({ ref: refText(number), role, name, box });
      }
      layer = layerOf(shown);
      rootElementOf(document)?.append(layer);
      // The top layer is above dialogs.
      if (layer.isConnected) layer.showPopover();
      return shown.map(({ ref, role, name }) => ({ ref, role, name }));
    },
  };
}

// The boxes are in a closed shadow root, so the page's styles do not reach them.
function layerOf(shown: readonly { ref: string; box: DOMRect }[]): HTMLElement {
  const layer = createHtml("div");
  layer.popover = "manual";
  layer.setAttribute("aria-hidden", "true");
  layer.style.cssText =
    "all: initial; position: fixed; inset: 0; width: 100%; height: 100%; border: 0; padding: 0; margin: 0;" +
    "background: none; pointer-events: none; overflow: hidden; z-index: 2147483647;";
  const root = layer.attachShadow({ mode: "closed" });
  for (const [index, { ref, box }] of shown.entries()) {
    root.append(boxElement(ref, box, COLOURS[index % COLOURS.length] as string));
  }
  return layer;
}

function boxElement(ref: string, { x, y, width, height }: DOMRect, colour: string): HTMLElement {
  const box = createHtml("div");
  box.style.cssText =
    `position: fixed; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px; box-sizing: border-box;` +
    `border: 2px solid ${colour};`;
  const label = createHtml("span");
  label.textContent = ref;
  label.style.cssText =
    `position: absolute; left: 0; top: ${y < 14 ? 0 : -14}px; font: bold 11px/14px sans-serif; padding: 0 2px;` +
    `color: #fff; background: ${colour}; white-space: nowrap;`;
  box.append(label);
  return box;
}
