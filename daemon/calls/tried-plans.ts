// Remembers the plans that each session has tried. A fault that appears again comes with another plan.

import { toStatus } from "../../proto/errors/status.ts";
import { OpenFaults } from "../../proto/plans/open-faults.ts";
import type { Session } from "../sessions/session.ts";
import { type Failure, failedCall } from "./failed-call.ts";
import type { InFlightCall } from "./in-flight-call.ts";

export class TriedPlans {
  readonly #bySession = new WeakMap<Session, OpenFaults>();

  /** Notes a call's success. It decodes requests only for sessions with open faults. */
  succeeded(under: InFlightCall, atMs: number): void {
    const faults = under.session && this.#bySession.get(under.session);
    if (!faults?.any) return;
    faults.succeeded(failedCall(under), atMs);
  }

  /** Notes a call's failure, and chooses the plan for it. */
  failed(under: InFlightCall, failure: Failure, atMs: number): Failure {
    const { session } = under;
    if (!session) return failure;
    const faults = this.#bySession.get(session) ?? new OpenFaults();
    this.#bySession.set(session, faults);
    const detail = faults.failed(failure.detail, failedCall(under), atMs);
    return detail === failure.detail ? failure : { detail, status: toStatus(detail) };
  }
}
