// Clicks the element that a ref names. If the page moves something else there meanwhile, the click is aimed again.
import type { ElementData, TroupeError } from "../../proto/errors/catalogue.ts";
import type { Pressed } from "../bridge/api/bridge-api.ts";
import { timeLeftMs } from "../core/time-left.ts";
import { actionabilityError } from "../snapshot/actionability-error.ts";
import type { Page } from "../tab/page.ts";
import { type ReadyElement, readyElement, type Watching } from "./element.ts";
import { click, type How } from "./mouse.ts";
import type { SendInput } from "./perform.ts";
import { whileThere } from "./while-there.ts";

/** A press that met another element is aimed again, so many times in all. */
export const AIMS_MAX = 4;
/** Elements of these roles hold no input. */
const HOLD_NOTHING: ReadonlySet<string> = new Set(["button", "link"]);
/**
 * Chrome delays the answer while another page is on its way. After this time, the press has most likely led to that
 * page.
 */
const LEAVING_MS_MAX = 500;

/**
 * Clicks the element and returns its description. A press that would meet another element reaches no listener of the
 * page. Throws ELEMENT_COVERED, or ELEMENT_NOT_VISIBLE as moving, if every press would miss.
 */
export async function clickOn(page: Page, ref: string, how: How, send: SendInput): Promise<ElementData> {
  for (let aims = 1; ; aims++) {
    const target = await readyElement(page, ref, "click", aims > 1);
    noteTouched(page, target);
    let miss: TroupeError | undefined;
    const asks = async () => {
      miss = await missOf(page, target);
    };
    await send(() => click(page, target.aim, how), { clicks: true, asks });
    if (!miss) return target.element;
    if (aims === AIMS_MAX) throw miss;
  }
}

/** Most clicks are on elements without a state of their own, and their pages need not be asked. */
function noteTouched({ tab }: Page, { at, element }: ReadyElement): void {
  if (!HOLD_NOTHING.has(element.role)) tab.touched.touched(at.frame, at.ref);
}

/**
 * Returns the error for a press that met another element. If the document has gone or a dialog is open, the press
 * counts as a hit.
 */
export async function missOf(
  page: Page,
  { at, element, watching }: ReadyElement,
): Promise<TroupeError | undefined> {
  const all = await Promise.all(
    watching.map(async (each) => ({ ...each, pressed: await pressedIn(page, each) })),
  );
  // The outer documents never hear of a press inside a frame. An element that covers the target there may be the result
  // of that very press.
  const inner = all[0]?.pressed;
  const wasUnheard = inner?.state === "unheard" && !inner.framed;
  for (const { frame, pressed } of all) {
    const miss = pressed?.state === "unheard" ? wasUnheard && pressed.miss : pressed;
    if (miss && miss.state !== "met") return actionabilityError(page, { ...at, frame }, { ...miss, element });
  }
  return undefined;
}

/**
 * Returns the document's report on the press, or undefined if it has gone or does not answer in time. It is asked once:
 * the answer ends its guard's watch.
 */
async function pressedIn(page: Page, { frame, world }: Watching): Promise<Pressed | undefined> {
  if (page.tab.halt || !page.tab.isOpen || frame.world !== world) return undefined;
  const asking = () => page.ask(frame, "pressed");
  return await whileThere(page, asking, timeLeftMs(page.call, "settling"), LEAVING_MS_MAX);
}
