// The daemons of one database, as this one takes part in them.
import type { Clock } from "../core/clock.ts";
import { InFlightCounter } from "../core/in-flight-counter.ts";
import type { Log } from "../core/log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { draining } from "../sessions/unavailable.ts";
import { reasonIn } from "../store/database-errors.ts";
import type { Postgres } from "../store/postgres.ts";
import type { PostgresStore } from "../store/postgres-store.ts";
import { FORGET_PODS, type Membership, type Pod } from "./membership.ts";
import { OtherDaemons } from "./other-daemons.ts";
import type { PeerLinks } from "./peer-links.ts";
import { NO_PEERS } from "./peer-problems.ts";
import type { SessionDirectory } from "./session-directory.ts";
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
  directory: SessionDirectory;
  clock: Clock;
  log: Log;
}

/** This daemon among the others. */
export class Cluster implements AsyncDisposable {
  readonly router: SessionRouter;
  readonly handover: SessionHandover;
  readonly directory: SessionDirectory;
  readonly others: OtherDaemons;
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
    this.directory = parts.directory;
    this.#calls = new InFlightCounter(parts.clock);
    this.router = new SessionRouter(parts);
    this.others = new OtherDaemons({ ...parts, router: this.router });
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

  /** Resolves with true if a daemon whose connection broke goes on or may do so, and with false once it has ended. */
  async goesOn({ incarnation }: Pod): Promise<boolean> {
    try {
      return await this.#parts.membership.goesOn(incarnation);
    } catch (error) {
      this.#parts.log.debug({ reason: reasonIn(error) }, "it is not known whether a daemon goes on");
      return true;
    }
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

/** The abort reason of a call to a daemon whose lease has ended. */
export const OWNER_GONE = "the daemon that carried the call out has ended";
