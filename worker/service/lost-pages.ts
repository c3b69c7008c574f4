// Pages that are lost under a call, or between two: the session hears of each once, with what it had typed there.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Session } from "../session/session.ts";
import type { Page } from "../tab/page.ts";

const LOSSES: ReadonlySet<string> = new Set(["PAGE_CRASHED", "TAB_CLOSED"]);
/** A page that is slow to say what its fields hold is asked again after the next call. */
const TYPED_MS_MAX = 500;

/** Does the work of a call. A page that is lost meanwhile is its failure, whether or not it noticed. */
export async function reportingLoss<T>(session: Session, call: Call, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    session.losses.report(call.tab, "unknown");
    return done;
  } catch (error) {
    if (isTroupeError(error) && LOSSES.has(error.type)) session.losses.forget(call.tab);
    throw error;
  }
}

/** Notes which fields still hold what was typed into them: an error names them if their page is lost. */
export async function noteTyped(session: Session, page: Page | undefined): Promise<void> {
  if (!page || page.tab.dialog || page.tab.typed.names.length === 0) return;
  const asked = page.tab.typed.check((frame, refs) => page.ask(frame, "holdText", refs));
  try {
    await withinTime(() => asked, TYPED_MS_MAX);
  } catch (error) {
    if (!isGone(error) && !isTroupeError(error) && !(error instanceof FrameTimeout)) throw error;
  }
  session.changed();
}
