// Connects the parts that keep sessions in a database with other daemons.
import { hostname } from "node:os";
import type { Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { Ownership } from "../store/ownership.ts";
import type { Postgres } from "../store/postgres.ts";
import { PostgresStore } from "../store/postgres-store.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { Cluster } from "./cluster.ts";
import { Membership } from "./membership.ts";
import type { PeerLinks } from "./peer-links.ts";
import { NO_PEERS } from "./peer-problems.ts";
import { SessionDirectory } from "./session-directory.ts";
import { SessionHandover } from "./session-handover.ts";

export interface SharedStoreParts {
  database: Postgres;
  keys: KeyRing;
  clock: Clock;
  log: Log;
  /** Undefined without a door for the other daemons. */
  links: PeerLinks | undefined;
  /** Called when this daemon's lease can be served upon no more. */
  stopped(): void;
}

/** The store of a database with other daemons, and this daemon's lease. */
export class SharedStore {
  readonly store: PostgresStore;
  readonly #parts: SharedStoreParts;
  readonly #ownership: Ownership;
  readonly #membership: Membership;
  #handover: SessionHandover | undefined;
  #hasWarned = false;

  constructor(parts: SharedStoreParts) {
    this.#parts = parts;
    const { database, links, stopped } = parts;
    this.#membership = new Membership({
      ...parts,
      name: hostname(),
      stopped,
      seen: (incarnations) => (links ? links.keepOnly(incarnations) : this.#warnOfOthers(incarnations)),
      revalidated: async () => await this.#handover?.revalidate(),
    });
    this.#ownership = new Ownership(database, this.#membership.incarnation);
    this.store = new PostgresStore({ ...parts, ownership: this.#ownership });
  }

  get incarnation(): string {
    return this.#membership.incarnation;
  }

  /** A daemon may use the database alone, without `peers`. */
  #warnOfOthers(others: readonly string[]): void {
    if (others.length === 0 || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.log.warn(NO_PEERS);
  }

  /** Makes this daemon's part among the others. */
  cluster(among: { sessions: Sessions; supervisor: Supervisor; limits: { sessionIdle: number } }): Cluster {
    const parts = { ...this.#parts, ...among, store: this.store, ownership: this.#ownership };
    this.#handover = new SessionHandover(parts);
    return new Cluster({
      ...parts,
      membership: this.#membership,
      handover: this.#handover,
      expire: (idleMs) => this.#ownership.expire(idleMs),
      directory: new SessionDirectory(this.#ownership),
    });
  }
}
