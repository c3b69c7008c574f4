// The actions of one role's sessions that wait for a person, and the newest decisions.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Approval, ApprovalAsked, ApprovalEnded } from "../../proto/gen/troupe.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { within } from "../../proto/machine/within.ts";
import type { Clock } from "../core/clock.ts";
import type { Worker } from "../worker-process/worker.ts";

export interface WaitingApproval {
  /** The session's key. */
  key: string;
  approval: Approval;
}

/** An action that waits no more. `by`: the client that decided; empty if no client did. */
export interface EndedApproval extends WaitingApproval {
  outcome: Outcome;
  by: string;
}

type Outcome = ApprovalEnded["outcome"];

export interface ApprovalParts {
  role: string;
  /** Returns the worker that is ready. */
  worker: () => Worker | undefined;
  clock: Clock;
  ended: (ended: EndedApproval) => void;
}

const ASK_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
const ENDED_KEPT = 100;

export class RoleApprovals {
  readonly #parts: ApprovalParts;
  readonly #waiting = new Map<string, WaitingApproval & { ended: PromiseWithResolvers<EndedApproval> }>();
  readonly #ended = new Map<string, EndedApproval>();

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  /** The actions that wait, oldest first. */
  get waiting(): WaitingApproval[] {
    return [...this.#waiting.values()];
  }

  /** Returns true if an action of that id waits, or has waited not long ago. */
  knows(id: string): boolean {
    return this.#waiting.has(id) || this.#ended.has(id);
  }

  asked({ key, approval }: ApprovalAsked): void {
    if (!approval) return;
    const ended = Promise.withResolvers<EndedApproval>();
    this.#waiting.set(approval.id, { key, approval: { ...approval, role: this.#parts.role }, ended });
  }

  over({ id, outcome, by }: ApprovalEnded): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    const { key, approval, ended: told } = waiting;
    const ended = { key, approval, outcome, by };
    this.#waiting.delete(id);
    keepNewest(this.#ended, id, ended, ENDED_KEPT);
    this.#parts.ended(ended);
    told.resolve(ended);
  }

  /** The pages have gone with their worker, and all that waited in them. */
  workerGone(): void {
    for (const id of [...this.#waiting.keys()])
      this.over({ id, outcome: "APPROVAL_OUTCOME_GIVEN_UP", by: "" });
  }

  /**
   * Lets an action go on, or refuses it. Throws INVALID_ARGUMENT if it waits no more, and says how its wait has ended.
   * Throws WORKER_UNAVAILABLE if the worker does not answer.
   */
  async decide(id: string, deny: boolean, by: string): Promise<EndedApproval> {
    const waiting = this.#waiting.get(id);
    if (!waiting) throw waitsNoMore(id, this.#ended.get(id));
    const ended = await this.#ask(waiting, deny, by);
    const wanted = deny ? "APPROVAL_OUTCOME_DENIED" : "APPROVAL_OUTCOME_APPROVED";
    // Another client was faster, or the page has given it up.
    if (ended.outcome !== wanted || ended.by !== by) throw waitsNoMore(id, ended);
    return ended;
  }

  async #ask(
    { approval: { id }, ended }: WaitingApproval & { ended: PromiseWithResolvers<EndedApproval> },
    deny: boolean,
    by: string,
  ): Promise<EndedApproval> {
    const { worker, clock, role } = this.#parts;
    const late = () => new Error("the worker did not carry out a decision");
    try {
      const asked = worker()?.link.ask("DecideApproval", { id, deny, by }, ASK_TIMEOUT_MS);
      // The worker reports the end to all, whatever it is.
      await Promise.race([asked, ended.promise]);
      return await within({ timeMs: ASK_TIMEOUT_MS, late, clock }, ended.promise);
    } catch (error) {
      const reason = "it did not carry out the decision";
      throw fail("WORKER_UNAVAILABLE", { role, reason, retryAfterMs: RETRY_AFTER_MS }, error);
    }
  }
}

/** Returns INVALID_ARGUMENT for an id of which nothing waits. */
export function waitsNoMore(id: string, ended: EndedApproval | undefined) {
  return fail("INVALID_ARGUMENT", {
    argument: "id",
    problem: ended ? `${id} waits no more: ${ENDS[ended.outcome](ended)}` : "no action of that id waits",
    hint: "with the id of an action that waits; troupe approve lists them",
  });
}

const ENDS: Record<Outcome, (ended: EndedApproval) => string> = {
  APPROVAL_OUTCOME_UNSPECIFIED: () => "it has ended",
  APPROVAL_OUTCOME_APPROVED: ({ by }) => `${by} has approved it`,
  APPROVAL_OUTCOME_DENIED: ({ by }) => `${by} has denied it`,
  APPROVAL_OUTCOME_EXPIRED: () => "nobody decided in time, so it was refused",
  APPROVAL_OUTCOME_GIVEN_UP: () => "its page has given it up, or is gone",
};
