// This daemon's lease in the table of daemons, and what the table says of the others. Dates are the database's alone.
import { randomBytes, randomUUID } from "node:crypto";
import type { Client, QueryConfig } from "pg";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { reasonIn } from "../store/database-errors.ts";
import type { Postgres } from "../store/postgres.ts";
import { SharedQuestions } from "./shared-questions.ts";

/** The lease's bounds: renewed each 2 s, held for 10 s, and served upon for 7 s after the last renewal. */
const BEAT_MS = 2_000;
const LEASE_MS = 10_000;
const SERVES_MS = 7_000;
/** A daemon that has not renewed its lease for longer than this probably stands still. */
const SUSPECT_MS = 5_000;
/** A lease whose end has moved by more than this was renewed. Two readings of the same lease differ by less. */
const RENEWED_MS = 500;
/** The longest time between two looks at a daemon that may have ended. */
const LOOK_AGAIN_MS = 250;
/** A renewal that takes longer is tried again on another connection. */
const BEAT_ANSWER_MS = 1_500;
/** The time that the table remembers a daemon after its end. */
const REMEMBERED = "1 hour";

/** Another daemon. */
export interface Pod {
  /** Identifies one run of a daemon. */
  incarnation: string;
  name: string;
  /** HOST:PORT of its door for the other daemons. */
  address: string | undefined;
  isDraining: boolean;
  /** The end of its lease by this daemon's steady clock. */
  aliveUntilMs: number;
}

interface PodRow {
  incarnation: string;
  name: string;
  address: string | null;
  is_draining: boolean;
  left_ms: number;
}

export interface MembershipParts {
  database: Postgres;
  /** How the daemon is shown to operators. */
  name: string;
  clock: Clock;
  log: Log;
  /** Called when the lease can be served upon no more, and when it can again. */
  stopped(): void;
  /** Called with the incarnations of the other daemons at each reading of the table. */
  seen(incarnations: readonly string[]): void;
  /** Resolves when the sessions that were lost meanwhile are known. The daemon serves after that. */
  revalidated(): Promise<void>;
}

/** This daemon among the others. */
export class Membership implements AsyncDisposable {
  readonly incarnation = randomUUID();
  /** How the others reach this daemon; set before it serves. */
  address: string | undefined;
  isDraining = false;
  readonly #parts: MembershipParts;
  /** Held by the heartbeat's connection. It is free as soon as the database loses that connection. */
  #lockKey = "0";
  readonly #pods = new Map<string, Pod>();
  readonly #waiting = new Set<() => void>();
  /** Two at once would each take the daemon's lock for that of its connection. */
  readonly #deaths = new SharedQuestions((incarnation) => this.#declareDead(incarnation));
  #connection: Client | undefined;
  /** The sending of the last renewal, by both clocks. */
  #renewed = { steadyMs: Number.NEGATIVE_INFINITY, dateMs: Number.NEGATIVE_INFINITY };
  #beating: Promise<boolean> | undefined;
  #nextBeat: Alarm | undefined;
  #lapse: Alarm | undefined;
  #isServing = false;
  #isOver = false;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
  }

  /** Takes the first lease. Rejects with the database's error. */
  async join(): Promise<void> {
    await this.#renew();
    this.#isServing = true;
    this.#schedule();
  }

  /** The lease holds for long enough that no other daemon serves this one's sessions. */
  get isServing(): boolean {
    const { clock } = this.#parts;
    // The steady clock may have stood still with the machine. The date has not.
    const passedMs = Math.max(clock.steady() - this.#renewed.steadyMs, clock.now() - this.#renewed.dateMs);
    return this.#isServing && passedMs < SERVES_MS;
  }

  /** Returns the daemon if it is known and its lease holds. */
  living(incarnation: string): Pod | undefined {
    const pod = this.#pods.get(incarnation);
    return pod && pod.aliveUntilMs > this.#parts.clock.steady() ? pod : undefined;
  }

  /** The other daemons whose lease holds. */
  get others(): Pod[] {
    return [...this.#pods.keys()].flatMap((each) => this.living(each) ?? []);
  }

  /** True if the daemon has missed renewals, and may stand still. */
  isSuspect({ aliveUntilMs }: Pod): boolean {
    return aliveUntilMs - this.#parts.clock.steady() < LEASE_MS - SUSPECT_MS;
  }

  /** Renews the lease and reads the table now. Resolves with false if the database does not answer. */
  async refresh(): Promise<boolean> {
    return await this.#beat();
  }

  /** Resolves at the next reading of the table, or after the time. */
  changed(timeMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const alarm = this.#parts.clock.after(timeMs, resolve);
    this.#waiting.add(resolve);
    return promise.finally(() => {
      alarm.cancel();
      this.#waiting.delete(resolve);
    });
  }

  /**
   * Ends the lease of a daemon that cannot be reached, if the database has lost its connection too. Returns true if the
   * daemon's lease has ended.
   */
  declareDead(incarnation: string): Promise<boolean> {
    return this.#deaths.ask(incarnation);
  }

  /**
   * Resolves once it is known whether a daemon whose connection broke goes on: true when it renews its lease, false when
   * the lease has ended. Rejects if the database does not answer.
   */
  async goesOn(incarnation: string): Promise<boolean> {
    const before = this.living(incarnation)?.aliveUntilMs ?? 0;
    while (!(await this.declareDead(incarnation))) {
      await this.refresh();
      if ((this.living(incarnation)?.aliveUntilMs ?? 0) > before + RENEWED_MS) return true;
      await this.changed(LOOK_AGAIN_MS);
    }
    return false;
  }

  /** Leaves the table. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#nextBeat?.cancel();
    await this.#beating;
    this.#lapse?.cancel();
    try {
      await this.#connection?.query("DELETE FROM pods WHERE incarnation = $1", [this.incarnation]);
      await this.#connection?.end();
    } catch (error) {
      // The lease ends by itself.
      this.#parts.log.debug({ reason: reasonIn(error) }, "the lease was not given back");
    }
  }

  async #declareDead(incarnation: string): Promise<boolean> {
    await this.#parts.database.rows(DECLARE_DEAD, [incarnation]);
    const [row] = await this.#parts.database.rows(IS_ALIVE, [incarnation]);
    if (row) return false;
    this.#pods.delete(incarnation);
    return true;
  }

  #schedule(): void {
    if (this.#isOver) return;
    this.#nextBeat = this.#parts.clock.after(BEAT_MS, () => void this.#beat().then(() => this.#schedule()));
  }

  #beat(): Promise<boolean> {
    this.#beating ??= this.#tryToRenew().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #tryToRenew(): Promise<boolean> {
    const { log, revalidated } = this.#parts;
    try {
      const wasHeld = await this.#renew();
      if (this.#isOver || (this.#isServing && wasHeld)) return true;
      // Others may have taken sessions since the lease ended.
      if (this.#isServing) this.#stop("the lease was ended by another daemon that could not reach this one");
      await revalidated();
      this.#isServing = true;
      log.info("the lease is renewed: calls are taken again");
      return true;
    } catch (error) {
      log.warn({ reason: reasonIn(error) }, "the lease could not be renewed");
      const broken = this.#connection;
      this.#connection = undefined;
      // It is broken already.
      broken?.end().catch(() => undefined);
      return false;
    }
  }

  /** Returns false if the lease had ended before. */
  async #renew(): Promise<boolean> {
    const { clock } = this.#parts;
    const sent = { steadyMs: clock.steady(), dateMs: clock.now() };
    this.#connection ??= await this.#locked();
    const now = [this.incarnation, this.address ?? null, this.isDraining, this.#lockKey];
    const renewal = { ...RENEW, values: now, query_timeout: BEAT_ANSWER_MS } as QueryConfig;
    const { rows: renewed } = await this.#connection.query<{ was_held: boolean }>(renewal);
    if (renewed.length === 0) await this.#connection.query({ ...JOIN, values: [...now, this.#parts.name] });
    const { rows } = await this.#connection.query<PodRow>({ ...READ, values: [this.incarnation] });
    this.#renewed = sent;
    this.#read(rows);
    this.#expectLapse();
    return renewed[0]?.was_held === true;
  }

  /** Returns a connection that holds this daemon's lock. */
  async #locked(): Promise<Client> {
    const connection = await this.#parts.database.connected();
    // The database may hold the lock of a broken connection for long.
    this.#lockKey = randomBytes(8).readBigInt64BE().toString();
    try {
      await connection.query("SELECT pg_advisory_lock($1::bigint)", [this.#lockKey]);
      return connection;
    } catch (error) {
      // The error below says why it is of no use.
      connection.end().catch(() => undefined);
      throw error;
    }
  }

  #read(rows: readonly PodRow[]): void {
    const nowMs = this.#parts.clock.steady();
    this.#pods.clear();
    for (const { incarnation, name, address, is_draining: isDraining, left_ms: leftMs } of rows) {
      const aliveUntilMs = nowMs + leftMs;
      this.#pods.set(incarnation, {
        incarnation,
        name,
        address: address ?? undefined,
        isDraining,
        aliveUntilMs,
      });
    }
    this.#parts.seen([...this.#pods.keys()]);
    for (const go of this.#waiting) go();
  }

  #expectLapse(): void {
    const { clock } = this.#parts;
    this.#lapse?.cancel();
    const inMs = this.#renewed.steadyMs + SERVES_MS - clock.steady();
    this.#lapse = clock.after(inMs, () => this.#stop("the lease could not be renewed in time"));
  }

  #stop(why: string): void {
    this.#isServing = false;
    this.#parts.log.error(`${why}: no call is taken before it is renewed`);
    this.#parts.stopped();
  }
}

const RENEW = {
  name: "renew lease",
  text: `UPDATE pods SET address = $2, is_draining = $3, lock_key = $4,
      alive_until = clock_timestamp() + interval '${LEASE_MS} milliseconds'
    FROM (SELECT alive_until > clock_timestamp() AS was_held FROM pods WHERE incarnation = $1 FOR UPDATE) AS before
    WHERE incarnation = $1 RETURNING before.was_held`,
};
const JOIN = {
  name: "join",
  text: `INSERT INTO pods (incarnation, address, is_draining, lock_key, name, alive_until)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + interval '${LEASE_MS} milliseconds')`,
};
const READ = {
  name: "read pods",
  text: `SELECT incarnation, name, address, is_draining,
      (extract(epoch FROM alive_until - clock_timestamp()) * 1000)::integer AS left_ms
    FROM pods WHERE incarnation <> $1 AND alive_until > clock_timestamp()`,
};
const DECLARE_DEAD = {
  name: "declare dead",
  text: `UPDATE pods SET alive_until = clock_timestamp() - interval '1 millisecond'
    WHERE incarnation = $1 AND alive_until > clock_timestamp() AND pg_try_advisory_xact_lock(lock_key)`,
};
const IS_ALIVE = {
  name: "is alive",
  text: "SELECT 1 FROM pods WHERE incarnation = $1 AND alive_until > clock_timestamp()",
};
export const FORGET_PODS = {
  name: "forget pods",
  text: `DELETE FROM pods WHERE alive_until < clock_timestamp() - interval '${REMEMBERED}'`,
};
