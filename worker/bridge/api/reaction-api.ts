// What the worker says of an action, and what the bridge answers when its consequences are over.

/** Rest is no mutation for `windowMs`; for `changedMs` where there were some since the last look. `maxMs`: in any case. */
export interface QuietOptions {
  windowMs: number;
  changedMs: number;
  maxMs: number;
}

/** Why a page may change: input was sent, a request was answered (by a service
 * worker: from a cache), a message came over a stream, or a document arrived. */
export type Cause = "input" | "answer" | "cache" | "message" | "arrival";

/** What the worker knows of an action. */
export interface ReactionOptions {
  cause: Cause;
  sinceCauseMs: number;
  sinceActionMs: number;
  /** No script of the page heard of it. */
  unheard: boolean;
  /** Its input may scroll the page. */
  scrolls: boolean;
  /** It is waited for no longer. */
  timeMs: number;
}

/** What came of it in the document. `news`: it shows something else since the last cause. */
export interface Reacted {
  news: boolean;
  /** A page that has arrived, or shows something new, and says that it is not filled yet. */
  isBusy: boolean;
  /** It goes on changing step by step. */
  isChanging: boolean;
}
