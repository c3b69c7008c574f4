// An action, and what has come of it so far, as Chrome tells it: each cause may lead to more.

/** A page that never comes to rest holds an action no longer than this. */
export const SETTLE_MS_MAX = 3_000;

/** Why the page may change: input was sent, a request was answered (by a service
 * worker: from a cache), a message came over a stream, or a document arrived. */
export type Cause = "input" | "answer" | "cache" | "message" | "arrival";

/** An action from its input until its reply is written. What begins meanwhile may be its consequence. */
export class Reaction implements Disposable {
  /** How many requests had been sent before it; before the action that it resumes, where a dialog came between. */
  readonly sentBefore: number;
  /** How many had been sent before it itself. */
  readonly ownSentBefore: number;
  readonly beganAtMs = performance.now();
  /** True where it is known that no script of the page ran because of the action. */
  unheard: boolean | undefined;
  /** Its input may scroll the page, which begins with a later frame. */
  scrolls = false;
  cause: Cause = "input";
  causedAtMs = this.beganAtMs;
  /** The family of the request that brought the cause; "" where it was none. */
  causedBy = "";
  /** Counts the causes. */
  causes = 0;
  /** How many documents have come. */
  documents = 0;
  /** Requests that it waited for have ended. */
  answers = 0;
  readonly #over: (reaction: Reaction) => void;

  constructor(sentBefore: number, ownSentBefore: number, over: (reaction: Reaction) => void) {
    this.sentBefore = sentBefore;
    this.ownSentBefore = ownSentBefore;
    this.#over = over;
  }

  /** Something came that the page may answer with a change. */
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
