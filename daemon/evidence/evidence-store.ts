// The evidence of recorded calls in the state folder, encrypted and bounded by size and age.
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CallEvidence, CallPicture, CallSeen, EvidenceTaken } from "../../proto/gen/troupe.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import type { Scope } from "../admission/visible.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import { onceAMinute } from "../core/once-a-minute.ts";
import { isDamage, numberOf, openSqliteFile, setAside } from "../state/sqlite-file.ts";
import { callMessage } from "../telemetry/call-message.ts";
import { type EndedCall, planOf } from "../telemetry/ended-call.ts";
import { dropOlder, EVIDENCE_FILE, evict, IN_ROLES, prepared, rolesValue } from "./evidence-file.ts";
import { type PageFilter, pageQueries, partsQuery } from "./evidence-page.ts";
import { type Quota, spent, UNUSED } from "./session-quota.ts";

/** The bounds, in bytes and milliseconds. */
export interface EvidenceLimits {
  size: number;
  age: number;
}

/** Which evidence is read. */
export interface EvidenceFilter extends PageFilter {
  /** Arguments, replies, plans and pictures are left out. */
  isBrief: boolean;
}

/** A session with evidence, and when its newest part was stored. */
export interface HeldSession {
  key: string;
  newestMs: number;
}

/** Some evidence. `next` is empty at the end. */
export interface EvidencePage {
  calls: CallEvidence[];
  next: string;
}

/** The number of parts between two checks of the bounds. */
const PARTS_BETWEEN_TRIMS = 20;
/** The parts that are deleted at once for their age. */
const AGED_MAX = 500;
/** For the size, parts are deleted in lots of so many, at most so many lots at once. */
const LOT = 20;
const LOTS_MAX = 25;
/** The time before the next deletion, if more parts are due. */
const TRIM_AGAIN_MS = 1_000;
/** The time between two checks of the bounds if no call is recorded. */
const TRIM_EACH_MS = 600_000;
/** The sessions whose quota is remembered. */
const QUOTAS_MAX = 10_000;
/** The most calls of a page, and the bytes after which it ends. */
const PAGE_CALLS_MAX = 200;
const PAGE_BYTES_MAX = 2_000_000;
/** The sessions that are found by one id. */
const KEYS_MAX = 100;

const FULL = "this session's evidence has taken too many bytes in this minute";
const TYPES = {
  call: messageType("troupe.v1.CallEvidence"),
  seen: messageType("troupe.v1.CallSeen"),
  picture: messageType("troupe.v1.CallPicture"),
};
type Part = keyof typeof TYPES;

/** A part is in the file when its method returns. A failed write is logged, and fails no call. */
export class EvidenceStore implements Disposable {
  /** Warnings for the operator. */
  readonly warnings: string[] = [];
  readonly #path: string;
  readonly #limits: EvidenceLimits;
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #sayUnwritten: (error: unknown) => void;
  readonly #quotas = new Map<string, Quota>();
  /** Undefined if no file can be made: evidence in memory would have no bound that helps. */
  #database: DatabaseSync | undefined;
  #sinceTrim = 0;
  #evicted = 0;
  #nextTrim: Alarm | undefined;

  /** Opens the file. If that is impossible, adds to `warnings` and keeps nothing. */
  constructor(file: string, limits: EvidenceLimits, keys: KeyRing, clock: Clock, log: Log) {
    this.#path = file;
    this.#limits = limits;
    this.#keys = keys;
    this.#clock = clock;
    this.#log = log;
    this.#sayUnwritten = onceAMinute(clock, (error) =>
      log.error({ err: error }, "evidence cannot be written: what happens now is not kept"),
    );
    this.#open(openSqliteFile);
    this.#trimIn(TRIM_AGAIN_MS);
  }

  /** Stores a recorded call that has ended. */
  ended(call: EndedCall): void {
    const { evidence: id, sessionKey: session, role } = call;
    if (id === undefined || session === "") return;
    this.#add({ session, role, id, part: "call" }, { call: callMessage(call), plan: planOf(call) });
  }

  /** Stores a part of a call's evidence, as its worker sends it. */
  taken(role: string, { key: session, id, seen, picture }: EvidenceTaken): void {
    if (seen) this.#add({ session, role, id, part: "seen" }, seen);
    if (picture) this.#add({ session, role, id, part: "picture" }, picture);
  }

  /** Returns the keys of the sessions with that id, of which evidence in these roles is kept. */
  sessionsOf(id: string, roles: readonly string[] | undefined): string[] {
    return this.#all(
      `SELECT DISTINCT session FROM held WHERE substr(session, instr(session, '/') + 1) = :id
       AND ${IN_ROLES} LIMIT ${KEYS_MAX}`,
      { id, roles: rolesValue(roles) },
    ).map(({ session }) => String(session));
  }

  /** Returns true if evidence of that session is kept. */
  has(session: string): boolean {
    return this.#all("SELECT 1 FROM held WHERE session = ? LIMIT 1", session).length > 0;
  }

  /** Returns the sessions with evidence that the client may see, the newest evidence first. Undefined means all. */
  newestSessions(scope: Scope | undefined, most: number): HeldSession[] {
    return this.#all(
      `SELECT session, max(newest_ms) AS newest FROM held
       WHERE client = :client OR ${IN_ROLES}
       GROUP BY session ORDER BY newest DESC, session LIMIT :most`,
      { client: scope?.client ?? "", roles: rolesValue(scope?.roles), most },
    ).map(({ session, newest }) => ({ key: String(session), newestMs: Number(newest) }));
  }

  /** Returns the evidence of a session's calls. A part that no key opens is left out. */
  read({ isBrief, ...filter }: EvidenceFilter): EvidencePage {
    const { session, newestFirst } = filter;
    const found = pageQueries(filter, PAGE_CALLS_MAX + 1).flatMap(({ sql, values }) =>
      this.#all(sql, values),
    );
    const sign = newestFirst ? -1 : 1;
    const rows = found.sort((one, other) => sign * (Number(one.first) - Number(other.first)));
    const calls: CallEvidence[] = [];
    let bytes = 0;
    let next = "";
    for (const [index, { call, first }] of rows.entries()) {
      if (index === PAGE_CALLS_MAX || bytes >= PAGE_BYTES_MAX) break;
      const parts = this.#all(partsQuery(isBrief), session, String(call));
      calls.push(this.#evidenceOf(String(call), parts, isBrief));
      bytes += parts.reduce((sum, { data, part }) => sum + sizeOf(String(part) as Part, data, isBrief), 0);
      next = index + 1 < rows.length ? String(first) : "";
    }
    return { calls, next };
  }

  /** The stored data, in bytes of the file. */
  get bytes(): number {
    if (!this.#database) return 0;
    const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((pragma) =>
      numberOf(this.#database as DatabaseSync, `PRAGMA ${pragma}`),
    ) as [number, number, number];
    return (pages - free) * size;
  }

  /** The parts that were deleted since the start because the file was too large. */
  get evicted(): number {
    return this.#evicted;
  }

  [Symbol.dispose](): void {
    this.#nextTrim?.cancel();
    this.#database?.close();
    this.#database = undefined;
  }

  #add(of: { session: string; role: string; id: string; part: Part }, message: object): void {
    const { session, role, id, part } = of;
    const atMs = Math.round(this.#clock.now());
    const data = this.#within(of, message);
    const sealed = this.#keys.seal(data, aboutOf(session, id, part));
    this.#keep((database) => {
      database
        .prepare(
          "INSERT INTO evidence (at_ms, session, role, call, part, key_id, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .run(atMs, session, role, id, part, sealed.keyId, sealed.data);
      if (++this.#sinceTrim >= PARTS_BETWEEN_TRIMS) this.#trim(database);
    });
  }

  /** Returns the part's bytes. A part that its session's quota has no place for is reduced. */
  #within({ session, part }: { session: string; part: Part }, message: object): Buffer {
    const whole = packed(part, message);
    const quota = spent(this.#quotas.get(session) ?? UNUSED, {
      bytes: whole.length,
      isPicture: part === "picture",
      atMs: this.#clock.steady(),
    });
    if (!quota) return packed(part, reduced(part, message));
    keepNewest(this.#quotas, session, quota, QUOTAS_MAX);
    return whole;
  }

  #evidenceOf(id: string, rows: Record<string, unknown>[], isBrief: boolean): CallEvidence {
    const evidence: CallEvidence = { id, call: null, plan: "", seen: null, picture: null };
    for (const row of rows) {
      const part = String(row.part) as Part;
      const keyId = String(row.key_id);
      if (row.data === null) {
        if (this.#keys.has(keyId)) evidence.picture = { image: Buffer.alloc(0), missing: "" };
        continue;
      }
      const data = this.#keys.open(
        { keyId, data: row.data as Uint8Array },
        aboutOf(String(row.session), id, part),
      );
      if (data) Object.assign(evidence, partIn(part, data, isBrief));
    }
    return evidence;
  }

  #open(open: typeof openSqliteFile): void {
    try {
      const { database, setAside: why } = this.#prepared(open);
      this.#database = database;
      if (why) this.#warn(`${why}, and the evidence begins anew`);
    } catch (error) {
      this.#warn(`evidence cannot be kept: ${(error as Error).message}`);
    }
  }

  #prepared(open: typeof openSqliteFile) {
    try {
      return prepared(open(this.#path, EVIDENCE_FILE));
    } catch (error) {
      if (!isDamage(error)) throw error;
      return prepared(setAside(this.#path, EVIDENCE_FILE));
    }
  }

  #all(sql: string, ...values: (string | Record<string, string | number>)[]): Record<string, unknown>[] {
    if (!this.#database) return [];
    try {
      return this.#database.prepare(sql).all(...(values as string[]));
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }

  #keep(write: (database: DatabaseSync) => void): void {
    if (!this.#database) return;
    try {
      write(this.#database);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Sets a damaged file aside. Any other failure is logged once a minute. */
  #failed(error: unknown): void {
    if (isDamage(error)) {
      this.#database?.close();
      this.#database = undefined;
      this.#open(setAside);
      return;
    }
    this.#sayUnwritten(error);
  }

  #trimIn(timeMs: number): void {
    this.#nextTrim?.cancel();
    this.#nextTrim = this.#clock.after(timeMs, () => {
      this.#trimIn(TRIM_EACH_MS);
      this.#keep((database) => this.#trim(database));
    });
  }

  /** Deletes some parts that are too old, and some of the largest holder's oldest if the file is too large. */
  #trim(database: DatabaseSync): void {
    this.#sinceTrim = 0;
    const aged = dropOlder(database, this.#clock.now() - this.#limits.age, AGED_MAX);
    for (let lot = 0; lot < LOTS_MAX && this.bytes > this.#limits.size; lot++)
      this.#evicted += evict(database, LOT);
    database.exec("PRAGMA incremental_vacuum");
    const isMoreDue = aged === AGED_MAX || this.bytes > this.#limits.size;
    this.#trimIn(isMoreDue ? TRIM_AGAIN_MS : TRIM_EACH_MS);
  }

  #warn(text: string): void {
    this.warnings.push(text);
    this.#log.warn(text);
  }
}

/** Returns the id of a new call's evidence. It is the daemon's own: clients may repeat a request's id. */
export function newEvidenceId(): string {
  return randomUUID();
}

/** A part opens only for its own session and call, so parts cannot be swapped. */
function aboutOf(session: string, id: string, part: Part): string {
  return JSON.stringify([session, id, part]);
}

function packed(part: Part, message: object): Buffer {
  const plain = encode(TYPES[part], message);
  return part === "picture" ? plain : deflateRawSync(plain);
}

function reduced(part: Part, message: object): object {
  if (part === "picture") return { missing: (message as CallPicture).missing || FULL };
  return part === "seen" ? { ...message, arguments: "", reply: "" } : message;
}

function partIn(part: Part, data: Uint8Array, isBrief: boolean): Partial<CallEvidence> {
  if (part === "picture") {
    const picture = decode<CallPicture>(TYPES.picture, data);
    return { picture: isBrief ? { ...picture, image: Buffer.alloc(0) } : picture };
  }
  if (part === "seen") {
    const seen = decode<CallSeen>(TYPES.seen, inflateRawSync(data));
    return { seen: isBrief ? { ...seen, arguments: "", reply: "" } : seen };
  }
  const { call, plan } = decode<CallEvidence>(TYPES.call, inflateRawSync(data));
  return { call, plan: isBrief ? "" : plan };
}

/** Texts are deflated to a fraction. */
function sizeOf(part: Part, data: unknown, isBrief: boolean): number {
  if (isBrief) return 0;
  return (part === "picture" ? 1 : 5) * (data as Uint8Array).length;
}
