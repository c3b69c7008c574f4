// How many tabs a session may have in a role: a client is refused another, and a page's own is closed.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { FailureLog } from "../failures/failure-log.ts";

const TABS_MAX = 50;

/** Of one session. */
export class TabsBound {
  readonly #failures: FailureLog;
  readonly #session: () => string;
  /** Pages have more tabs opened; recorded once, however many they are. */
  #isRefusing = false;

  constructor(failures: FailureLog, session: () => string) {
    this.#failures = failures;
    this.#session = session;
  }

  isReached(tabs: number): boolean {
    return tabs >= TABS_MAX;
  }

  /** A page opened one too many, which is closed; records it. The error for who waits for that tab. */
  refused(): TroupeError {
    const words = `A page opened more than ${TABS_MAX} tabs; the others were closed.`;
    if (!this.#isRefusing) this.#failures.incident("too-many-tabs", words, { session: this.#session() });
    this.#isRefusing = true;
    return this.error();
  }

  /** A tab is closed: there is room. */
  freed(): void {
    this.#isRefusing = false;
  }

  /** What a client is told. */
  error(): TroupeError {
    const limit = `a session has at most ${TABS_MAX} tabs in a role`;
    return fail("BUSY", { limit, holders: [], own: "tabs" });
  }
}
