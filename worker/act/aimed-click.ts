// A click on the element that a ref names: aimed, pressed, and aimed again where the page put something else there meanwhile.
import type { ElementData } from "../../proto/errors.ts";
import { refused } from "../look/refusal.ts";
import type { Page } from "../tab/page.ts";
import { timeLeftMs } from "../tab/time-left.ts";
import { type ReadyElement, readyElement } from "./element.ts";
import { click, type How } from "./mouse.ts";
import type { SendInput } from "./perform.ts";
import { whileThere } from "./settle.ts";

const AIMS_MAX = 4;
/** A document that takes longer to say what the press met is most likely busy with it. */
const ANSWER_MS_MAX = 500;

/**
 * Clicks; what the element is. A press that would meet another element is heard of by none. Throws ELEMENT_COVERED, or
 * ELEMENT_NOT_VISIBLE as moving, where every press would.
 */
export async function clickOn(page: Page, ref: string, how: How, send: SendInput): Promise<ElementData> {
  for (let aims = 1; ; aims++) {
    const target = await readyElement(page, ref, "click", aims > 1);
    await send(() => click(page, target.aim, how), { clicks: true });
    const miss = await missOf(page, target);
    if (!miss) return target.element;
    if (aims === AIMS_MAX) throw miss;
  }
}

/** What the press met instead. Where a document has gone, a dialog is open or another page is on its way, it met its target. */
async function missOf(page: Page, { at, element, watching }: ReadyElement) {
  const { tab } = page;
  const asked = watching.map(async ({ frame, world }) => {
    if (tab.dialog || !tab.isOpen || frame.world !== world) return undefined;
    const asking = async () => ({ miss: await page.ask(frame, "missed", page.prefixOf(frame)) });
    const timeMs = Math.min(ANSWER_MS_MAX, timeLeftMs(page.call, "frame"));
    const miss = (await whileThere(page, asking, timeMs))?.miss;
    return miss && refused(page, { ...at, frame }, { ...miss, element });
  });
  const misses = await Promise.all(asked);
  return misses.find((miss) => miss !== undefined);
}
