// Holds the requests of a role's pages that wait for a person. Only a request shows what an action really does: a click
// may submit a form, open a page or run a script.
import { createHash } from "node:crypto";
import type { CDPSession } from "puppeteer-core";
import { keepNewest } from "../../proto/machine/newest.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { type ApprovalRules, actionOf, heldPatterns } from "../approvals/approval-rules.ts";
import { type Approvals, requestWords, type Waiting } from "../approvals/approvals.ts";
import type { Session } from "../session/session.ts";
import type { Answer, HeldRequest, Interception } from "../tab/interception.ts";
import type { RequestOwner, RequestOwners } from "./request-owners.ts";

export interface HeldRequestsParts {
  rules: ApprovalRules;
  approvals: Approvals;
  owners: RequestOwners;
  /** Other pages of an attached browser are a person's own. */
  isAttached: boolean;
}

/** A request that waits. */
interface Held {
  waiting: Waiting;
  /** Its network id, by which Chrome reports its end. */
  networkId: string | undefined;
  frameId: string;
  identity: string;
  isDocument: boolean;
}

const DECIDED_MAX = 100;
const REFUSED = { refused: "BlockedByClient" } as const;
/** The old page stays, and no page of Chrome's replaces it. */
const STAYS = { refused: "Aborted" } as const;

export class HeldRequests {
  readonly #parts: HeldRequestsParts;
  readonly #held = new Map<string, Held>();
  /** By its identity, the call that led to what was decided. */
  readonly #decided = new Map<string, object>();

  constructor(parts: HeldRequestsParts) {
    this.#parts = parts;
  }

  /** Resolves when the requests are held. */
  async begin(interception: Interception): Promise<void> {
    const patterns = heldPatterns(this.#parts.rules);
    if (patterns.length > 0)
      await interception.hold({ patterns, answer: (request) => this.#answer(request) });
  }

  /** Follows a process of a tab. A wait there ends with its request, or with the document that it is from. */
  follow(client: CDPSession): void {
    client.on("Network.loadingFailed", ({ requestId }) =>
      this.#giveUp(({ networkId }) => networkId === requestId),
    );
    client.on("Page.frameNavigated", ({ frame: { id } }) =>
      this.#giveUp(({ frameId, isDocument }) => frameId === id && !isDocument),
    );
    client.on("Page.frameDetached", ({ frameId: id, reason }) =>
      this.#giveUp(({ frameId }) => frameId === id && reason === "remove"),
    );
  }

  #giveUp(isOver: (held: Held) => boolean): void {
    for (const held of this.#held.values()) if (isOver(held)) this.#parts.approvals.giveUp(held.waiting.id);
  }

  async #answer(request: HeldRequest): Promise<Answer | undefined> {
    const isDocument = request.resourceType === "Document";
    const { method, url } = request.request;
    const { owners, isAttached, rules } = this.#parts;
    const at = owners.tabOf(request.frameId);
    const shownUrl = at?.frame?.url ?? "";
    const action = actionOf({ method, url, isDocument, shownUrl }, rules);
    if (!action) return undefined;
    const refused = isDocument ? STAYS : REFUSED;
    const owner = at ?? (await owners.ownerOf(request.frameId));
    if (!owner) return isAttached ? undefined : refused;
    return await this.#answerOfPerson(request, action, owner, refused);
  }

  async #answerOfPerson(
    request: HeldRequest,
    action: Waiting["action"],
    { session, tab }: RequestOwner,
    refused: Answer,
  ): Promise<Answer> {
    const { approvals } = this.#parts;
    const { frameId, networkId } = request;
    const isDocument = request.resourceType === "Document";
    const identity = identityOf(session, request);
    if (this.#isRepeated(identity, session, isDocument)) return refused;
    const page = redactedAddress(tab?.url ?? "");
    const what = requestWords(request.request);
    const waiting = approvals.ask({ session: session.key, tab: tab?.id ?? "", action, what, page });
    if (!waiting) return refused;
    this.#held.set(waiting.id, { waiting, identity, networkId, frameId, isDocument });
    const wake = () => {
      for (const { activity } of session.tabs.open) activity.wake();
    };
    wake();
    void tab?.interrupts.whenClosed.then(() => approvals.giveUp(waiting.id));
    const { outcome } = await waiting.over;
    this.#held.delete(waiting.id);
    const { cause } = waiting;
    if (cause && outcome !== "given-up") keepNewest(this.#decided, identity, cause, DECIDED_MAX);
    wake();
    return outcome === "approved" ? {} : refused;
  }

  /** A page that asks twice for the same in one call means it once. A newer document replaces an older one. */
  #isRepeated(identity: string, { key }: Session, isDocument: boolean): boolean {
    const { approvals } = this.#parts;
    const cause = approvals.callOf(key);
    if (cause && this.#decided.get(identity) === cause) return true;
    const same = [...this.#held.values()].find((each) => each.identity === identity);
    if (same && isDocument) approvals.giveUp(same.waiting.id);
    return same !== undefined && !isDocument;
  }
}

/** Two requests of one identity do the same. */
function identityOf({ key }: Session, { frameId, request }: HeldRequest): string {
  const { method, url, postData = "" } = request;
  return JSON.stringify([key, frameId, method, url, digest(postData)]);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
