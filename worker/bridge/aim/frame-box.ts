// Finds the position of an iframe's content in its parent's viewport.

import type { FrameBox, Point } from "../api/bridge-api.ts";
import { elementAt, getter, holds, rectOf, scrollIntoView, styleOf, tagOf } from "../dom/dom.ts";
import { visibilityOf } from "../dom/visibility.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";
import { describeCover } from "./hit.ts";
import type { HitGuard } from "./hit-guard.ts";
import { isStable } from "./stable.ts";

const offsetWidthOf = getter(HTMLElement.prototype, "offsetWidth");
const offsetHeightOf = getter(HTMLElement.prototype, "offsetHeight");

interface Content extends Point {
  scaleX: number;
  scaleY: number;
}

export async function frameBox(
  context: PageContext,
  ref: string,
  point: Point,
  guard?: HitGuard,
): Promise<FrameBox> {
  const target = targetOf(context, ref);
  if (target.state !== "present") return { state: "unknown" };
  const frame = target.element;
  const hidden: FrameBox = {
    state: "hidden",
    element: describe(frame, context),
  };
  if (visibilityOf(frame, tagOf(frame)) !== "shown") return hidden;
  let content = contentOf(frame);
  if (elementFor(content, point) !== frame) {
    // Scrolling inside the frame moves the content here only some frames later.
    await isStable(frame);
    content = contentOf(frame);
    if (!isInViewport(at(content, point))) {
      scrollIntoView(frame, { block: "center", inline: "center", behavior: "instant" });
      await isStable(frame);
      content = contentOf(frame);
    }
  }
  if (!isInViewport(at(content, point))) return hidden;
  const hit = elementFor(content, point);
  if (hit !== null && hit !== frame && !holds(frame, hit)) {
    return { state: "covered", ...describeCover(hit, frame, context) };
  }
  guard?.arm({
    element: frame,
    place: frame,
    point: at(content, point),
    isReady: () => true,
    successor: () => undefined,
  });
  return { state: "ready", ...content };
}

// The content begins inside border and padding. A transform scales all of it.
function contentOf(frame: Element): Content {
  const rect = rectOf(frame);
  const style = styleOf(frame);
  const scaleX = rect.width / (offsetWidthOf(frame as HTMLElement) || rect.width || 1);
  const scaleY = rect.height / (offsetHeightOf(frame as HTMLElement) || rect.height || 1);
  const left = Number.parseFloat(style.borderLeftWidth) + Number.parseFloat(style.paddingLeft);
  const top = Number.parseFloat(style.borderTopWidth) + Number.parseFloat(style.paddingTop);
  return { x: rect.x + left * scaleX, y: rect.y + top * scaleY, scaleX, scaleY };
}

function at(content: Content, point: Point): Point {
  return { x: content.x + point.x * content.scaleX, y: content.y + point.y * content.scaleY };
}

function elementFor(content: Content, point: Point): Element | null {
  const { x, y } = at(content, point);
  return elementAt(x, y);
}

function isInViewport({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}
