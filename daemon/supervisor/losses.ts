// Keeps what sessions lost with their worker or in hibernation: its state, or typed text. Their next call reports it once.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import { missesDeath, type Visit } from "../sessions/visit.ts";
import type { WorkerEnd } from "../worker-process/worker.ts";
import type { PlannedReason } from "./supervision.ts";

/** The reasons for a planned end of a worker, in words for its sessions. */
const WHY: Record<PlannedReason, string> = {
  memory: "it was replaced by a fresh one, as the role held too much memory",
  age: "it was replaced by a fresh one, as it had grown old",
  requested: "an operator had it replaced",
  configuration: "its configuration changed",
};

type Typed = SessionRecord["typed"];

/** The reason for a loss. `rested` means that the session was hibernated and its worker goes on. */
export interface LossReason {
  reason: string;
  rested?: true;
  /** The daemon of the session ended, and no worker of this one has. */
  daemonEnded?: true;
}

const MADE_ROOM: LossReason = {
  reason: "this session was put to rest, because another one needed its place or its daemon ended",
  rested: true,
};

export const DAEMON_ENDED: LossReason = { reason: "the daemon was started again", daemonEnded: true };

interface Lost {
  why: LossReason;
  /** The lost parts in words. */
  lost: readonly string[];
  typed: Typed;
  isReported: boolean;
}

/** The losses in one role. */
export class Losses {
  /** The number of unplanned deaths of ready workers. Sessions that were in the role must learn of each. */
  deaths = 0;
  #lastEnd: WorkerEnd | undefined;
  /** Typed text by session, until the session's tabs are open again. */
  readonly #byKey = new Map<string, Lost>();

  /** Records the worker's unplanned end. */
  workerDied(end: WorkerEnd, wasReady: boolean): void {
    if (wasReady) this.deaths++;
    this.#lastEnd = end;
  }

  /** Records that the worker ended and its sessions lost their typed text. */
  inputGone(records: Iterable<SessionRecord>, given: PlannedReason | LossReason): void {
    const { reason, daemonEnded } = typeof given === "string" ? { reason: WHY[given] } : given;
    const why: LossReason = { reason, ...(daemonEnded && { daemonEnded }) };
    for (const record of records) {
      const { key, typed } = record;
      if (typed.length === 0) continue;
      this.#byKey.set(key, { why, typed, lost: typed.map(({ field }) => field), isReported: false });
      record.typed = [];
    }
  }

  /** Records the losses of a hibernated session. */
  rested({ key, typed, lostByRest }: SessionRecord): void {
    if (lostByRest.length === 0) return;
    this.#byKey.set(key, { why: MADE_ROOM, typed, lost: lostByRest, isReported: false });
  }

  /** Returns the lost input, for the worker that opens the session's tabs again. */
  typedIn(key: string): Typed {
    return this.#byKey.get(key)?.typed ?? [];
  }

  /** Returns the reason for a loss that the session does not know of, else undefined. */
  reasonFor(key: string, visit: Visit): LossReason | undefined {
    if (missesDeath(visit, this.deaths)) {
      // A session of another daemon knows nothing of the workers of this one.
      if ("why" in visit && visit.why !== undefined) return { reason: visit.why, daemonEnded: true };
      return this.#lastEnd ? { reason: this.#lastEnd.reason } : DAEMON_ENDED;
    }
    const lost = this.#byKey.get(key);
    return lost?.isReported === false ? lost.why : undefined;
  }

  /** Returns the lost parts in words for an error, and marks them as reported. `other`: the parts outside of controls. */
  report(key: string): { lost: string[]; other: string[] } {
    const found = this.#byKey.get(key);
    if (!found || found.isReported) return { lost: [], other: [] };
    found.isReported = true;
    const entered = new Set(found.typed.map(({ field }) => field));
    return { lost: [...found.lost], other: found.lost.filter((each) => !entered.has(each)) };
  }

  /** Forgets a reported loss, because the session's tabs are open again. */
  opened(key: string): void {
    if (this.#byKey.get(key)?.isReported) this.#byKey.delete(key);
  }

  /** Forgets a session that is over. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }
}

/** Returns true if a session has typed text that it would lose. */
export function hasInput(records: Iterable<SessionRecord>): boolean {
  for (const { typed } of records) if (typed.length > 0) return true;
  return false;
}
