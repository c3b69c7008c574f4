// What each session has tried of the plans that it was told: a fault that appears again is told with another one.

import { toStatus } from "../../proto/errors/status.ts";
import { OpenFaults } from "../../proto/plans/open-faults.ts";
import type { Session } from "../sessions/sessions.ts";
import { type Failure, failedCall } from "./failed-call.ts";
import type { InFlightCall } from "./in-flight-call.ts";

/** Of all sessions. */
export class TriedPlans {
  readonly #bySession = new WeakMap<Session, OpenFaults>();

  /** Its call has succeeded. Messages are read only for sessions that have not got over something. */
  succeeded(under: InFlightCall, atMs: number): void {
    const faults = under.session && this.#bySession.get(under.session);
    if (!faults?.any) return;
    faults.succeeded(failedCall(under), atMs);
  }

  /** Its call has failed: with which plan it is told of that. */
  failed(under: InFlightCall, failure: Failure, atMs: number): Failure {
    const { session } = under;
    if (!session || under.isOneOfMany) return failure;
    const faults = this.#bySession.get(session) ?? new OpenFaults();
    this.#bySession.set(session, faults);
    const detail = faults.failed(failure.detail, failedCall(under), atMs);
    return detail === failure.detail ? failure : { detail, status: toStatus(detail) };
  }
}
