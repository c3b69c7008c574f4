// Defines what the worker says about an action, and the bridge's answer when the reaction is over.

/**
 * The page is quiet after `windowMs` without mutations, or `changedMs` if there were some since the last tree. `maxMs`
 * ends the wait in any case.
 */
export interface QuietOptions {
  windowMs: number;
  changedMs: number;
  maxMs: number;
}

/**
 * Says why a page may change: input was sent, a message came over a stream, or a document arrived. Otherwise a request
 * was answered, from a cache if a service worker did it.
 */
export type Cause = "input" | "answer" | "cache" | "message" | "arrival";

/** Has what the worker knows about an action. */
export interface ReactionOptions {
  cause: Cause;
  sinceCauseMs: number;
  sinceActionMs: number;
  /** No script of the page received the input. */
  unheard: boolean;
  /** The input may scroll the page. */
  scrolls: boolean;
  /** A script listens for transitions. */
  hearsTransitions?: boolean;
  /** A script may have run in the document, even if it holds none now. */
  isScripted?: boolean;
  /** The longest time to wait. */
  timeMs: number;
}

/** Has the reaction of the document. `news` means that it shows something new since the last cause. */
export interface Reacted {
  news: boolean;
  /** A page that has arrived, or shows something new, says that it is still being filled. */
  isBusy: boolean;
  /** The document goes on changing step by step. */
  isChanging: boolean;
  /** Controls still change their colours, which was not awaited. It can bring more only if a script hears of the end. */
  isColouring: boolean;
  /** The document holds no script, so nothing was awaited. It can bring more only if a script ran and has gone. */
  isScriptless: boolean;
}
