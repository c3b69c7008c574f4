// Decides for each call which daemon serves it: this one, the living owner of its session, or this one after a claim.
import type { Client as GrpcClient } from "@grpc/grpc-js";
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { draining, ownerUnreached, storeUnavailable } from "../sessions/unavailable.ts";
import { databaseAnswer } from "../store/database-errors.ts";
import type { SessionIdentity } from "../store/ownership.ts";
import type { Membership, Pod } from "./membership.ts";
import type { LinkUse, PeerLinks } from "./peer-links.ts";
import type { SessionHandover } from "./session-handover.ts";

/** Another daemon, with an open connection to it. */
export interface Peer {
  pod: Pod;
  client: GrpcClient;
}

/**
 * Where a call is served. `use`: here; the session stays until this is disposed of. `owner`: the call came from another
 * daemon, and this one does not have its session, but perhaps knows which daemon has.
 */
export type Place = { use: Disposable } | Peer | { owner: string | undefined };

/** The owners that are remembered, so that a call costs no question to the database. */
const OWNERS_MAX = 100_000;
/** The wait before a call is placed again, because its daemon gives the session up just then. */
const PLACE_AGAIN_MS = 20;
/** The longest time between two looks at an owner that does not answer. */
const LOOK_AGAIN_MS = 250;
const SAME_ADDRESS = "another daemon answers at this one's address: `peers.address` must differ";

/** A call that waits for its place. */
export interface CallToPlace {
  /** The end of the wait by the steady clock. */
  untilMs: number;
  /** Called when the session's owner cannot be reached, and may go on. */
  unreached?(): void;
  /** Another daemon sent the call here. */
  isForwarded: boolean;
  /** The connection that the call takes to another daemon. */
  use: LinkUse;
  /** Returns true if the call names no ref and its reply gives new ones. */
  renewsRefs(): boolean;
}

export interface RouterParts {
  membership: Membership;
  handover: SessionHandover;
  /** Undefined without a door for other daemons: then this daemon is alone. */
  links: PeerLinks | undefined;
  clock: Clock;
  log: Log;
}

/** The router of one daemon of several. */
export class SessionRouter {
  /** This daemon serves no new call any more. */
  isDraining = false;
  readonly #parts: RouterParts;
  /** By session, the incarnation of the owner. */
  readonly #owners = new Map<string, string>();

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  /**
   * Returns the place of the session's call. Waits for the end of an owner that cannot be reached. Rejects with
   * STORE_UNAVAILABLE, or with DAEMON_DRAINING.
   */
  async placeOf(session: SessionIdentity, call: CallToPlace): Promise<Place> {
    const { untilMs, isForwarded, renewsRefs } = call;
    const { membership, handover, clock } = this.#parts;
    const { key } = session;
    for (;;) {
      if (this.isDraining) return await this.#whileDraining(key, isForwarded, renewsRefs());
      if (!membership.isServing) throw leaseLost();
      const known = handover.isHere(key) || isForwarded ? undefined : this.#owners.get(key);
      const entered = known === undefined ? await handover.enter(session) : { owner: known };
      if (entered && "use" in entered) return this.#served(entered);
      if (isForwarded) return { owner: entered?.owner };
      const peer = entered && (await this.#reached(entered.owner, call));
      if (peer) {
        keepNewest(this.#owners, key, peer.pod.incarnation, OWNERS_MAX);
        return peer;
      }
      this.#owners.delete(key);
      if (clock.steady() >= untilMs) throw ownerUnreached();
    }
  }

  /** Waits before a call is placed again that its daemon did not begin. Throws STORE_UNAVAILABLE after `untilMs`. */
  async unplaced(untilMs: number): Promise<void> {
    const { membership, clock } = this.#parts;
    if (clock.steady() >= untilMs) throw storeUnavailable("no daemon takes the session");
    await membership.changed(PLACE_AGAIN_MS);
  }

  /**
   * Notes that another daemon answers at an owner's address. A restart shows so: the owner has ended then. Otherwise two
   * daemons have one address, and an operator must mend that. Rejects with STORE_UNAVAILABLE.
   */
  async replaced(pod: Pod, key: string): Promise<void> {
    this.#owners.delete(key);
    if (!(await this.hasEnded(pod, "replaced")))
      throw ownerUnreached("another daemon answers in place of the one that has it");
  }

  /**
   * Returns true if a daemon that cannot be called has ended. `replaced`: another one answers at its address. Rejects
   * with STORE_UNAVAILABLE.
   */
  async hasEnded(pod: Pod, why: "unreachable" | "replaced"): Promise<boolean> {
    const { membership, links } = this.#parts;
    const isReplaced = why === "replaced";
    if (isReplaced) links?.forget(pod.incarnation);
    if (!(await databaseAnswer(membership.declareDead(pod.incarnation)))) {
      if (isReplaced) links?.problems.found(pod, SAME_ADDRESS);
      else if (!membership.isSuspect(pod)) links?.explain(pod);
      return false;
    }
    links?.forget(pod.incarnation);
    return true;
  }

  /** Notes the session's owner, as a daemon says that does not have the session. It may not know either. */
  learn(key: string, owner: string | undefined): void {
    this.#owners.delete(key);
    if (owner && this.#parts.membership.living(owner)) keepNewest(this.#owners, key, owner, OWNERS_MAX);
  }

  /** A daemon that stood still while it claimed the session may have lost it again. Throws STORE_UNAVAILABLE. */
  #served(entered: { use: Disposable }): { use: Disposable } {
    if (this.#parts.membership.isServing) return entered;
    entered.use[Symbol.dispose]();
    throw leaseLost();
  }

  /** A session moves with a call that gives it new refs, because those that it has end with its pages here. */
  async #whileDraining(key: string, isForwarded: boolean, renewsRefs: boolean): Promise<Place> {
    const { handover } = this.#parts;
    if (renewsRefs) await handover.release(key, true);
    const use = await handover.enterIfHere(key);
    if (use) return this.#served({ use });
    return isForwarded ? { owner: this.#owners.get(key) } : await this.#elsewhere(key);
  }

  /** Returns the owner if it can be reached. Otherwise waits for news of it. */
  async #reached(owner: string, { use, unreached }: CallToPlace): Promise<Peer | undefined> {
    const { membership, links, clock } = this.#parts;
    if (!membership.living(owner)) await membership.refresh();
    const pod = membership.living(owner);
    if (!pod) return undefined;
    if (!links || pod.address === undefined)
      throw ownerUnreached("another daemon has it, and `peers` does not say how to reach that one");
    if (!membership.isSuspect(pod)) {
      const client = await links.reach(pod, use);
      if (client) return { pod, client };
      if (await this.hasEnded(pod, "unreachable")) return undefined;
    }
    unreached?.();
    await membership.changed(Math.min(LOOK_AGAIN_MS, Math.max(1, pod.aliveUntilMs - clock.steady())));
    return undefined;
  }

  /** Returns another daemon for a session that this one gives up. Throws DAEMON_DRAINING if there is none. */
  async #elsewhere(key: string): Promise<Place> {
    const { membership } = this.#parts;
    const known = await this.#otherFor(key);
    if (known) return known;
    // A daemon may have come since the last reading.
    await membership.refresh();
    const come = await this.#otherFor(key);
    if (come) return come;
    throw draining("none");
  }

  /** Returns the session's owner, or any other daemon that does not end. Only one that answers counts. */
  async #otherFor(key: string): Promise<Peer | undefined> {
    const { membership, links } = this.#parts;
    const known = this.#owners.get(key);
    const others = membership.others.filter((pod) => !membership.isSuspect(pod));
    // An owner has its session for as long as it drains.
    const owner = others.filter(({ incarnation }) => incarnation === known);
    for (const pod of [...owner, ...others.filter(({ isDraining }) => !isDraining)]) {
      const client = await links?.reach(pod);
      if (client) return { pod, client };
    }
    return undefined;
  }
}

function leaseLost(): TroupeError {
  return storeUnavailable("this daemon's lease could not be renewed");
}
