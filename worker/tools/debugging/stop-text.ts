// Writes where a page is paused. All words of the page are kept from passing for structure.
import type { Local } from "../../debugging/locals.ts";
import type { Stop } from "../../debugging/stop.ts";
import { shownText, shownUrl } from "../../snapshot/quote.ts";
import type { Place } from "../../source-maps/source-map.ts";
import type { Page } from "../../tab/page.ts";

const SOURCE_LENGTH_MAX = 160;

/** Returns lines of the source around the place. The place's own line is marked. */
export async function sourceLines(
  page: Page,
  { process, frames, place }: Stop,
  around: number,
): Promise<string[]> {
  const [top] = frames;
  if (!top) return [];
  const source = await page.during(process.places.textAt(top.location, place), { whilePaused: true });
  if (!source) return [];
  const at = place.line - source.firstLine;
  // The text is cut into lines only as far as they are shown.
  const lines = source.text.split("\n", at + around + 1);
  return lines
    .map((text, index) => ({ text, index }))
    .slice(Math.max(0, at - around))
    .map(({ text, index }) => {
      const mark = index === at ? ">" : " ";
      return `${mark} ${index + source.firstLine}: ${shortened(text, index === at ? place.column : 1)}`;
    });
}

/** Cuts a long line around the column. */
function shortened(line: string, column: number): string {
  const begin = Math.max(0, Math.min(column - SOURCE_LENGTH_MAX / 2, line.length - SOURCE_LENGTH_MAX));
  const part = line.slice(begin, begin + SOURCE_LENGTH_MAX);
  const indent = begin === 0 ? (/^ */.exec(part)?.[0] ?? "") : "…";
  return `${indent}${shownText(part.trimStart())}${begin + SOURCE_LENGTH_MAX < line.length ? "…" : ""}`;
}

/** Returns one line a variable. `onlyChanged`: those alone that changed since the last stop. */
export function localLines({ locals }: Stop, onlyChanged = false): string[] {
  if (!locals) return [];
  const shown = onlyChanged ? locals.all.filter(({ was }) => was !== undefined) : locals.all;
  return [...shown.map(localLine), ...(locals.isCut && !onlyChanged ? ["  … more variables"] : [])];
}

function localLine({ name, text, was }: Local): string {
  const before = was === undefined ? "" : ` (changed, was ${shownText(was)})`;
  return `  ${shownText(name)} = ${shownText(text)}${before}`;
}

export function placeText({ url, line, column }: Place): string {
  return `${shownUrl(url) || "(no address)"}:${line}:${column}`;
}
