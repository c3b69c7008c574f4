// What sessions lost with their worker, such as typed text, or by being put to rest: their next call reports it, once.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { PlannedReason } from "./supervision.ts";

/** Why a worker was ended by us, as its sessions read it. */
const WHY: Record<PlannedReason, string> = {
  memory: "it was replaced by a fresh one, as the role held too much memory",
  age: "it was replaced by a fresh one, as it had grown old",
  requested: "an operator had it replaced",
  configuration: "its configuration changed",
};

type Typed = SessionRecord["typed"];

/** Why something is gone. `rested`: the session was put to rest; its worker goes on. */
export interface LossReason {
  reason: string;
  rested?: true;
}

const MADE_ROOM: LossReason = {
  reason: "this session was put to rest for another one that waited, as no place was free",
  rested: true,
};

interface Lost {
  why: LossReason;
  /** In words. */
  lost: readonly string[];
  typed: Typed;
  isReported: boolean;
}

/** By session, until its tabs are open again. */
export class LostInput {
  readonly #byKey = new Map<string, Lost>();

  /** The worker ended; what its sessions had typed is theirs no more. */
  workerGone(records: Iterable<SessionRecord>, given: PlannedReason | { reason: string }): void {
    const why = { reason: typeof given === "string" ? WHY[given] : given.reason };
    for (const record of records) {
      const { key, typed } = record;
      if (typed.length === 0) continue;
      this.#byKey.set(key, { why, typed, lost: typed.map(({ field }) => field), isReported: false });
      record.typed = [];
    }
  }

  /** A session was put to rest, and has lost what its record says. */
  rested({ key, typed, lostByRest }: SessionRecord): void {
    if (lostByRest.length === 0) return;
    this.#byKey.set(key, { why: MADE_ROOM, typed, lost: lostByRest, isReported: false });
  }

  /** What the worker is to know that opens the session's tabs again. */
  typedIn(key: string): Typed {
    return this.#byKey.get(key)?.typed ?? [];
  }

  /** Why a session lost something that it does not know of; undefined where it did not. */
  reasonFor(key: string): LossReason | undefined {
    const lost = this.#byKey.get(key);
    return lost?.isReported === false ? lost.why : undefined;
  }

  /** All of it in words, for the error that reports them. */
  report(key: string): string[] {
    const lost = this.#byKey.get(key);
    if (!lost || lost.isReported) return [];
    lost.isReported = true;
    return [...lost.lost];
  }

  /** The session's tabs are open again. */
  opened(key: string): void {
    if (this.#byKey.get(key)?.isReported) this.#byKey.delete(key);
  }

  /** The session is over. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }
}

/** Whether a session would lose what it has typed. */
export function hasInput(records: Iterable<SessionRecord>): boolean {
  for (const { typed } of records) if (typed.length > 0) return true;
  return false;
}
