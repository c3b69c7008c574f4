// The daemons of one database, as this one takes part in them.
import type { Client as GrpcClient, ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../proto/errors/status.ts";
import type { ControlMethods, Input } from "../../proto/gen/troupe.ts";
import type { Client } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";
import { InFlightCounter } from "../core/in-flight-counter.ts";
import type { Log } from "../core/log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { draining, ownerUnreached, storeUnavailable } from "../sessions/unavailable.ts";
import { reasonIn } from "../store/database-errors.ts";
import type { DirectoryEntry } from "../store/ownership.ts";
import type { Postgres } from "../store/postgres.ts";
import type { PostgresStore } from "../store/postgres-store.ts";
import { isFromOther } from "./meant-daemon.ts";
import { FORGET_PODS, type Membership, type Pod } from "./membership.ts";
import { askPeer, type ControlReply, type PeerRpc } from "./peer-control.ts";
import type { PeerLinks } from "./peer-links.ts";
import { NO_PEERS } from "./peer-problems.ts";
import type { SessionHandover } from "./session-handover.ts";
import { SessionRouter } from "./session-router.ts";

/** The time between two looks for unused sessions without an owner. */
const TIDY_MS = 60_000;
/** The time that sessions which are over have to be deleted at the daemon's end. */
const DELETED_MS = 2_000;
/** The shortest time between two looks at a lease that seems to have ended. */
const LOOK_AGAIN_MS = 20;

export interface ClusterParts {
  database: Postgres;
  store: PostgresStore;
  sessions: Pick<Sessions, "of">;
  membership: Membership;
  handover: SessionHandover;
  /** Undefined without a door for the other daemons. */
  links: PeerLinks | undefined;
  /** Stays current when the configuration is read again. */
  limits: { sessionIdle: number };
  /** Deletes unused sessions without a living owner. */
  expire(idleMs: number): Promise<void>;
  /** Returns the sessions of these owners, and those without a living one, newest first. Rejects with the database's error. */
  resting(owners: readonly string[]): Promise<DirectoryEntry[]>;
  /** Returns the sessions that have one of the keys or the id. Rejects with the database's error. */
  named(keys: readonly string[], id: string): Promise<DirectoryEntry[]>;
  /** Returns the named sessions beside the session of this key. Rejects with the database's error. */
  beside(key: string): Promise<DirectoryEntry[]>;
  clock: Clock;
  log: Log;
}

/** The replies of the other daemons, and the errors of those that gave no reply. */
export interface Answers<T> {
  replies: T[];
  failures: unknown[];
  /** The incarnations of the daemons that gave none. */
  silent: string[];
}

/** A daemon that was not asked. `replaced`: another one answers at its address, and has begun nothing. */
interface Unasked {
  why: "unreachable" | "replaced";
}

/** This daemon among the others. */
export class Cluster implements AsyncDisposable {
  readonly router: SessionRouter;
  readonly handover: SessionHandover;
  readonly #parts: ClusterParts;
  readonly #calls: InFlightCounter;
  readonly #leaving = new AbortController();
  readonly #forwards = new Set<{ pod: Pod; end: AbortController }>();
  #forwarded = 0;
  #tidying: { cancel(): void } | undefined;
  #watching: { cancel(): void } | undefined;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
    this.handover = parts.handover;
    this.#calls = new InFlightCounter(parts.clock);
    this.router = new SessionRouter(parts);
  }

  /** This daemon's own name among the others, another one at each start. */
  get incarnation(): string {
    return this.#parts.membership.incarnation;
  }

  /** Returns true if this daemon has the session. */
  owns(key: string): boolean {
    return this.#parts.store.owns(key);
  }

  /** The lease holds, so calls are taken. */
  get isServing(): boolean {
    return this.#parts.membership.isServing;
  }

  /** The problems of calls to other daemons, for operators. */
  get warnings(): string[] {
    const { links, membership } = this.#parts;
    return links?.problems.warnings ?? (membership.others.length > 0 ? [NO_PEERS] : []);
  }

  /** The calls and sessions that went from daemon to daemon since the start. */
  get counts() {
    return { ...this.handover.counts, forwarded: this.#forwarded };
  }

  /** Takes the first lease. `address`: how the others reach this daemon. */
  async join(address: string | undefined): Promise<void> {
    const { membership } = this.#parts;
    membership.address = address;
    await membership.join();
    this.#tidyLater();
  }

  /** Asks the control planes of all other daemons. `deadlineMs`: the latest answer, in milliseconds since the epoch. */
  askOthers<M extends PeerRpc>(
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
    client: Client,
    deadlineMs?: number,
  ): Promise<Answers<ControlReply<M>>> {
    return this.askEach((peer) => askPeer(peer, { rpc, request, client, deadlineMs }, this.#parts.clock));
  }

  /**
   * Asks one other daemon. Resolves with undefined if it has ended. Rejects with its ServiceError, or with
   * STORE_UNAVAILABLE if it cannot be reached.
   */
  async askOwner<M extends PeerRpc>(
    owner: string,
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
    client: Client,
  ): Promise<ControlReply<M> | undefined> {
    const { membership, clock } = this.#parts;
    if (!membership.living(owner)) await membership.refresh();
    const pod = membership.living(owner);
    if (!pod) return undefined;
    const outcome = await this.#ask(pod, (peer) => askPeer(peer, { rpc, request, client }, clock));
    if ("reply" in outcome) return outcome.reply;
    if (await this.router.hasEnded(pod, outcome.why)) return undefined;
    throw ownerUnreached();
  }

  /** Asks all other daemons. */
  async askEach<T>(ask: (peer: GrpcClient) => Promise<T>): Promise<Answers<T>> {
    const { membership } = this.#parts;
    // A daemon may have come since the last reading.
    await membership.refresh();
    return await this.#askAll(ask, (pod, why) => this.router.hasEnded(pod, why));
  }

  /**
   * Asks the other daemons that answer, or only the one of that incarnation. It costs the database nothing, because
   * anybody can cause it.
   */
  async askReachable<T>(ask: (peer: GrpcClient) => Promise<T>, only?: string): Promise<Answers<T>> {
    return await this.#askAll(ask, () => Promise.resolve(false), only);
  }

  async #askAll<T>(
    ask: (peer: GrpcClient) => Promise<T>,
    hasEnded: (pod: Pod, why: Unasked["why"]) => Promise<boolean>,
    only?: string,
  ): Promise<Answers<T>> {
    const { others } = this.#parts.membership;
    const meant = only === undefined ? others : others.filter(({ incarnation }) => incarnation === only);
    const asked = meant.map(async (pod) => {
      const outcome = await this.#ask(pod, ask);
      if ("reply" in outcome) return outcome.reply;
      if (await hasEnded(pod, outcome.why)) return undefined;
      throw new Error(`${pod.name} cannot be reached`);
    });
    const settled = await Promise.allSettled(asked);
    return {
      replies: settled.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : [])),
      failures: settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : [])),
      silent: meant.filter((_pod, index) => isSilent(settled[index])).map(({ incarnation }) => incarnation),
    };
  }

  /** Asks one other daemon. Rejects with its ServiceError. */
  async #ask<T>(pod: Pod, ask: (peer: GrpcClient) => Promise<T>): Promise<{ reply: T } | Unasked> {
    const { membership, links } = this.#parts;
    const peer = membership.isSuspect(pod) ? undefined : await links?.reach(pod);
    if (!peer) return { why: "unreachable" };
    try {
      return { reply: await ask(peer) };
    } catch (error) {
      if (isFromOther(error as ServiceError)) return { why: "replaced" };
      throw error;
    }
  }

  /** Resolves with true if a daemon whose connection broke goes on or may do so, and with false once it has ended. */
  async goesOn({ incarnation }: Pod): Promise<boolean> {
    try {
      return await this.#parts.membership.goesOn(incarnation);
    } catch (error) {
      this.#parts.log.debug({ reason: reasonIn(error) }, "it is not known whether a daemon goes on");
      return true;
    }
  }

  /**
   * Returns the sessions that no living daemon has, and those of these owners, newest first. Rejects with
   * STORE_UNAVAILABLE.
   */
  resting(owners: readonly string[]): Promise<DirectoryEntry[]> {
    return answered(this.#parts.resting(owners));
  }

  /** Aborts when this daemon is to end. Clients begin their watches elsewhere then. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Counts a call that this daemon has taken, until its reply. Another daemon may make the reply. */
  taken(): Disposable {
    return { [Symbol.dispose]: this.#calls.begin() };
  }

  /** Resolves when every call that was taken has its reply, or after `boundMs`. */
  async calm(boundMs: number): Promise<void> {
    await this.#calls.within(boundMs);
  }

  /** Returns the sessions that have one of the keys or the id, the last used first. Rejects with STORE_UNAVAILABLE. */
  named(keys: readonly string[], id: string): Promise<DirectoryEntry[]> {
    return answered(this.#parts.named(keys, id));
  }

  /** Returns the named sessions beside the session of this key. Rejects with STORE_UNAVAILABLE. */
  beside(key: string): Promise<DirectoryEntry[]> {
    return answered(this.#parts.beside(key));
  }

  /** Counts a call to another daemon. Its signal aborts when that daemon's lease has ended. */
  forwarding(pod: Pod): { signal: AbortSignal } & Disposable {
    const end = new AbortController();
    const forward = { pod, end };
    this.#forwards.add(forward);
    this.#forwarded++;
    if (!this.#watching) this.#watch();
    return { signal: end.signal, [Symbol.dispose]: () => void this.#forwards.delete(forward) };
  }

  /**
   * Serves no new session, gives all up, and resolves when that is done. `sparedMs`: the time that a session may stay
   * because it would lose something.
   */
  async drain(sparedMs: number): Promise<void> {
    const { membership, handover } = this.#parts;
    this.router.isDraining = true;
    this.#leaving.abort(draining("none"));
    membership.isDraining = true;
    await membership.refresh();
    await handover.releaseAll(sparedMs, () => membership.others.some(({ isDraining }) => !isDraining));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { membership, links, store, database, log } = this.#parts;
    this.#tidying?.cancel();
    this.#watching?.cancel();
    links?.[Symbol.dispose]();
    try {
      await store.deleted(DELETED_MS);
    } catch (error) {
      log.warn({ err: error }, "sessions that are over may come back at another daemon");
    }
    await membership[Symbol.asyncDispose]();
    store[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  }

  /** Ends calls to daemons whose lease has ended. Looks again when the next lease of a called daemon may end. */
  #watch(): void {
    const { membership, clock } = this.#parts;
    const called = [...this.#forwards].map(({ pod }) => membership.living(pod.incarnation)?.aliveUntilMs);
    const until = called.reduce<number>(
      (first, each) => Math.min(first, each ?? 0),
      Number.POSITIVE_INFINITY,
    );
    if (until === Number.POSITIVE_INFINITY) {
      this.#watching = undefined;
      return;
    }
    const inMs = Math.max(LOOK_AGAIN_MS, until - clock.steady() + 1);
    this.#watching = clock.after(inMs, () => void this.#endForwards().then(() => this.#watch()));
  }

  async #endForwards(): Promise<void> {
    const { membership } = this.#parts;
    // Without the database no daemon can take a session over.
    if (!(await membership.refresh())) return;
    for (const forward of this.#forwards) {
      if (membership.living(forward.pod.incarnation)) continue;
      forward.end.abort(OWNER_GONE);
      this.#forwards.delete(forward);
    }
  }

  #tidyLater(): void {
    this.#tidying = this.#parts.clock.after(TIDY_MS, () => void this.#tidy().then(() => this.#tidyLater()));
  }

  async #tidy(): Promise<void> {
    const { log, limits, expire, store, database } = this.#parts;
    try {
      await this.handover.releaseUnknown();
      await expire(limits.sessionIdle);
      await database.rows(FORGET_PODS, []);
      await store.measure();
    } catch (error) {
      log.debug({ err: error }, "the database could not be tidied");
    }
  }
}

async function answered<T>(rows: Promise<T>): Promise<T> {
  try {
    return await rows;
  } catch (error) {
    throw storeUnavailable("the database does not answer", "none", error);
  }
}

/** The abort reason of a call to a daemon whose lease has ended. */
export const OWNER_GONE = "the daemon that carried the call out has ended";

/** A daemon that answers with an error is not silent. */
function isSilent(outcome: PromiseSettledResult<unknown> | undefined): boolean {
  if (outcome?.status !== "rejected") return false;
  return fromStatus(outcome.reason as ServiceError) === undefined;
}
