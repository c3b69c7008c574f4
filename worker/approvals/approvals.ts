// Keeps what waits for a person: each action from its request to its end, and the ends that sessions have not heard of.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { within } from "../../proto/machine/within.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import type { Call } from "../core/call.ts";
import type { ApprovalAction } from "./approval-rules.ts";

/** An action that a person is asked about. */
export interface Asked {
  /** The session's key. */
  session: string;
  /** Empty if the tab is not known, as for a page's worker. */
  tab: string;
  action: ApprovalAction;
  /** The action in words, on one line, such as `POST https://bank.example/transfer`. */
  what: string;
  /** The page that it happens on, without user, query and fragment. */
  page: string;
}

/** `by`: the client that decided. */
export type Outcome =
  | { outcome: "approved" | "denied"; by: string }
  /** No decision came in time. */
  | { outcome: "expired" }
  /** The page does not want it any more, or is gone. */
  | { outcome: "given-up" };

export interface Waiting extends Asked {
  id: string;
  /** By the wall clock, for the person. */
  askedAtMs: number;
  timeMs: number;
  /** By `performance.now()`. */
  endsAtMs: number;
  /** The call during which it began. */
  cause: Call | undefined;
  /** Resolves when it waits no more. */
  over: Promise<Outcome>;
}

/** An action that waits no more. */
export type Ended = Waiting & Outcome;

export interface ApprovalEvents {
  asked(waiting: Waiting): void;
  ended(ended: Ended): void;
}

/** A session has at most so many waiting actions. A page that wants more gets them refused. */
const WAITING_MAX = 5;
/** The role has at most so many. */
const ALL_WAITING_MAX = 100;
const UNTOLD_MAX = 10;
const GRANTS_MAX = 100;
const RETRY_AFTER_MS = 5_000;
const WORDS_MAX = 300;

export class Approvals {
  readonly #timeMs: number;
  readonly #events: ApprovalEvents;
  readonly #waiting = new Map<string, Waiting & { end(outcome: Outcome): void }>();
  /** By session, the ends that no reply has reported. */
  readonly #untold = new Map<string, Ended[]>();
  readonly #calls = new Map<string, Call>();
  /** The actions that were approved after their calls had ended, until they are done. */
  readonly #grants = new Map<string, true>();

  /** `timeMs`: how long an action waits. */
  constructor(timeMs: number, events: ApprovalEvents) {
    this.#timeMs = timeMs;
    this.#events = events;
  }

  /** Returns what waits in a session, oldest first. */
  of(session: string): Waiting[] {
    return [...this.#waiting.values()].filter((each) => each.session === session);
  }

  /** Notes the call whose consequences from now on are its own. Returns the end of that. */
  callBegan(call: Call): () => void {
    this.#calls.set(call.sessionKey, call);
    return () => {
      if (this.#calls.get(call.sessionKey) === call) this.#calls.delete(call.sessionKey);
    };
  }

  /** Returns the call that is under way in a session. */
  callOf(session: string): Call | undefined {
    return this.#calls.get(session);
  }

  /** Asks a person. Returns undefined if too much waits already. */
  ask(asked: Asked): Waiting | undefined {
    if (this.of(asked.session).length >= WAITING_MAX || this.#waiting.size >= ALL_WAITING_MAX)
      return undefined;
    const over = Promise.withResolvers<Outcome>();
    const id = crypto.randomUUID().slice(0, 8);
    const timer = setTimeout(() => this.#end(id, { outcome: "expired" }), this.#timeMs);
    const waiting = {
      ...asked,
      what: asked.what.slice(0, WORDS_MAX),
      page: asked.page.slice(0, WORDS_MAX),
      id,
      askedAtMs: Date.now(),
      timeMs: this.#timeMs,
      endsAtMs: performance.now() + this.#timeMs,
      cause: this.callOf(asked.session),
      over: over.promise,
      end: (outcome: Outcome) => {
        clearTimeout(timer);
        over.resolve(outcome);
      },
    };
    this.#waiting.set(id, waiting);
    this.#events.asked(waiting);
    return waiting;
  }

  /**
   * Resolves when a person has approved what the call is about to do. If that comes after the call's end, the next call
   * with the same words for it goes on at once. Throws BUSY if too much waits already, APPROVAL_DENIED if it is refused.
   */
  async approved(asked: Asked, call: Call, sameAs: string): Promise<void> {
    const grant = JSON.stringify([asked.session, sameAs]);
    if (this.#grants.delete(grant)) return;
    const waiting = this.ask(asked);
    if (!waiting) throw tooMuchWaits();
    void waiting.over.then(({ outcome }) => {
      if (outcome === "approved") keepNewest(this.#grants, grant, true, GRANTS_MAX);
    });
    call.waitsFor = "a person's decision";
    const outcome = await within(call, waiting.over);
    if (!this.#grants.delete(grant)) throw deniedError({ ...waiting, ...outcome });
  }

  /** Takes a person's decision. Returns false if nothing of that id waits. */
  decide(id: string, outcome: Extract<Outcome, { by: string }>): boolean {
    return this.#end(id, outcome);
  }

  /** Ends an action whose page has given it up. */
  giveUp(id: string): void {
    this.#end(id, { outcome: "given-up" });
  }

  /** Forgets a session that has ended. */
  sessionOver(session: string): void {
    for (const { id } of this.of(session)) this.giveUp(id);
    this.#untold.delete(session);
    this.#calls.delete(session);
    for (const grant of this.#grants.keys()) if (JSON.parse(grant)[0] === session) this.#grants.delete(grant);
  }

  /** Returns the ends that the session has not heard of. */
  untold(session: string): readonly Ended[] {
    return this.#untold.get(session) ?? [];
  }

  /** Returns the same. They count as reported from now on. */
  takeUntold(session: string): readonly Ended[] {
    const untold = this.untold(session);
    this.#untold.delete(session);
    return untold;
  }

  #end(id: string, outcome: Outcome): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    this.#waiting.delete(id);
    const { end, ...facts } = waiting;
    const ended = { ...facts, ...outcome };
    const untold = [...(this.#untold.get(waiting.session) ?? []), ended];
    this.#untold.set(waiting.session, untold.slice(-UNTOLD_MAX));
    end(outcome);
    this.#events.ended(ended);
    return true;
  }
}

/** Describes a request, without its body and query. */
export function requestWords({ method, url }: { method: string; url: string }): string {
  return `${method.slice(0, 20)} ${redactedAddress(url)}`;
}

/** Returns APPROVAL_PENDING. `callTimeMs`: the longest time of a call, which bounds a wait. */
export function pendingError(
  { id, what, tab, endsAtMs, cause, action }: Waiting,
  call: Call,
  callTimeMs: number,
): TroupeError {
  const endsInMs = Math.max(1_000, Math.round(endsAtMs - performance.now()));
  const waitS = Math.max(1, Math.floor(Math.min(endsInMs, callTimeMs - RESERVED_MS) / 1000));
  const isOwn = cause === call;
  // A file is given to the page by the call itself, once that is approved.
  const carriedOut = isOwn && action !== "upload";
  return fail("APPROVAL_PENDING", { approval: id, what, tab, endsInMs, waitS, isOwn, carriedOut });
}

/** The part of a call's time that a wait cannot have. */
const RESERVED_MS = 3_000;

/** Returns BUSY for what cannot even wait. */
export function tooMuchWaits(): TroupeError {
  const limit = `${WAITING_MAX} actions of a session that wait for a person`;
  return fail("BUSY", { limit, holders: [], retryAfterMs: RETRY_AFTER_MS });
}

/** Returns APPROVAL_DENIED. */
export function deniedError(ended: Ended): TroupeError {
  const { id, what, tab } = ended;
  return fail("APPROVAL_DENIED", { approval: id, what, tab, by: "by" in ended ? ended.by : "" });
}
