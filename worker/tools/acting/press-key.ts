// browser_press_key: presses a key or a combination in the focused element.
import { fail } from "../../../proto/errors/catalogue.ts";
import { focused } from "../../actions/element.ts";
import { type Keys, parseSequence, pressKeys } from "../../actions/keyboard.ts";
import { FrameTimeout, withinTime } from "../../core/frame-time.ts";
import { isGone } from "../../core/gone.ts";
import type { Page } from "../../tab/page.ts";
import { type Action, acting } from "./acting.ts";

/** A page that is slower than this to report its focus is not waited for. */
const FOCUS_MS_MAX = 500;
/** These keys scroll the focused element smoothly, and no script gets an event for it. */
const SCROLLING: ReadonlySet<string> = new Set([
  "End",
  "Home",
  "PageDown",
  "PageUp",
  "ArrowDown",
  "ArrowUp",
  "ArrowLeft",
  "ArrowRight",
  " ",
]);

export const pressing: Action<"PressKey"> = {
  check({ key, clipboard }) {
    const keys = parseSequence(key);
    if (clipboard !== undefined && !isPaste(keys)) throw noPaste();
  },
  async act({ key, clipboard }, { page, send }) {
    const sequence = parseSequence(key);
    await noteTouched(page);
    for (const keys of sequence) {
      const pasting = clipboard === undefined ? undefined : () => paste(page, clipboard);
      await send(() => pressKeys(page, keys, pasting), {
        scrolls: SCROLLING.has(keys.key.key),
        heard: pasting !== undefined,
      });
      if (page.tab.halt || !page.tab.isOpen) break;
    }
    return { said: clipboard === undefined ? `Pressed ${key}` : `Pressed ${key}, which pasted`, fields: {} };
  },
};

export const pressKey = acting(pressing);

/** Notes the focused element. A page that does not report it gets the key all the same. */
async function noteTouched(page: Page): Promise<void> {
  try {
    const focus = await withinTime(() => focused(page), FOCUS_MS_MAX);
    page.call.notes?.focusIs(focus?.isSecret ?? false);
    if (focus) page.tab.touched.touched(focus.frame, focus.ref);
  } catch (error) {
    if (!isGone(error) && !(error instanceof FrameTimeout)) throw error;
  }
}

function isPaste([keys, ...others]: readonly Keys[]): boolean {
  if (!keys || others.length > 0 || keys.key.key !== "v") return false;
  return keys.modifiers.length === 1 && /^(?:Control|Meta)$/.test(keys.modifiers[0] ?? "");
}

function noPaste() {
  return fail("INVALID_ARGUMENT", {
    argument: "clipboard",
    problem: "clipboard is what Control+V pastes, and the key is another one",
    corrected: { key: "Control+V" },
  });
}

/** Pages that take no paste themselves get the text as the browser would insert it. */
async function paste(page: Page, text: string): Promise<void> {
  const { frame } = (await focused(page)) ?? { frame: page.main() };
  if (await page.ask(frame, "paste", text)) return;
  await page.during(page.tab.client.send("Input.insertText", { text }));
}
