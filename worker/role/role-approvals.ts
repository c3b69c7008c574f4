// Puts a role's rules about approvals in force, and holds the actions that wait for a person.
import type { CDPSession } from "puppeteer-core";
import type { RoleConfig, WorkerDecideApprovalRequest } from "../../proto/gen/troupe.ts";
import { type ApprovalRules, approvalRules } from "../approvals/approval-rules.ts";
import { type ApprovalEvents, Approvals, type Waiting } from "../approvals/approvals.ts";
import type { Chrome } from "../chrome/chrome.ts";

import type { Interception } from "../tab/interception.ts";
import { HeldRequests } from "./held-requests.ts";
import type { RequestOwners } from "./request-owners.ts";

export class RoleApprovals {
  /** Undefined for a role in which nothing waits for a person. */
  readonly approvals: Approvals | undefined;
  readonly rules: ApprovalRules;
  #held: HeldRequests | undefined;

  constructor(
    { approve, approvalTimeMs }: Pick<RoleConfig, "approve" | "approvalTimeMs">,
    events: ApprovalEvents,
  ) {
    this.rules = approvalRules(approve);
    this.approvals = approve.length > 0 ? new Approvals(approvalTimeMs, events) : undefined;
  }

  /** Holds the requests of the browser's pages from now on. */
  async begin(
    interception: Interception,
    { endpoint }: Pick<Chrome, "endpoint">,
    owners: RequestOwners,
  ): Promise<void> {
    const { approvals, rules } = this;
    if (!approvals) return;
    this.#held = new HeldRequests({ rules, approvals, owners, isAttached: endpoint !== undefined });
    await this.#held.begin(interception);
  }

  /** Undefined if downloads do not wait. */
  get ofDownloads(): Approvals | undefined {
    return this.rules.downloads ? this.approvals : undefined;
  }

  /** Undefined if files are given to pages without a person's approval. */
  get ofUploads(): Approvals | undefined {
    return this.rules.uploads ? this.approvals : undefined;
  }

  of(session: string): readonly Waiting[] {
    return this.approvals?.of(session) ?? [];
  }

  follow(client: CDPSession): void {
    this.#held?.follow(client);
  }

  /** Carries out a person's decision. Returns false if nothing of that id waits. */
  decide({ id, deny, by }: WorkerDecideApprovalRequest): boolean {
    return this.approvals?.decide(id, { outcome: deny ? "denied" : "approved", by }) ?? false;
  }

  sessionOver(session: string): void {
    this.approvals?.sessionOver(session);
  }
}
