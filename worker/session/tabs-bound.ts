// Bounds the tabs of a session in a role. Beyond it, a client's new tab is refused, and a page's own is closed.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { FailureLog } from "../failures/failure-log.ts";

const TABS_MAX = 50;

/** The bound for one session. */
export class TabsBound {
  readonly #failures: FailureLog;
  readonly #session: () => string;
  /** Is true after a refusal, so that many refused tabs in a row are recorded only once. */
  #isRefusing = false;

  constructor(failures: FailureLog, session: () => string) {
    this.#failures = failures;
    this.#session = session;
  }

  isReached(tabs: number): boolean {
    return tabs >= TABS_MAX;
  }

  /** Records a tab that a page opened beyond the bound. Returns the error for the call that waits for that tab. */
  refused(): TroupeError {
    const words = `A page opened more than ${TABS_MAX} tabs; the others were closed.`;
    if (!this.#isRefusing) this.#failures.incident("too-many-tabs", words, { session: this.#session() });
    this.#isRefusing = true;
    return this.error();
  }

  /** Notes that a tab is closed, so there is room. */
  freed(): void {
    this.#isRefusing = false;
  }

  /** Returns the client's error. */
  error(): TroupeError {
    const limit = `a session has at most ${TABS_MAX} tabs in a role`;
    return fail("BUSY", { limit, holders: [], own: "tabs" });
  }
}
