// Waits for a condition of the page. It checks again after a change and never polls.

import { boxOf } from "../aim/hit.ts";
import { nextFrame } from "../aim/stable.ts";
import type { Condition, Waited } from "../api/bridge-api.ts";
import { isOff } from "../aria/state.ts";
import { rootElementOf, tagOf } from "../dom/dom.ts";
import { isVisible } from "../dom/visibility.ts";
import { watchChanges } from "../incremental/changes.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { comparable, visibleText } from "../tree/visible-text.ts";

type Answer = "yes" | "no" | "unknown";

export async function waitFor(context: PageContext, condition: Condition, timeMs: number): Promise<Waited> {
  const untilMs = performance.now() + timeMs;
  const changes = watchChanges(context, true);
  let answer = holdsNow(context, condition);
  while (answer === "no" && (await changes.next(untilMs))) {
    const beganMs = performance.now();
    await nextFrame();
    answer = holdsNow(context, condition);
    changes.extend();
    // On a page where a check takes long, checks use at most a third of the time.
    const againMs = Math.min(performance.now() + 2 * (performance.now() - beganMs), untilMs);
    while (answer === "no" && performance.now() < againMs) await nextFrame();
  }
  changes.stop();
  if (answer === "no") answer = holdsNow(context, condition);
  return answer === "unknown" ? { met: false, unknown: true } : { met: answer === "yes" };
}

/** Checks the condition at this moment. */
function holdsNow(context: PageContext, condition: Condition): Answer {
  if (condition.ref !== undefined) return refHolds(context, condition.ref, condition.state ?? "visible");
  const root = rootElementOf(document);
  const wanted = comparable(condition.text ?? condition.textGone ?? "");
  const there =
    root !== null && comparable(visibleText(root, context.survey(), context.noteRoot)).includes(wanted);
  return there === (condition.text !== undefined) ? "yes" : "no";
}

function refHolds(context: PageContext, ref: string, state: NonNullable<Condition["state"]>): Answer {
  const target = targetOf(context, ref);
  if (target.state === "unknown") return "unknown";
  // A removed element does not come back under its ref, so there is nothing to wait for.
  if (target.state === "removed") return state === "gone" || state === "hidden" ? "yes" : "unknown";
  const el = target.element;
  const tag = tagOf(el);
  const seen = isVisible(el, tag) && boxOf(el) !== undefined;
  const off = isOff(el, tag, "", context.survey());
  const now = { visible: seen, hidden: !seen, enabled: !off, disabled: off, gone: false };
  return now[state] ? "yes" : "no";
}
