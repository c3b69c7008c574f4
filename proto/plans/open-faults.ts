// The open faults of one session, each with the calls since it appeared. They decide the fault's next plan.
import type { ErrorDetail, FailedCall } from "../errors/catalogue.ts";
import { keepNewest } from "../machine/newest.ts";
import { findTool } from "../tools/read-tools.ts";
import { type CallMade, callMade, digestOf, faultKey, nextPlan, patienceMs, planMark } from "./next-plan.ts";

interface OpenFault {
  call: CallMade;
  /** Digests of the refs that the error offered in place of its own. */
  candidates: readonly string[];
  /** The fault concerns an element of a page. */
  ofPage: boolean;
  since: CallMade[];
  given: string[];
  firstMs: number;
  lastMs: number;
  notBeforeMs: number;
}

/** A fault that did not appear for so long counts as a new one. */
const AGE_MS_MAX = 15 * 60_000;
const FAULTS_MAX = 20;
const CALLS_MAX = 100;
/** Clocks of callers differ from ours. */
const EARLY_SHARE = 0.9;

export class OpenFaults {
  readonly #open = new Map<string, OpenFault>();

  /** True if each successful call of the session must be passed to {@link OpenFaults.succeeded}. */
  get any(): boolean {
    return this.#open.size > 0;
  }

  /** Notes a successful call of the session. It may have been a step, or the end of a fault. */
  succeeded(call: Pick<FailedCall, "tool" | "role" | "arguments">, atMs: number): void {
    this.#forgetOld(atMs);
    if (!this.any) return;
    const made = callMade(call);
    for (const [key, fault] of this.#open) {
      const isOver =
        isSameCall(fault, made) ||
        (findTool(made.tool)?.arrival === "page" && fault.ofPage && isInRole(fault, made));
      if (isOver) this.#open.delete(key);
    }
    this.#note(made);
  }

  /** Notes a failed call of the session. Returns its error with a plan that was not executed yet. */
  failed(detail: ErrorDetail, call: FailedCall, atMs: number): ErrorDetail {
    this.#forgetOld(atMs);
    const made = callMade(call);
    this.#note(made);
    if (!detail.recoverable || detail.tool === "") return detail;
    const key = faultKey(detail, call.arguments);
    const fault = this.#open.get(key) ?? {
      call: made,
      candidates: [],
      ofPage: typeof detail.details.ref === "string",
      since: [made],
      given: [],
      firstMs: atMs,
      lastMs: atMs,
      notBeforeMs: 0,
    };
    const mayRepeat = atMs < Math.max(fault.notBeforeMs, fault.firstMs + patienceMs(detail));
    const told = nextPlan(detail, call, { ...fault, mayRepeat });
    fault.given = [...fault.given, planMark(told.steps)].slice(-CALLS_MAX);
    fault.candidates = told.candidates.map(({ ref }) => digestOf(ref));
    fault.lastMs = atMs;
    fault.notBeforeMs = atMs + (told.retry?.afterMs ?? 0) * EARLY_SHARE;
    keepNewest(this.#open, key, fault, FAULTS_MAX);
    return told;
  }

  #note(made: CallMade): void {
    for (const fault of this.#open.values())
      if (fault.since.push(made) > CALLS_MAX) fault.since.splice(0, fault.since.length - CALLS_MAX);
  }

  #forgetOld(atMs: number): void {
    for (const [key, { lastMs }] of this.#open) if (atMs - lastMs > AGE_MS_MAX) this.#open.delete(key);
  }
}

/** The call is the failed one, or the one on the intended element. */
function isSameCall({ call, candidates }: OpenFault, made: CallMade): boolean {
  const { ref } = made.digests;
  if (made.tool !== call.tool || !isInRole({ call }, made)) return false;
  if (ref === undefined) return made.words === call.words;
  return ref === call.digests.ref || candidates.includes(ref);
}

function isInRole({ call }: Pick<OpenFault, "call">, { role }: CallMade): boolean {
  return role === call.role;
}
