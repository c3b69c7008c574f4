// Asks a tab for its fields for secrets, after a call that has read no tree of it.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { SecretField } from "../bridge/api/bridge-api.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { inBackground } from "../recording/locate.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";

const ASK_MS_MAX = 500;

/** Resolves with undefined if the tab does not answer. It never rejects. */
export async function secretFieldsOf(tab: Tab, call: Call): Promise<SecretField[] | undefined> {
  if (!tab.isOpen || tab.halt) return undefined;
  const page = new Page(tab, inBackground(call));
  const frames = [page.main(), ...tab.frames.children].filter(({ world }) => world);
  try {
    const ask = () => Promise.all(frames.map((frame) => page.askInPassing(frame, "secretFields")));
    return (await withinTime(ask, ASK_MS_MAX)).flat();
  } catch (error) {
    const isUsual = isTroupeError(error) || isGone(error) || error instanceof FrameTimeout;
    if (!isUsual) tab.failures.cleanup("evidence-fields", error as Error);
    return undefined;
  }
}
