// Follows the open requests of a tab's pages, and decides which of them an action waits for.
import type { CDPSession, Protocol } from "puppeteer-core";
import { keepNewest } from "../../proto/machine/newest.ts";
import { Polls } from "./polls.ts";
import { type Cause, type Reaction, SETTLE_MS_MAX } from "./reaction.ts";
import { briefOf, familyOf, hostAndPathOf, identityOf, nameOf } from "./request-family.ts";

/** Requests without a bound on their time, or without any effect on the content. */
const NEVER_AWAITED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "Ping",
  "EventSource",
  "WebSocket",
  "Media",
  "Prefetch",
  "CSPViolationReport",
  "Preflight",
  "Other",
]);

/** At most this many addresses of a tab are remembered, for each fact about them. */
const ADDRESSES_MAX = 1_000;
/** An identity is polled if one action's page asked for it more often than this. */
const POLLED_AFTER = 3;
/** A place is polled if one action's page asked for it this often, beyond the action's time. */
const TRAIN_MIN = 10;
/** A page that reads an answer's body has it by then. If no script reads the body, Chrome never reports its end. */
const BODY_MS_MAX = 300;
/** A request to a polled address counts if it comes this soon after a possible cause. */
const CAUSED_MS_MAX = 50;
/** A poll that lasts this long was held open by its server until there was news. */
const HELD_MS_MIN = 1_000;
/** A worker's script is waited for no longer. If several pages share the worker, a page may never hear the end. */
const WORKER_SCRIPT_MS_MAX = 1_000;
const LINGERING_MAX = 5;
/** The bound for a tab. Beyond it the oldest requests are forgotten, because they may never end. */
const PENDING_MAX = 1_000;

/** A request under way. */
interface Pending {
  /** Its number in the order of all sent requests. */
  order: number;
  sentAtMs: number;
  client: CDPSession;
  loaderId: string;
  request: ReturnType<typeof briefOf>;
  family: string;
  /** Its family if it is a poll's request. */
  poll: string;
  isAwaited: boolean;
  isPolled: boolean;
  /** When the head of its answer came; only for a fetch. */
  answeredAtMs: number | undefined;
  isFromCache: boolean;
  /** Its action's wait ended before it did. */
  isLate: boolean;
  /** The page sent something to its address meanwhile, so its answer may be the result. */
  carriesAnswer: boolean;
}

/**
 * Why the wait for a reaction has ended. "out-of-time": its time is up. "interrupted": a dialog or the tab's end came
 * between.
 */
export type Ending = "over" | "out-of-time" | "interrupted";

/** The result of a request, for the actions under way. */
export interface Came {
  cause: Cause;
  /** The request's family. */
  by: string;
  /** The poll that it answers, which may be answered all the time. */
  poll?: string;
}

/** Requests of one name whose actions did not wait for their end. */
export interface Lingering {
  name: string;
  /** How many requests have that name. */
  count: number;
  /** The age of the oldest one. */
  ageMs: number;
}

export class Requests {
  /** Grows with each request that is sent. */
  sent = 0;
  readonly #pending = new Map<string, Pending>();
  /** Identities that were asked for while no action was under way. */
  readonly #background = new Map<string, true>();
  /** How often each family was asked for since the last action. */
  readonly #sinceAction = new Map<string, number>();
  /** Families and places that the page goes on asking for without an action, each time at another address. */
  readonly #polledFamilies = new Map<string, true>();
  /** How often the reactions under way asked for each place. */
  readonly #places = new Map<string, number>();
  /** Families that the page asks for again as soon as they have answered. */
  readonly #polls = new Polls();
  /** Families that an action once waited for in vain. */
  readonly #slow = new Map<string, true>();
  /** Families whose answers no script reads. */
  readonly #unread = new Map<string, true>();
  /** How often the reactions under way asked for each identity. */
  readonly #repeats = new Map<string, number>();

  /** Resets the counts when a reaction begins while no other is under way. */
  reset(): void {
    this.#repeats.clear();
    this.#sinceAction.clear();
    this.#places.clear();
  }

  /** Notes a request. `reactions`: those under way. Returns true if one of them waits for it. */
  began(
    client: CDPSession,
    event: Protocol.Network.RequestWillBeSentEvent,
    reactions: ReadonlySet<Reaction>,
  ): boolean {
    const { requestId, loaderId, type, request, redirectResponse } = event;
    if (redirectResponse || NEVER_AWAITED.has(type ?? "Other")) return false;
    const identity = identityOf(request);
    const place = hostAndPathOf(request);
    const poll = familyOf(request);
    if (reactions.size === 0) this.#askedAtRest(identity, [poll, place]);
    else count(this.#places, place);
    const family = this.#polledFamilies.has(place) ? place : poll;
    const goesOn = this.#polls.asked(poll, () => this.#isOpen(poll));
    const isPolled = this.#isPolled(identity, family) || this.#polls.has(poll);
    const mayBeCaused = !goesOn && [...reactions].some((each) => mayHaveCaused(each, family));
    const isAwaited = !this.#slow.has(family) && (!isPolled || mayBeCaused);
    const pending = {
      order: ++this.sent,
      sentAtMs: performance.now(),
      client,
      loaderId,
      request: briefOf(request),
      family,
      poll,
      isAwaited,
      isPolled,
      answeredAtMs: undefined,
      isFromCache: false,
      isLate: false,
      carriesAnswer: false,
    };
    keepNewest(this.#pending, requestId, pending, PENDING_MAX);
    return isAwaited;
  }

  /** Reads the headers that Chrome adds. A page never hears the end of a shared worker's script. */
  headersSent({ requestId, headers }: Protocol.Network.RequestWillBeSentExtraInfoEvent): void {
    if (headers["Sec-Fetch-Dest"] === "sharedworker") this.#pending.delete(requestId);
  }

  #askedAtRest(identity: string, families: readonly string[]): void {
    keepNewest(this.#background, identity, true, ADDRESSES_MAX);
    for (const family of new Set(families))
      if (count(this.#sinceAction, family) >= POLLED_AFTER)
        keepNewest(this.#polledFamilies, family, true, ADDRESSES_MAX);
  }

  #isPolled(identity: string, family: string): boolean {
    const times = count(this.#repeats, identity);
    const isRepeated = times > POLLED_AFTER || this.#background.has(identity);
    return isRepeated || this.#polledFamilies.has(family);
  }

  #isOpen(poll: string): boolean {
    return [...this.#pending.values()].some((pending) => pending.poll === poll);
  }

  /** Notes the head of an answer. Returns undefined if no action waits for it. */
  answered(
    { requestId, type, response }: Protocol.Network.ResponseReceivedEvent,
    reactions: ReadonlySet<Reaction>,
  ): Came | undefined {
    const pending = this.#pending.get(requestId);
    if (!pending) return undefined;
    pending.isFromCache = response.fromServiceWorker === true && (type === "Fetch" || type === "XHR");
    if (type !== "Fetch") return undefined;
    pending.answeredAtMs = performance.now();
    this.#polls.answered(pending.poll, isOf(pending, reactions));
    return isAwaitedBy(pending, reactions) ? { cause: "answer", by: pending.family } : undefined;
  }

  /** Notes a part of an answer. Returns undefined if no action waits for it, or its head has not come. */
  partCame(requestId: string, reactions: ReadonlySet<Reaction>): Came | undefined {
    const pending = this.#pending.get(requestId);
    if (pending?.answeredAtMs === undefined || !isAwaitedBy(pending, reactions)) return undefined;
    return { cause: "answer", by: pending.family };
  }

  /**
   * Notes the end of a request. Returns undefined if no action waited for it and it was not held open by its server.
   */
  ended(requestId: string, reactions: ReadonlySet<Reaction>): Came | undefined {
    const pending = this.#pending.get(requestId);
    if (!pending) return undefined;
    this.#pending.delete(requestId);
    const { family: by, poll, isFromCache, isPolled, sentAtMs } = pending;
    this.#polls.answered(poll, isOf(pending, reactions));
    const tookMs = performance.now() - sentAtMs;
    // An address that has become fast is waited for again.
    if (tookMs < SETTLE_MS_MAX) this.#slow.delete(by);
    if (isAwaitedBy(pending, reactions)) return { cause: isFromCache ? "cache" : "answer", by };
    if (this.#polls.has(poll) || pending.carriesAnswer) return { cause: "message", by, poll };
    return isPolled && tookMs < HELD_MS_MIN ? undefined : { cause: "message", by };
  }

  /** Returns true if a request is open since before the reaction: a later request's result may come over it. */
  anyBefore({ sentBefore }: Reaction): boolean {
    return [...this.#pending.values()].some(
      ({ order, answeredAtMs }) => order <= sentBefore && answeredAtMs === undefined,
    );
  }

  /**
   * Returns the poll that brings the answer to a message of a reaction: an older request to the same address that is
   * still held open. Engine.IO and SignalR send their messages so. Undefined if there is none.
   */
  pollOver(
    { request: { method, url } }: Protocol.Network.RequestWillBeSentEvent,
    reactions: ReadonlySet<Reaction>,
  ): string | undefined {
    if (reactions.size === 0 || method !== "POST") return undefined;
    const address = briefOf({ method, url }).url;
    const held = [...this.#pending.values()].find(
      (each) =>
        each.request.method === "GET" &&
        each.request.url === address &&
        each.answeredAtMs === undefined &&
        !isOf(each, reactions),
    );
    if (held) held.carriesAnswer = true;
    return held?.poll;
  }

  /** Returns when the last awaited request is given up. Undefined if the reaction waits for none. */
  awaitedUntilMs({ sentBefore }: Reaction): number | undefined {
    let untilMs: number | undefined;
    for (const pending of this.#pending.values()) {
      if (pending.order <= sentBefore || !pending.isAwaited) continue;
      const own = this.#untilMs(pending);
      if (own !== undefined) untilMs = Math.max(untilMs ?? 0, own);
    }
    return untilMs;
  }

  #untilMs({ answeredAtMs, family, sentAtMs, loaderId }: Pending): number | undefined {
    const nowMs = performance.now();
    if (answeredAtMs === undefined) {
      const untilMs = loaderId === "" ? sentAtMs + WORKER_SCRIPT_MS_MAX : Number.POSITIVE_INFINITY;
      return untilMs > nowMs ? untilMs : undefined;
    }
    if (this.#unread.has(family)) return undefined;
    const untilMs = answeredAtMs + BODY_MS_MAX;
    if (untilMs > nowMs) return untilMs;
    keepNewest(this.#unread, family, true, ADDRESSES_MAX);
    return undefined;
  }

  /**
   * Notes that the wait for a reaction has ended. No later reaction waits for an address that outlasted the time, until
   * it is fast again. Replies name the open requests of such addresses from now on, and those that an interrupted
   * reaction would still await.
   */
  settled({ sentBefore, ownSentBefore }: Reaction, ending: Ending): void {
    for (const [place, times] of this.#places)
      if (ending === "out-of-time" && times >= TRAIN_MIN)
        keepNewest(this.#polledFamilies, place, true, ADDRESSES_MAX);
    for (const pending of this.#pending.values()) {
      if (pending.order <= sentBefore || pending.answeredAtMs !== undefined) continue;
      const { family, isAwaited, order } = pending;
      // The time during which a dialog was open says nothing about an address.
      if (ending === "out-of-time" && isAwaited && order > ownSentBefore)
        keepNewest(this.#slow, family, true, ADDRESSES_MAX);
      if (this.#slow.has(family) || (ending === "interrupted" && isAwaited)) pending.isLate = true;
    }
  }

  /** Returns the oldest requests whose actions did not wait for their end, each name once. */
  lingering(pageUrl: string): Lingering[] {
    const byName = new Map<string, Lingering>();
    for (const { isLate, answeredAtMs, request, sentAtMs } of this.#pending.values()) {
      if (!isLate || answeredAtMs !== undefined) continue;
      const name = nameOf(request, pageUrl);
      const known = byName.get(name);
      if (known) known.count++;
      else if (byName.size < LINGERING_MAX)
        byName.set(name, { name, count: 1, ageMs: performance.now() - sentAtMs });
    }
    return [...byName.values()];
  }

  /** Notes another document. No action waits for requests of earlier ones, and their end may never be reported. */
  committed(loaderId: string): void {
    this.#polls.committed();
    this.#drop((pending) => pending.loaderId !== loaderId);
  }

  /** Notes that a process's session has ended, so that its requests report nothing more. */
  unwatched(client: CDPSession): void {
    this.#drop((pending) => pending.client === client);
  }

  #drop(isGone: (pending: Pending) => boolean): void {
    for (const [id, pending] of this.#pending) if (isGone(pending)) this.#pending.delete(id);
  }
}

function isAwaitedBy(pending: Pending, reactions: ReadonlySet<Reaction>): boolean {
  return pending.isAwaited && isOf(pending, reactions);
}

/** Returns true if it was sent during an action that is under way. */
function isOf({ order }: Pending, reactions: ReadonlySet<Reaction>): boolean {
  return [...reactions].some(({ sentBefore }) => order > sentBefore);
}

/**
 * Returns true if the action may be the cause of a polled family's request. An answer of the same family is no cause:
 * that is the poll.
 */
function mayHaveCaused({ causedAtMs, causedBy }: Reaction, family: string): boolean {
  return causedBy !== family && performance.now() - causedAtMs <= CAUSED_MS_MAX;
}

/** Counts one more and returns the count. */
function count(times: Map<string, number>, what: string): number {
  const counted = (times.get(what) ?? 0) + 1;
  keepNewest(times, what, counted, ADDRESSES_MAX);
  return counted;
}
