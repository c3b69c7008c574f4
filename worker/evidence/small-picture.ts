// Takes a small picture of what a tab shows, without what is to be hidden. It takes no turn and delivers nothing.
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Call } from "../core/call.ts";
import { isGone } from "../core/gone.ts";
import type { Recording } from "../recording/recording.ts";
import type { Taken } from "../session/camera.ts";
import type { Turns } from "../session/turn.ts";
import { masked } from "../snapshot/masked.ts";
import { type PictureForm, scaledPicture } from "../snapshot/scaled-picture.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";

const FORM: PictureForm = { format: "webp", quality: 45, pxMax: 640 };
const TAKE_MS_MAX = 2_000;

export interface PictureOf {
  tab: Tab;
  /** The call that the picture is evidence of. */
  call: Call;
  /** The operator's selectors of what is hidden. */
  masks: readonly string[];
  recording: Recording;
  turns: Turns;
}

/** Resolves with the reason if there can be no picture: nothing of it is an error of the session. */
export async function smallPicture({ tab, call, ...options }: PictureOf): Promise<Taken> {
  if (!tab.isOpen) return { missing: "the tab is closed" };
  if (tab.halt) return { missing: tab.halt.kind === "dialog" ? "a dialog is open" : "the page is paused" };
  const controller = new AbortController();
  const late = fail("TIMEOUT", { waitedFor: "a picture", afterMs: TAKE_MS_MAX });
  const timer = setTimeout(() => controller.abort(late), TAKE_MS_MAX);
  const deadline = performance.now() + TAKE_MS_MAX;
  const page = new Page(tab, { ...call, signal: controller.signal, deadline, notes: undefined });
  try {
    return await masked(page, options, (by) => scaledPicture(by, FORM));
  } catch (error) {
    if (isTroupeError(error) || isGone(error)) return { missing: "the page did not answer" };
    tab.failures.cleanup("evidence-picture", error as Error);
    return { missing: "the browser took none" };
  } finally {
    clearTimeout(timer);
    controller.abort(late);
  }
}
