// Finds the boxes of an image map's areas. Areas have no boxes, but the picture that uses the map has one.

import { attr, checkVisibility, closest, queryAll, rectOf, rootOf } from "./dom.ts";

/** Returns the shown picture that an area belongs to. */
export function pictureOf(area: Element): Element | undefined {
  const map = closest(area, "map");
  const root = rootOf(area);
  if (map === null || root === undefined) return undefined;
  const names = [attr(map, "name"), attr(map, "id")].flatMap((name) => (name ? [`#${name}`] : []));
  return [...queryAll(root, "img[usemap], object[usemap]")].find(
    (picture) => names.includes(attr(picture, "usemap") ?? "") && checkVisibility(picture),
  );
}

/** Returns the area's box in the viewport. It returns undefined if no shown picture uses the area's map. */
export function areaBox(area: Element): DOMRect | undefined {
  const picture = pictureOf(area);
  if (picture === undefined) return undefined;
  // Chrome counts from the picture's border box.
  const { left, top, width, height } = rectOf(picture);
  const own = extentOf(area) ?? { left: 0, top: 0, right: width, bottom: height };
  return new DOMRect(left + own.left, top + own.top, own.right - own.left, own.bottom - own.top);
}

interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The extent is relative to the picture. It is undefined if the area covers all of it. */
function extentOf(area: Element): Extent | undefined {
  const numbers = (attr(area, "coords") ?? "").split(/[\s,;]+/).map((each) => Number.parseFloat(each) || 0);
  const shape = (attr(area, "shape") ?? "rect").toLowerCase();
  if (shape === "default") return undefined;
  if (shape.startsWith("circ")) {
    const [x = 0, y = 0, radius = 0] = numbers;
    return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
  }
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  return {
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  };
}
