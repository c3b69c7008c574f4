// browser_scroll: scrolls a region or the page. The reply says how far it moved and how far is left.

import type { ScrollRequest } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { type Moved, scrollBy } from "../../actions/scroll.ts";
import type { ScrollAsked } from "../../bridge/api/bridge-api.ts";
import { type Action, acting } from "./acting.ts";

const DIRECTIONS = {
  SCROLL_DIRECTION_UNSPECIFIED: "down",
  SCROLL_DIRECTION_DOWN: "down",
  SCROLL_DIRECTION_UP: "up",
  SCROLL_DIRECTION_LEFT: "left",
  SCROLL_DIRECTION_RIGHT: "right",
} as const;

export const scrolling: Action<"Scroll"> = {
  async act(request, { page, send }) {
    const at = request.ref ? await page.locate(request.ref) : { frame: page.main(), ref: "" };
    const asked = askedOf(request);
    const moved = await scrollBy(page, at, asked, send);
    const said = moved
      ? inWords(moved, asked)
      : `Turned the wheel ${asked.direction}: nothing here scrolls by itself`;
    const { element, movedPx = 0, leftPx = 0 } = moved ?? {};
    return { said, fields: { element: element ?? null, moved: movedPx, left: leftPx } };
  },
};

export const scroll = acting(scrolling);

function askedOf({ direction = "SCROLL_DIRECTION_UNSPECIFIED", amount }: ScrollRequest): ScrollAsked {
  return { direction: DIRECTIONS[direction], ...(amount && { amount }) };
}

/** For example: `Scrolled e9 list "Results" down by 620 px; 3,400 px are left`. */
function inWords({ element, movedPx, leftPx }: Moved, { direction }: ScrollAsked): string {
  const what = element ? `${element.ref} ${named(element)}` : "the page";
  const pixels = (count: number) => `${count.toLocaleString("en-US")} px`;
  const end = leftPx === 0 ? "it is at its end there" : `${pixels(leftPx)} are left`;
  if (movedPx === 0) return `Did not scroll ${what} ${direction}: ${end}`;
  return `Scrolled ${what} ${direction} by ${pixels(movedPx)}; ${end}`;
}
