// The requests of a tab's pages that are under way, and which of them an action waits for.
import type { CDPSession, Protocol } from "puppeteer-core";
import { keepNewest } from "../../proto/machine/newest.ts";
import { Polls } from "./polls.ts";
import { type Cause, type Reaction, SETTLE_MS_MAX } from "./reaction.ts";
import { briefOf, familyOf, hostAndPathOf, identityOf, nameOf } from "./request-family.ts";

/** Requests that last as long as they like, or that no content depends on. */
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

/** How many addresses are remembered of a tab, for each thing that is known of them. */
const ADDRESSES_MAX = 1_000;
/** An identity that one action's page asked for so often is polled. */
const POLLED_AFTER = 3;
/** A place that one action's page asked for so often, beyond the action's time, is polled. */
const TRAIN_MIN = 10;
/** A page that reads an answer's body has it by then; of one that nobody reads, Chrome never tells the end. */
const BODY_MS_MAX = 300;
/** A polled address counts where its request comes so soon after what may have caused it. */
const CAUSED_MS_MAX = 50;
/** A poll that lasts so long was held open by its server until there was something to say. */
const HELD_MS_MIN = 1_000;
/** A worker's script is waited for no longer: of one that several pages share, a page may never hear the end. */
const WORKER_SCRIPT_MS_MAX = 1_000;
const LINGERING_MAX = 5;
/** Of a tab; beyond so many, the oldest are forgotten, as they may never end. */
const PENDING_MAX = 1_000;

/** A request under way. */
interface Pending {
  /** Its place among all that were sent. */
  order: number;
  sentAtMs: number;
  client: CDPSession;
  loaderId: string;
  request: ReturnType<typeof briefOf>;
  family: string;
  /** The family that it is in where it is a poll's. */
  poll: string;
  isAwaited: boolean;
  isPolled: boolean;
  /** When the head of its answer came; of a fetch alone. */
  answeredAtMs: number | undefined;
  isFromCache: boolean;
  /** The wait of its action ended before it did. */
  isLate: boolean;
}

/** Why a reaction is waited for no longer: it is over, its time is, or a dialog or the tab's end came between. */
export type Ending = "over" | "out-of-time" | "interrupted";

/** What came of a request, for the actions under way. */
export interface Came {
  cause: Cause;
  /** The request's family. */
  by: string;
  /** The poll that it answers, which may be answered all the time. */
  poll?: string;
}

/** Requests of one name that their actions did not wait for to the end. */
export interface Lingering {
  name: string;
  /** How many of that name there are. */
  count: number;
  /** The oldest one's. */
  ageMs: number;
}

export class Requests {
  /** Grows with each request that is sent. */
  sent = 0;
  readonly #pending = new Map<string, Pending>();
  /** Asked for while no action was under way. */
  readonly #background = new Map<string, true>();
  /** How often each family was asked for since the last action. */
  readonly #sinceAction = new Map<string, number>();
  /** Families and places that the page goes on asking for while no action is under way, each time at another address. */
  readonly #polledFamilies = new Map<string, true>();
  /** How often the reactions under way asked for each place. */
  readonly #places = new Map<string, number>();
  /** Families that the page asks for again as soon as they have answered. */
  readonly #polls = new Polls();
  /** Families that an action once waited for in vain. */
  readonly #slow = new Map<string, true>();
  /** Families whose answers nobody reads. */
  readonly #unread = new Map<string, true>();
  /** How often the reactions under way asked for each identity. */
  readonly #repeats = new Map<string, number>();

  /** A reaction begins while no other is under way. */
  reset(): void {
    this.#repeats.clear();
    this.#sinceAction.clear();
    this.#places.clear();
  }

  /** `reactions`: those under way. True where one of them waits for it. */
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
    };
    keepNewest(this.#pending, requestId, pending, PENDING_MAX);
    return isAwaited;
  }

  /** What Chrome adds to a request: of a shared worker's script the page never hears the end. */
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

  /** The head of an answer came. Undefined where no action waits for it. */
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

  /** A part of an answer came. Undefined where no action waits for it, or its head has not come. */
  partCame(requestId: string, reactions: ReadonlySet<Reaction>): Came | undefined {
    const pending = this.#pending.get(requestId);
    if (pending?.answeredAtMs === undefined || !isAwaitedBy(pending, reactions)) return undefined;
    return { cause: "answer", by: pending.family };
  }

  /** It ended. Undefined where no action waited for it, and it was not held open since before. */
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
    if (this.#polls.has(poll)) return { cause: "message", by, poll };
    return isPolled && tookMs < HELD_MS_MIN ? undefined : { cause: "message", by };
  }

  /** Whether a request is under way since before the reaction: the answer to a later one may come over it. */
  anyBefore({ sentBefore }: Reaction): boolean {
    return [...this.#pending.values()].some(
      ({ order, answeredAtMs }) => order <= sentBefore && answeredAtMs === undefined,
    );
  }

  /** When the last of those that the reaction waits for is given up; undefined where it waits for none. */
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
   * A reaction is waited for no longer. What outlasted its time, no later one waits for again until it has become faster.
   * What it leaves behind of such addresses is named from now on, and what it would have waited for yet.
   */
  settled({ sentBefore, ownSentBefore }: Reaction, ending: Ending): void {
    for (const [place, times] of this.#places)
      if (ending === "out-of-time" && times >= TRAIN_MIN)
        keepNewest(this.#polledFamilies, place, true, ADDRESSES_MAX);
    for (const pending of this.#pending.values()) {
      if (pending.order <= sentBefore || pending.answeredAtMs !== undefined) continue;
      const { family, isAwaited, order } = pending;
      // The time that a dialog was open says nothing about an address.
      if (ending === "out-of-time" && isAwaited && order > ownSentBefore)
        keepNewest(this.#slow, family, true, ADDRESSES_MAX);
      if (this.#slow.has(family) || (ending === "interrupted" && isAwaited)) pending.isLate = true;
    }
  }

  /** The oldest requests that their actions did not wait for to the end, each name once. */
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

  /** Another document is shown: nobody waits for what those before asked for, and its end may never be told. */
  committed(loaderId: string): void {
    this.#polls.committed();
    this.#drop((pending) => pending.loaderId !== loaderId);
  }

  /** A process's session has ended: of its requests nothing more is heard. */
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

/** Whether it was sent during an action that is under way. */
function isOf({ order }: Pending, reactions: ReadonlySet<Reaction>): boolean {
  return [...reactions].some(({ sentBefore }) => order > sentBefore);
}

/** Whether the page may ask for a polled family because of the action. An answer of the same family is no reason: that is the poll. */
function mayHaveCaused({ causedAtMs, causedBy }: Reaction, family: string): boolean {
  return causedBy !== family && performance.now() - causedAtMs <= CAUSED_MS_MAX;
}

/** Counts one more; how many that makes. */
function count(times: Map<string, number>, what: string): number {
  const counted = (times.get(what) ?? 0) + 1;
  keepNewest(times, what, counted, ADDRESSES_MAX);
  return counted;
}
