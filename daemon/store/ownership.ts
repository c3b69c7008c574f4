// Which daemon owns a session, by the database's rows and clock alone. The epoch counts a session's owners.
import { baseKeyOf } from "../sessions/connection-sessions.ts";
import type { StoredSession } from "../sessions/session.ts";
import type { Postgres, Statement } from "./postgres.ts";
import { rolesIn } from "./sealed-parts.ts";

/** The identity of a session that may be new. */
export type SessionIdentity = Pick<StoredSession, "key" | "id" | "client">;

/** The outcome of a claim. `owner`: the living daemon that owns the session. */
export type Claim =
  | { state: "elsewhere"; owner: string }
  /** Its owner has ended, and this daemon may not take it. */
  | { state: "left" }
  /** Its owner has ended, and this daemon lacks the key of what is stored. */
  | { state: "sealed"; keyId: string }
  | { state: "new"; epoch: number }
  /** `from`: its last owner, unless that had put it to rest and given it up. */
  | { state: "taken"; epoch: number; stored: StoredSession; from: string | undefined };

/** A session, and the living daemon that owns it; undefined for one that rests in none. */
export type DirectoryEntry = StoredSession & { owner: string | undefined };

interface SessionRow extends Record<string, unknown> {
  id: string;
  client: string;
  current_role_name: string;
  created_at_ms: string;
  used_at_ms: string;
  roles: string;
  owner: string | null;
  epoch: string;
}

type SessionRowFound = SessionRow & { is_alive: boolean };

/** Says which older sessions a daemon can take over. */
export interface Takeable {
  /** Returns false if there is no room for an older session. */
  hasRoom(): boolean;
  /** Returns true if it has the key of that id. */
  hasKey(keyId: string): boolean;
}

/** They are named, because a later version's migration may add one, and that breaks a prepared `*`. */
const COLUMNS = "id, client, current_role_name, created_at_ms, used_at_ms, roles, owner, epoch";
/** True if a living daemon owns the row of `sessions`. */
const IS_ALIVE =
  "EXISTS (SELECT 1 FROM pods WHERE incarnation = sessions.owner AND alive_until > clock_timestamp())";
const FIND: Statement = {
  name: "find session",
  text: `SELECT ${COLUMNS}, ${IS_ALIVE} AS is_alive,
      ARRAY(SELECT DISTINCT key_id FROM parts WHERE session = $1) AS key_ids
    FROM sessions WHERE key = $1`,
};
const BEGIN: Statement = {
  name: "begin session",
  text: `INSERT INTO sessions (key, id, client, created_at_ms, used_at_ms, owner, last_change, epoch)
    VALUES ($1, $2, $3, $4, $4, $5, $6, 1) ON CONFLICT DO NOTHING RETURNING epoch`,
};
/** The lock of the owner's row makes a renewal of its lease wait, and the other way round. One of them sees the other. */
const TAKE: Statement = {
  name: "take session",
  text: `WITH living AS (SELECT alive_until FROM pods WHERE incarnation = $4 FOR UPDATE)
    UPDATE sessions SET owner = $2, epoch = epoch + 1, last_change = $5, written_at = clock_timestamp()
    WHERE key = $1 AND epoch = $3 AND owner IS NOT DISTINCT FROM $4
      AND NOT EXISTS (SELECT 1 FROM living WHERE alive_until > clock_timestamp())
    RETURNING ${COLUMNS}`,
};
/** A release of the row that got no answer may still be on its way. With the next epoch, it finds nothing. */
const TAKE_AGAIN: Statement = {
  name: "take session again",
  text: `UPDATE sessions SET epoch = epoch + 1, last_change = $4, written_at = clock_timestamp()
    WHERE key = $1 AND owner = $2 AND epoch = $3 RETURNING ${COLUMNS}`,
};
const RELEASE: Statement = {
  name: "release session",
  text: "UPDATE sessions SET owner = $4, epoch = epoch + 1 WHERE key = $1 AND owner = $2 AND epoch = $3",
};
const END: Statement = {
  name: "end session",
  text: "DELETE FROM sessions WHERE key = $1 AND owner = $2 AND epoch = $3 AND last_change < $4",
};
/** A row that was claimed since its release has a later epoch, and stays. */
const END_RELEASED: Statement = {
  name: "end released session",
  text: "DELETE FROM sessions WHERE key = $1 AND owner IS NULL AND epoch = $2::bigint + 1",
};
const OWNED: Statement = { name: "owned", text: "SELECT key, epoch FROM sessions WHERE owner = $1" };
const EXPIRE: Statement = {
  name: "expire",
  text: `DELETE FROM sessions
    WHERE written_at < clock_timestamp() - $1 * interval '1 millisecond' AND NOT ${IS_ALIVE}`,
};
const REMOVE: Statement = {
  name: "remove unserved session",
  text: `WITH living AS (SELECT alive_until FROM pods WHERE incarnation = $3 FOR UPDATE)
    DELETE FROM sessions WHERE key = $1 AND epoch = $2 AND owner IS NOT DISTINCT FROM $3
      AND NOT EXISTS (SELECT 1 FROM living WHERE alive_until > clock_timestamp())
    RETURNING key`,
};
/** A row without a role was made for a call that began no session. */
const UNSERVED: Statement = {
  name: "unserved sessions",
  text: `SELECT * FROM (SELECT key, ${COLUMNS}, ${IS_ALIVE} AS is_alive
        FROM sessions WHERE current_role_name <> '') AS begun
    WHERE NOT is_alive OR owner = ANY ($1::uuid[]) ORDER BY used_at_ms DESC LIMIT 10000`,
};
const NAMED: Statement = {
  name: "named sessions",
  text: `SELECT * FROM (SELECT key, ${COLUMNS}, ${IS_ALIVE} AS is_alive
        FROM sessions WHERE key = ANY ($1) OR id = $2) AS named
    WHERE is_alive OR current_role_name <> '' ORDER BY used_at_ms DESC LIMIT 100`,
};
/** The names beside a session's id are in the rows' `roles`. */
const LONGER: Statement = {
  name: "sessions with a longer key",
  text: `SELECT key, ${COLUMNS}, ${IS_ALIVE} AS is_alive
    FROM sessions WHERE starts_with(key, $1 || '~') LIMIT 10000`,
};

/** Others may change the row between two statements. Each round has one of them win. */
const ROUNDS_MAX = 5;

/** The rows of sessions, as a daemon of this incarnation claims them. */
export class Ownership {
  readonly incarnation: string;
  readonly #database: Postgres;
  #changes = 0;

  constructor(database: Postgres, incarnation: string) {
    this.#database = database;
    this.incarnation = incarnation;
  }

  /**
   * Makes the session this daemon's own, unless a living daemon owns it. `nowMs` is the date of a new session. An older
   * one stays as it is if this daemon cannot take it.
   */
  async claim(session: SessionIdentity, nowMs: number, own: Takeable): Promise<Claim> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const claim = await this.#tryClaim(session, nowMs, own);
      if (claim) return claim;
    }
    throw new Error("other daemons claim the session at the same time");
  }

  /** Resolves with undefined if the row has changed meanwhile. */
  async #tryClaim(session: SessionIdentity, nowMs: number, own: Takeable): Promise<Claim | undefined> {
    const { key } = session;
    const [found] = await this.#database.rows<SessionRowFound & { key_ids: string[] }>(FIND, [key]);
    if (!found) return await this.#begun(session, nowMs);
    const { owner, epoch, is_alive: isAlive } = found;
    if (owner === this.incarnation) {
      const again = [key, owner, epoch, this.nextChange()];
      const [taken] = await this.#database.rows<SessionRow>(TAKE_AGAIN, again);
      return taken && takenIn(key, taken, owner);
    }
    if (owner !== null && isAlive) return { state: "elsewhere", owner };
    if (!own.hasRoom()) return { state: "left" };
    const keyId = found.key_ids.find((each) => !own.hasKey(each));
    if (keyId !== undefined) return { state: "sealed", keyId };
    // The owner may have written until its lease ended, so the row counts as it is now.
    const takes = [key, this.incarnation, epoch, owner, this.nextChange()];
    const [taken] = await this.#database.rows<SessionRow>(TAKE, takes);
    return taken && takenIn(key, taken, owner ?? undefined);
  }

  async #begun({ key, id, client }: SessionIdentity, nowMs: number): Promise<Claim | undefined> {
    const row = [key, id, client, Math.round(nowMs), this.incarnation, this.nextChange()];
    const [begun] = await this.#database.rows(BEGIN, row);
    return begun && { state: "new", epoch: Number(begun.epoch) };
  }

  /**
   * Numbers a change of a row, which takes none with a lower number than its last one. A change that got no answer in
   * time may still be on its way.
   */
  nextChange(): number {
    return ++this.#changes;
  }

  /** Gives the session up, so that another daemon may claim it. `to`: back to a daemon that is dead. */
  async release(key: string, epoch: number, to?: string): Promise<void> {
    await this.#database.rows(RELEASE, [key, this.incarnation, epoch, to ?? null]);
  }

  /** Deletes the session if this daemon owns it. `isGivenUp`: it may have released it already. */
  async end(key: string, epoch: number, isGivenUp: boolean): Promise<void> {
    await this.#database.rows(END, [key, this.incarnation, epoch, this.nextChange()]);
    if (isGivenUp) await this.#database.rows(END_RELEASED, [key, epoch]);
  }

  /** Returns the epochs of the sessions that this daemon owns, by key. */
  async owned(): Promise<Map<string, number>> {
    const rows = await this.#database.rows(OWNED, [this.incarnation]);
    return new Map(rows.map(({ key, epoch }) => [String(key), Number(epoch)]));
  }

  /** Returns the sessions that no living daemon has, and those of the silent daemons, newest first: at most 10,000. */
  async unserved(silent: readonly string[]): Promise<DirectoryEntry[]> {
    const rows = await this.#database.rows<SessionRowFound & { key: string }>(UNSERVED, [silent]);
    return rows.map(entryIn);
  }

  /** Returns the sessions that have one of the keys or the id, the last used first: at most 100. */
  async named(keys: readonly string[], id: string): Promise<DirectoryEntry[]> {
    const rows = await this.#database.rows<SessionRowFound & { key: string }>(NAMED, [keys, id]);
    return rows.map(entryIn);
  }

  /** Returns the named sessions beside the session of this key: at most 10,000. */
  async beside(key: string): Promise<DirectoryEntry[]> {
    const rows = await this.#database.rows<SessionRowFound & { key: string }>(LONGER, [key]);
    return rows.map(entryIn).filter((each) => baseKeyOf(each) === key);
  }

  /** Deletes a session unless a living daemon has it. Returns true if it was there. */
  async remove(key: string): Promise<boolean> {
    const [found] = await this.#database.rows<SessionRowFound>(FIND, [key]);
    if (!found) return false;
    return (await this.#database.rows(REMOVE, [key, found.epoch, found.owner])).length > 0;
  }

  /** Deletes the sessions without a living owner that have not been used for so long. */
  async expire(idleMs: number): Promise<void> {
    await this.#database.rows(EXPIRE, [idleMs]);
  }
}

function takenIn(key: string, row: SessionRow, from: string | undefined): Claim {
  return { state: "taken", epoch: Number(row.epoch), stored: storedIn(key, row), from };
}

function entryIn(row: SessionRowFound & { key: string }): DirectoryEntry {
  return { ...storedIn(row.key, row), owner: row.is_alive ? (row.owner ?? undefined) : undefined };
}

function storedIn(key: string, row: SessionRow): StoredSession {
  return {
    key,
    id: row.id,
    client: row.client,
    currentRole: row.current_role_name,
    createdAtMs: Number(row.created_at_ms),
    usedAtMs: Number(row.used_at_ms),
    ...rolesIn(row.roles),
  };
}
