// Reports pages that are lost during a call or between two calls. The session hears of each loss once, with the text
// that it had typed there.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Call } from "../core/call.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Session } from "../session/session.ts";
import type { Page } from "../tab/page.ts";

const LOSSES: ReadonlySet<string> = new Set(["PAGE_CRASHED", "TAB_CLOSED"]);
/** A page that is slower than this to report its controls is asked again after the next call. */
const TYPED_MS_MAX = 500;

/** Does the work of a call. The call fails if its page is lost meanwhile, even if the work did not notice. */
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

/** Notes which controls still hold the session's input. If their page is lost, the error names them. */
export async function noteInput(session: Session, page: Page | undefined): Promise<void> {
  if (!page || page.tab.halt || !page.tab.touched.areAny) return;
  const asked = page.tab.touched.check((frame, touched) => page.askInPassing(frame, "heldInput", touched));
  try {
    await withinTime(() => asked, TYPED_MS_MAX);
  } catch (error) {
    if (!isGone(error) && !isTroupeError(error) && !(error instanceof FrameTimeout)) throw error;
  }
  session.changed();
}
