// What a role's sessions are and have, for a worker that is to go on with them: told by one worker, given to the next.
import type { SessionRecord, StorageChanged } from "../../proto/gen/troupe.ts";
import type { Log } from "../log.ts";
import type { Session } from "../sessions.ts";
import { hasInput, LostInput } from "./lost-input.ts";
import { StorageReturn } from "./storage-return.ts";
import type { SessionKeeper } from "./supervision.ts";
import type { Worker } from "./worker.ts";

const ASK_TIMEOUT_MS = 5000;
/** Why a session lost something by its rest. */
const MADE_ROOM = "this session was put to rest for another one that waited, as no place was free";

/** The sessions of one role. */
export class SessionRecords {
  /** What they had typed when their worker ended, or they were put to rest. */
  readonly lostInput = new LostInput();
  /** Those that are awake; set by whoever admits them. */
  holds: (key: string) => boolean = () => true;
  readonly #role: string;
  readonly #kept: SessionKeeper;
  /** By key; only of those that are awake. */
  readonly #awake = new Map<string, SessionRecord>();
  readonly #storage: StorageReturn;

  constructor(role: string, kept: SessionKeeper, log: Log) {
    this.#role = role;
    this.#kept = kept;
    this.#storage = new StorageReturn(role, kept, log);
    this.lostInput.workerGone(kept.tabsOf(role), { reason: "the daemon was started again" });
  }

  /** Whether a session has typed what it has not sent, and would lose it with the worker. */
  get hasInput(): boolean {
    return hasInput(this.#held);
  }

  /** As those that are awake now tell of themselves. */
  get awake(): Iterable<SessionRecord> {
    return this.#awake.values();
  }

  /** What a worker starts with. */
  begin(): SessionRecord[] {
    const held = this.#held;
    this.#storage.begin(held.map(({ key }) => key));
    return held.map((record) => ({ ...record, typed: this.lostInput.typedIn(record.key) }));
  }

  /** A session's tabs are these now. */
  told(record: SessionRecord): void {
    if (!this.holds(record.key)) return;
    this.lostInput.opened(record.key);
    this.#awake.set(record.key, record);
    this.#kept.keepTabs(this.#role, record);
  }

  /** A session's storage has changed. */
  stored({ key, parts }: StorageChanged): void {
    if (key === "" || this.holds(key)) this.#kept.keepParts(this.#role, key, parts);
  }

  /** The session as it can be restored, also of one at rest. */
  of(key: string): SessionRecord | undefined {
    return this.#awake.get(key) ?? this.#kept.tabsOf(this.#role, key)[0];
  }

  /**
   * Resolves when the worker has what the session had stored in the one before, or before its rest. `deaths`: of workers,
   * so far.
   */
  async restored(worker: Worker, { key, visits }: Pick<Session, "key" | "visits">, deaths: number) {
    const visit = visits.get(this.#role);
    const rested = visit?.rests && { record: this.#toWake(key), isUntold: visit.rests === "untold" };
    await this.#storage.give(worker, key, rested);
    if (!visit?.rests) return;
    visit.rests = undefined;
    // What died while it was at rest is nothing to it; what dies from now on is.
    visit.deathsKnown = Math.min(visit.deathsKnown, deaths);
    if (rested?.record) this.#awake.set(key, rested.record);
  }

  /**
   * Puts an idle session to rest: all that it has is kept, then its context is closed. `sparing`: not if it would lose
   * something. Resolves to what that is. What it lost is reported once it is used again.
   */
  async putToRest(
    worker: Worker | undefined,
    key: string,
    sparing: boolean,
  ): Promise<{ isSpared: boolean; losses: string[] }> {
    const losses = worker ? await endOnceTold(worker, key, sparing) : [];
    if (sparing && losses.length > 0) return { isSpared: true, losses };
    const record = this.#awake.get(key);
    // It may have ended meanwhile.
    if (record) this.lostInput.workerGone([{ ...record }], { reason: MADE_ROOM, rested: true });
    this.#awake.delete(key);
    this.#storage.rests(key);
    return { isSpared: false, losses };
  }

  /** The session is over: nothing is restored of it. */
  forget(key: string): void {
    this.#awake.delete(key);
    this.lostInput.forget(key);
    this.#storage.forget(key);
  }

  get #held(): SessionRecord[] {
    return [...this.#awake.values()].filter(({ key }) => this.holds(key));
  }

  #toWake(key: string): SessionRecord | undefined {
    const record = this.of(key);
    return record && { ...record, typed: this.lostInput.typedIn(key) };
  }
}

/** Resolves to what the session would lose, or has lost. */
async function endOnceTold(worker: Worker, key: string, sparing: boolean): Promise<string[]> {
  using told = worker.told(key);
  const { isTold, losses } = await worker.link.ask("PrepareRest", { key, sparing }, ASK_TIMEOUT_MS);
  if (sparing && losses.length > 0) return losses;
  // It is in the file before its context goes.
  if (isTold) await told.heard;
  await worker.link.ask("EndSession", { key }, ASK_TIMEOUT_MS);
  return losses;
}
