// The store of sessions in PostgreSQL, which several daemons share. It writes only sessions that this daemon owns.
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import { type Effect, storeUnavailable } from "../sessions/unavailable.ts";
import { clientReason, failureLine } from "./database-errors.ts";
import type { Ownership } from "./ownership.ts";
import { PendingChanges } from "./pending-changes.ts";
import type { Postgres, Statement } from "./postgres.ts";
import { openPart, rolesText, sealPart, TABS, tabsIn } from "./sealed-parts.ts";
import type { SessionStore } from "./session-store.ts";

/** Writes a session's changes in one transaction, if this daemon still owns the session and its own lease holds. */
const WRITE: Statement = {
  name: "write session",
  text: `WITH own AS (
      UPDATE sessions SET current_role_name = COALESCE($4, current_role_name), used_at_ms = COALESCE($5, used_at_ms),
        roles = COALESCE($6, roles), last_change = $13, written_at = clock_timestamp()
      WHERE key = $1 AND owner = $2 AND epoch = $3 AND last_change < $13
        AND EXISTS (SELECT 1 FROM pods WHERE incarnation = $2 AND alive_until > clock_timestamp())
      RETURNING key
    ), gone AS (
      DELETE FROM parts USING own WHERE parts.session = own.key
        AND (parts.role = ANY ($7::text[])
          OR (parts.role, parts.name) IN (SELECT * FROM unnest($8::text[], $9::text[])))
        AND (parts.role, parts.name) NOT IN (SELECT * FROM unnest($10::text[], $11::text[]))
    ), put AS (
      INSERT INTO parts (session, role, name, epoch, key_id, data)
      SELECT own.key, new.role, new.name, $3, new.key_id, substr($14::bytea, new.first, new.size)
      FROM own, unnest($10::text[], $11::text[], $12::text[], $15::integer[], $16::integer[])
        AS new (role, name, key_id, first, size)
      ON CONFLICT (session, role, name)
        DO UPDATE SET epoch = excluded.epoch, key_id = excluded.key_id, data = excluded.data
    ) SELECT EXISTS (SELECT 1 FROM own) AS is_written,
        EXISTS (SELECT 1 FROM sessions WHERE key = $1 AND owner = $2 AND epoch = $3) AS is_owned`,
};
/**
 * Waits for an earlier write of the session that is under way in the database, and has one that comes later dropped. A
 * write sees no parts that are put while it waits itself, and so would not delete them.
 */
const OVERTAKE: Statement = {
  name: "overtake",
  text: "UPDATE sessions SET last_change = $4 WHERE key = $1 AND owner = $2 AND epoch = $3 AND last_change < $4",
};
const PARTS: Statement = {
  name: "parts",
  text: "SELECT name, key_id, data FROM parts WHERE session = $1 AND role = $2 AND name <> $3",
};
const ALL_TABS: Statement = {
  name: "tabs",
  text: "SELECT role, key_id, data FROM parts WHERE session = $1 AND name = $2",
};
/** The size of the table would still count what was deleted. A large value's stored size is read without the value. */
const SIZE: Statement = {
  name: "size",
  text: "SELECT COALESCE(sum(pg_column_size(data)), 0) AS bytes FROM parts",
};

/** A session's last use is written at most this often. After a crash it may look that much older. */
const USED_EACH_MS = 10_000;
/** The wait before a write is tried again, twice as long each time. */
const AGAIN_MS = 250;
const AGAIN_MS_MAX = 2_000;
/** The longest wait for earlier changes of a session that is to be read. */
const ENDED_MS = 5_000;
/** About the size of the largest storage that is kept of a session. */
const STORAGE_BYTES = 20_000_000;

/** A session that this daemon owns. */
interface Owned {
  epoch: number;
  tabs: Map<string, SessionRecord>;
  written: { text: string; atMs: number } | undefined;
  pending: PendingChanges;
  /** Resolves when the changes that it was made for are committed, or the session is owned no more. */
  writing: Promise<void> | undefined;
  /** Settles when the database has answered that the session is given up. */
  leaving?: Promise<void>;
}

export interface PostgresStoreParts {
  database: Postgres;
  ownership: Ownership;
  keys: KeyRing;
  clock: Clock;
  log: Log;
}

/** The store of one daemon of several. */
export class PostgresStore implements SessionStore {
  readonly warnings: string[] = [];
  problem: string | undefined;
  bytes = 0;
  /** Called when it turns out that another daemon owns the session. */
  fenced: (key: string) => void = () => undefined;
  readonly #parts: PostgresStoreParts;
  readonly #owned = new Map<string, Owned>();
  /** By key, the deletions under way. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #alarms = new Set<Alarm>();
  readonly #say: Record<"unwritten" | "unread" | "undeleted", (error: unknown) => void>;
  #isOver = false;

  constructor(parts: PostgresStoreParts) {
    this.#parts = parts;
    this.#say = {
      unwritten: failureLine(parts, "error", "sessions cannot be written yet: calls that change them wait"),
      unread: failureLine(parts, "warn", "a session's storage cannot be read"),
      undeleted: failureLine(parts, "warn", "an ended session is not deleted yet"),
    };
  }

  owns(key: string): boolean {
    return this.#owned.has(key);
  }

  /** The keys and epochs of the sessions that this daemon owns, as far as it knows. */
  get epochs(): Map<string, number> {
    return new Map([...this.#owned].map(([key, { epoch }]) => [key, epoch]));
  }

  /** The keys of the sessions whose deletion is under way. */
  get ending(): Iterable<string> {
    return this.#ending.keys();
  }

  isEnding(key: string): boolean {
    return this.#ending.has(key);
  }

  /** Begins to keep a session that was claimed. Resolves when its tabs are known. */
  async own(key: string, epoch: number, isNew: boolean): Promise<void> {
    const tabs = new Map<string, SessionRecord>();
    for (const row of isNew ? [] : await this.#parts.database.rows(ALL_TABS, [key, TABS])) {
      const role = String(row.role);
      const part = this.#opened(role, key, { ...row, name: TABS });
      if (part) tabs.set(role, tabsIn(part.data));
    }
    const pending = new PendingChanges();
    this.#owned.set(key, { epoch, tabs, written: undefined, pending, writing: undefined });
  }

  /** Gives a session up, so that another daemon may claim it. Rejects with the database's error. */
  async release(key: string): Promise<void> {
    const owned = this.#owned.get(key);
    if (owned) owned.leaving = this.#parts.ownership.release(key, owned.epoch);
    await owned?.leaving;
  }

  /** Ends the keeping of a session that another daemon may have. */
  disown(key: string): void {
    this.#owned.delete(key);
  }

  used(session: Session): void {
    const { key, currentRole, usedAtMs } = session;
    const owned = this.#owned.get(key);
    if (!owned) return;
    const roles = rolesText(session);
    const text = `${currentRole} ${roles}`;
    if (owned.written?.text === text && usedAtMs < owned.written.atMs + USED_EACH_MS) return;
    owned.written = { text, atMs: usedAtMs };
    owned.pending.row = { currentRole, usedAtMs: Math.round(usedAtMs), roles };
    this.#write(key, owned);
  }

  over(key: string): void {
    const owned = this.#owned.get(key);
    if (!owned) return;
    this.#owned.delete(key);
    const deletion = async () => {
      await owned.writing;
      await Promise.allSettled([owned.leaving]);
      for (let againMs = AGAIN_MS; !this.#isOver; againMs = Math.min(2 * againMs, AGAIN_MS_MAX)) {
        try {
          await this.#parts.ownership.end(key, owned.epoch, owned.leaving !== undefined);
          return;
        } catch (error) {
          this.#say.undeleted(error);
          await this.#pause(againMs);
        }
      }
    };
    this.#ending.set(
      key,
      deletion().finally(() => this.#ending.delete(key)),
    );
  }

  /**
   * Resolves when a session of that key that has ended is deleted. Rejects with STORE_UNAVAILABLE after the time, with
   * the effect on the call that waits.
   */
  async ended(
    key: string,
    { timeMs = ENDED_MS, effect }: { timeMs?: number; effect: Effect },
  ): Promise<void> {
    await this.#inTime(this.#ending.get(key), timeMs, effect);
  }

  async #inTime(deletion: Promise<unknown> | undefined, timeMs: number, effect: Effect): Promise<void> {
    const late = () => storeUnavailable(this.problem ?? "the database does not answer", effect);
    if (deletion) await within({ timeMs, late, clock: this.#parts.clock }, deletion);
  }

  async deleted(timeMs: number, keys: Iterable<string> = this.#ending.keys()): Promise<void> {
    const deletions = [...keys].flatMap((key) => this.#ending.get(key) ?? []);
    await this.#inTime(Promise.all(deletions), timeMs, "unknown");
  }

  forget(role: string, key: string): void {
    const owned = this.#owned.get(key);
    if (!owned) return;
    owned.tabs.delete(role);
    owned.pending.forget(role);
    this.#write(key, owned);
  }

  /** A context that sessions share belongs to this daemon's worker alone. It is not kept beyond that worker. */
  forgetShared(): void {}

  keepParts(role: string, key: string, parts: readonly StoragePart[]): boolean {
    const owned = this.#owned.get(key);
    // Also the shared storage, see forgetShared.
    if (!owned) return true;
    for (const { name, data } of parts) {
      const isGone = data.length === 0;
      if (name === TABS && !isGone) owned.tabs.set(role, tabsIn(data));
      const sealed = isGone ? undefined : sealPart(this.#parts.keys, role, key, { name, data });
      owned.pending.change({ role, name, sealed });
    }
    this.#write(key, owned);
    return true;
  }

  tabsOf(role: string, key: string): SessionRecord | undefined {
    return this.#owned.get(key)?.tabs.get(role);
  }

  async partsOf(role: string, key: string, area?: string): Promise<StoragePart[]> {
    const owned = this.#owned.get(key);
    if (!owned) return [];
    await this.committed(key, ENDED_MS);
    let rows: Record<string, unknown>[];
    try {
      rows = await this.#parts.database.rows(PARTS, [key, role, TABS], STORAGE_BYTES);
    } catch (error) {
      this.#say.unread(error);
      throw storeUnavailable(clientReason(error), "none", error);
    }
    return rows
      .filter(({ name }) => area === undefined || String(name).startsWith(`${area} `))
      .flatMap((row) => this.#opened(role, key, row) ?? []);
  }

  async committed(key: string, timeMs: number): Promise<void> {
    const owned = this.#owned.get(key);
    if (!owned) return await this.ended(key, { timeMs, effect: "unknown" });
    if (!owned.writing) return;
    const late = () =>
      storeUnavailable(this.problem ?? `it did not answer within ${Math.round(timeMs)} ms`, "unknown");
    const whole = async () => {
      while (owned.writing) await owned.writing;
    };
    await within({ timeMs, late, clock: this.#parts.clock }, whole());
    if (this.#owned.get(key) !== owned)
      throw storeUnavailable("another daemon has the session now", "unknown");
  }

  checkTakes(key: string): void {
    if (this.problem !== undefined && this.#owned.get(key)?.writing)
      throw storeUnavailable(this.problem, "none");
  }

  /** Warns of sessions that another key encrypts. */
  lacksKey(keyId: string): void {
    this.#warnOnce(`sessions do not open: none of stateKeys fits (${keyId})`);
  }

  /** Measures the stored data. */
  async measure(): Promise<void> {
    const [row] = await this.#parts.database.rows(SIZE, []);
    this.bytes = Number(row?.bytes ?? 0);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const alarm of this.#alarms) alarm.cancel();
  }

  #opened(role: string, key: string, row: Record<string, unknown>): StoragePart | undefined {
    const sealed = { name: String(row.name), keyId: String(row.key_id), data: row.data as Uint8Array };
    const part = openPart(this.#parts.keys, role, key, sealed);
    if (!part) this.lacksKey(sealed.keyId);
    return part;
  }

  /** One write of a session is under way at a time. Changes that come meanwhile are written together by the next. */
  #write(key: string, owned: Owned): void {
    owned.writing ??= this.#writeAll(key, owned).finally(() => {
      owned.writing = undefined;
      // A change may have come since the last look.
      if (!owned.pending.isEmpty && !this.#isOver && this.#owned.get(key) === owned) this.#write(key, owned);
    });
  }

  async #writeAll(key: string, owned: Owned): Promise<void> {
    // Changes of the same turn are written together.
    await Promise.resolve();
    let mayBeUnderWay = false;
    for (let againMs = AGAIN_MS; !owned.pending.isEmpty; ) {
      if (this.#isOver || this.#owned.get(key) !== owned) return;
      const changes = owned.pending;
      owned.pending = new PendingChanges();
      try {
        if (mayBeUnderWay) await this.#overtake(key, owned.epoch);
        mayBeUnderWay = false;
        const isOwned = await this.#writeOne(key, owned.epoch, changes);
        if (this.problem !== undefined) this.#parts.log.info("sessions are written again");
        this.problem = undefined;
        againMs = AGAIN_MS;
        if (!isOwned) return this.#lose(key, owned);
      } catch (error) {
        mayBeUnderWay = true;
        owned.pending.putBefore(changes);
        this.problem = clientReason(error);
        this.#say.unwritten(error);
        await this.#pause(againMs);
        againMs = Math.min(2 * againMs, AGAIN_MS_MAX);
      }
    }
  }

  /** Returns false if this daemon does not own the session any more. */
  async #writeOne(key: string, epoch: number, { row, forgotten, parts }: PendingChanges): Promise<boolean> {
    const { database, ownership } = this.#parts;
    const gone = parts.filter(({ sealed }) => !sealed);
    const put = parts.flatMap(({ role, name, sealed }) => (sealed ? [{ role, name, ...sealed }] : []));
    // One value goes to the database as it is. Those of an array would go as text, twice as long.
    const data = Buffer.concat(put.map((part) => part.data));
    const sizes = put.map((part) => part.data.length);
    let next = 1;
    const firsts = sizes.map((size) => {
      const first = next;
      next += size;
      return first;
    });
    const values = [
      key,
      ownership.incarnation,
      epoch,
      row?.currentRole ?? null,
      row?.usedAtMs ?? null,
      row?.roles ?? null,
      [...forgotten],
      gone.map(({ role }) => role),
      gone.map(({ name }) => name),
      put.map(({ role }) => role),
      put.map(({ name }) => name),
      put.map(({ keyId }) => keyId),
      ownership.nextChange(),
      data,
      firsts,
      sizes,
    ];
    const [written] = await database.rows(WRITE, values, data.length);
    if (written?.is_owned && !written.is_written) throw new Error("this daemon's lease has ended");
    return written?.is_written === true;
  }

  async #overtake(key: string, epoch: number): Promise<void> {
    const { database, ownership } = this.#parts;
    await database.rows(OVERTAKE, [key, ownership.incarnation, epoch, ownership.nextChange()]);
  }

  #lose(key: string, owned: Owned): void {
    if (this.#owned.get(key) !== owned) return;
    this.#owned.delete(key);
    this.fenced(key);
  }

  #pause(timeMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const alarm = this.#parts.clock.after(timeMs, () => {
      this.#alarms.delete(alarm);
      resolve();
    });
    this.#alarms.add(alarm);
    return promise;
  }

  #warnOnce(text: string): void {
    if (this.warnings.includes(text)) return;
    this.warnings.push(text);
    this.#parts.log.warn(text);
  }
}
