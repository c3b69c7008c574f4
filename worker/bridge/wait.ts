// Waiting for a condition of the page: looked at anew when something changed, never by polling.

import type { Condition, Waited } from "./api.ts";
import { rootElementOf, tagOf } from "./dom.ts";
import { boxOf } from "./hit.ts";
import { type PageContext, targetOf } from "./page-context.ts";
import { watch } from "./quiet.ts";
import { isOff } from "./state.ts";
import { nextFrame } from "./steady.ts";
import { isVisible } from "./visibility.ts";
import { comparable, visibleText } from "./visible-text.ts";

type Answer = "yes" | "no" | "unknown";

/** What changes a page's look without a mutation. */
const EVENTS = [
  "input",
  "change",
  "toggle",
  "load",
  "transitionend",
  "animationend",
  "focusin",
  "resize",
  "scroll",
];

/** Resolves true when the condition holds, false after `timeMs`, early when its ref is unknown. */
export async function waitFor(context: PageContext, condition: Condition, timeMs: number): Promise<Waited> {
  const first = holdsNow(context, condition);
  if (first !== "no") return first === "yes" ? { met: true } : { met: false, unknown: true };
  return new Promise((resolve) => {
    const stop = new AbortController();
    let due = false;
    const finish = (answer: Waited) => {
      observer.disconnect();
      stop.abort();
      clearTimeout(deadline);
      resolve(answer);
    };
    // At most once in a frame, and on a large page no more than a third of the time.
    const recheck = async () => {
      if (due || stop.signal.aborted) return;
      due = true;
      await nextFrame();
      const began = performance.now();
      const answer = stop.signal.aborted ? "no" : holdsNow(context, condition);
      if (answer !== "no") finish(answer === "yes" ? { met: true } : { met: false, unknown: true });
      setTimeout(
        () => {
          due = false;
          if (missed) void recheckMissed();
        },
        2 * (performance.now() - began),
      );
    };
    let missed = false;
    const recheckMissed = () => {
      missed = false;
      return recheck();
    };
    const onChange = () => {
      if (due) missed = true;
      else void recheck();
    };
    const observer = watch(context, onChange);
    for (const event of EVENTS) {
      addEventListener(event, onChange, { capture: true, passive: true, signal: stop.signal });
    }
    const deadline = setTimeout(() => finish({ met: holdsNow(context, condition) === "yes" }), timeMs);
  });
}

/** Whether the condition holds at this moment. */
function holdsNow(context: PageContext, condition: Condition): Answer {
  if (condition.ref !== undefined) return refHolds(context, condition.ref, condition.state ?? "visible");
  const root = rootElementOf(document);
  const wanted = comparable(condition.text ?? condition.textGone ?? "");
  const there = root !== null && comparable(visibleText(root, context.survey())).includes(wanted);
  return there === (condition.text !== undefined) ? "yes" : "no";
}

function refHolds(context: PageContext, ref: string, state: NonNullable<Condition["state"]>): Answer {
  const target = targetOf(context, ref);
  if (target.state === "unknown") return "unknown";
  // What was removed does not come back under its ref: nothing to wait for.
  if (target.state === "removed") return state === "gone" || state === "hidden" ? "yes" : "unknown";
  const el = target.element;
  const tag = tagOf(el);
  const seen = isVisible(el, tag) && boxOf(el) !== undefined;
  const off = isOff(el, tag, "", context.survey());
  const now = { visible: seen, hidden: !seen, enabled: !off, disabled: off, gone: false };
  return now[state] ? "yes" : "no";
}
