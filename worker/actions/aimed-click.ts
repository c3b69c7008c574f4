// A click on the element that a ref names: aimed, pressed, and aimed again where the page put something else there meanwhile.
import type { ElementData, TroupeError } from "../../proto/errors/catalogue.ts";
import type { Pressed } from "../bridge/api/bridge-api.ts";
import { timeLeftMs } from "../core/time-left.ts";
import { refused } from "../snapshot/refusal.ts";
import type { Page } from "../tab/page.ts";
import { type ReadyElement, readyElement, type Watching } from "./element.ts";
import { click, type How } from "./mouse.ts";
import type { SendInput } from "./perform.ts";
import { whileThere } from "./while-there.ts";

const AIMS_MAX = 4;
/** While another page is on its way Chrome keeps the answer back: for longer, and the press has most likely led there. */
const LEAVING_MS_MAX = 500;

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

/** What the press met instead. Where the element's document cannot say, as it has gone or a dialog is open, it met its target. */
async function missOf(page: Page, { at, element, watching }: ReadyElement): Promise<TroupeError | undefined> {
  const all = await Promise.all(
    watching.map(async (each) => ({ ...each, pressed: await pressedIn(page, each) })),
  );
  // A press in a frame the documents around never hear of: what lies over it there may have come of that very press.
  const inner = all[0]?.pressed;
  const wasUnheard = inner?.state === "unheard" && !inner.framed;
  for (const { frame, pressed } of all) {
    const miss = pressed?.state === "unheard" ? wasUnheard && pressed.miss : pressed;
    if (miss && miss.state !== "met") return refused(page, { ...at, frame }, { ...miss, element });
  }
  return undefined;
}

/**
 * What a document says of it; undefined where it has gone, or says nothing for as long as can be waited. It is asked once:
 * the answer ends its guard's watch.
 */
async function pressedIn(page: Page, { frame, world }: Watching): Promise<Pressed | undefined> {
  if (page.tab.dialog || !page.tab.isOpen || frame.world !== world) return undefined;
  const asking = () => page.ask(frame, "pressed", page.prefixOf(frame));
  return await whileThere(page, asking, timeLeftMs(page.call, "settling"), LEAVING_MS_MAX);
}
