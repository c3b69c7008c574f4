// Holds an action with its consequences so far, as Chrome reports them. Each cause may lead to more.

/** A page that never settles delays an action no longer than this. */
export const SETTLE_MS_MAX = 3_000;

/**
 * The cause of a possible change of the page. "answer": a request was answered. "cache": a service worker answered it
 * from a cache. "message": a message came over a stream. "arrival": a document arrived.
 */
export type Cause = "input" | "answer" | "cache" | "message" | "arrival";

/** An action from its input until its reply is written. Anything that begins meanwhile may be its consequence. */
export class Reaction implements Disposable {
  /**
   * How many requests had been sent before it. If it resumes an action after a dialog, the number before that action.
   */
  readonly sentBefore: number;
  /** How many requests had been sent before it itself. */
  readonly ownSentBefore: number;
  readonly beganAtMs = performance.now();
  /** True if it is known that no script of the page ran because of the action. */
  unheard: boolean | undefined;
  /** Its input may scroll the page, which begins with a later animation frame. */
  scrolls = false;
  cause: Cause = "input";
  causedAtMs = this.beganAtMs;
  /** The family of the request that brought the cause, or "" if it was none. */
  causedBy = "";
  /** Counts the causes. */
  causes = 0;
  /** How many documents have come. */
  documents = 0;
  /** How many requests have ended that it waited for. */
  answers = 0;
  readonly #over: (reaction: Reaction) => void;

  constructor(sentBefore: number, ownSentBefore: number, over: (reaction: Reaction) => void) {
    this.sentBefore = sentBefore;
    this.ownSentBefore = ownSentBefore;
    this.#over = over;
  }

  /** Notes a cause that the page may answer with a change. */
  caused(cause: Cause, by = ""): void {
    this.cause = cause;
    this.causedBy = by;
    this.causedAtMs = performance.now();
    this.causes++;
  }

  [Symbol.dispose](): void {
    this.#over(this);
  }
}
