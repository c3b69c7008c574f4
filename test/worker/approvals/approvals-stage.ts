// A worker whose role lets actions wait for a person, and the person.
import assert from "node:assert/strict";
import { after } from "node:test";
import type { Approval, ApprovalEnded, WorkerDecideApprovalResponse } from "../../../proto/gen/troupe.ts";
import { within } from "../../../proto/machine/within.ts";
import { shared } from "../../harness/shared.ts";
import { type RoleOptions, startWorker, type Worker } from "../../harness/worker.ts";
import { type Site, serveSite } from "../../site/serve.ts";

const COMES_MS_MAX = 20_000;

/** The person who is asked, as far as the daemon would show it. */
export class Person {
  readonly #worker: Worker;
  readonly #events: AsyncIterator<Event>;

  constructor(worker: Worker) {
    this.#worker = worker;
    const ends = new AbortController();
    after(() => ends.abort());
    this.#events = approvalsIn(worker.events(ends.signal));
  }

  /** Resolves with the next action that waits. */
  async asked(): Promise<Approval & { key: string }> {
    const { asked } = await this.#next();
    assert.ok(asked?.approval, "an action waits");
    return { ...asked.approval, key: asked.key };
  }

  /** Resolves with the next action that waits no more. */
  async ended(): Promise<ApprovalEnded> {
    const { ended } = await this.#next();
    assert.ok(ended, "an action waits no more");
    return ended;
  }

  /** Returns false if nothing of that id waits. */
  async decide(id: string, { deny = false, by = "ann" } = {}): Promise<boolean> {
    const { done } = await this.#worker.ask<WorkerDecideApprovalResponse>("DecideApproval", { id, deny, by });
    return done;
  }

  /** Approves the next action. */
  async approves(): Promise<Approval> {
    const approval = await this.asked();
    assert.ok(await this.decide(approval.id));
    await this.ended();
    return approval;
  }

  async #next(): Promise<Event> {
    const late = () => new Error("nothing was asked or ended in time");
    const { value } = await within({ timeMs: COMES_MS_MAX, late }, this.#events.next());
    return value;
  }
}

interface Event {
  asked?: { key: string; approval: Approval | null };
  ended?: ApprovalEnded;
}

async function* approvalsIn(events: ReturnType<Worker["events"]>): AsyncGenerator<Event> {
  for await (const { approvalAsked: asked, approvalEnded: ended } of events)
    if (asked || ended) yield { ...(asked && { asked }), ...(ended && { ended }) };
}

/** Starts a site, and a worker whose role has these rules for it. */
export async function approvalsStage(
  rules: (site: Site) => string[],
  role: (site: Site) => RoleOptions = () => ({}),
): Promise<{ worker: Worker; site: Site; person: Person }> {
  const site = await serveSite();
  const worker = await startWorker({ approve: rules(site), approvalTimeMs: 60_000, ...role(site) });
  return { site: shared(site), worker: shared(worker), person: new Person(worker) };
}
