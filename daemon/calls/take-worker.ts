// Gives a call its worker: the session gets its slot, the role gets ready, and the worker gets the session's state.
import { fail } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import type { Clock } from "../core/clock.ts";
import type { Session } from "../sessions/session.ts";
import { nextVisit } from "../sessions/visit.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Worker } from "../worker-process/worker.ts";
import type { AdmittedCall } from "./in-flight-call.ts";

const LATE = "the session could not be brought back in time";
const RETRY_AFTER_MS = 1_000;

/** The parts that give calls their workers. */
export interface WorkerParts {
  supervisor: Pick<Supervisor, "roles" | "names">;
  limits: { callTimeout: number; queueWait: number };
  clock: Clock;
  /** Saves sessions for the next daemon. */
  kept: Pick<SessionStore, "used" | "committed" | "checkTakes">;
  /** Receives the time that a call waited for its turn. */
  waited: (role: string, ms: number) => void;
}

/**
 * Returns the worker for the call, once the session has its slot and the role is ready. The caller calls `release` when
 * the call is over. Rejects if the session must learn of a worker's death first.
 */
export async function takeWorker(
  under: AdmittedCall,
  { supervisor, limits, clock, kept, waited }: WorkerParts,
): Promise<{ worker: Worker; release: () => void }> {
  const { session, role: name, tool, abort } = under;
  const role = supervisor.roles.get(name);
  // The configuration was read again after the session chose this role.
  if (!role) throw fail("UNKNOWN_ROLE", { role: name, roles: [...supervisor.names] });
  const { slots } = role;
  using waiting = new DisposableStack();
  if (!tool.control) waiting.defer(slots.enter(session.key));
  const overWith = AbortSignal.any([abort.signal, session.over.signal]);
  const leftMs = () => Math.min(under.leftMs(), under.startedMs + limits.callTimeout - clock.steady());
  let hasWorker = false;
  // A session that did not wake still hibernates, so others can have its slot.
  waiting.defer(() => {
    if (!hasWorker && !isAwake(session, name)) slots.giveUp(session.key);
  });
  waiting.defer(await slots.take(session.key, session.id, leftMs(), overWith));
  // A plan to go on helps only once the role runs again.
  if (role.stand.state !== "FAILED" && !role.couldNotStart) reportLoss(session, role);
  const worker = await role.ready({ callMs: leftMs(), queueMs: limits.queueWait }, overWith);
  hasWorker = true;
  overWith.throwIfAborted();
  const isNew = session.visits.get(name)?.state !== "AWAKE";
  const late = () => fail("WORKER_UNAVAILABLE", { role: name, reason: LATE, retryAfterMs: RETRY_AFTER_MS });
  await within({ signal: overWith, timeMs: leftMs(), late, clock }, role.sessions.restored(worker, session));
  overWith.throwIfAborted();
  // The worker may have died while this call waited for it.
  reportLoss(session, role);
  waited(name, clock.steady() - under.startedMs);
  session.visits.set(name, { state: "AWAKE", deathsKnown: role.losses.deaths });
  if (isNew) kept.used(session);
  under.worker = worker;
  under.mayLack = session.mayLack.delete(name);
  // A restart does not wait for a watch.
  if (!tool.watches) waiting.defer(role.calls.begin());
  const closed = () => abort.abort(session.over.signal.reason);
  session.over.signal.addEventListener("abort", closed, { once: true });
  waiting.defer(() => session.over.signal.removeEventListener("abort", closed));
  const release = waiting.move();
  return { worker, release: () => release.dispose() };
}

/**
 * Reports a worker's death to a session that was in the role, before the session goes on. It also reports input that
 * was lost when a worker was replaced.
 */
function reportLoss({ key, visits }: Session, role: SupervisedRole): void {
  const visit = visits.get(role.name);
  const why = visit && role.losses.reasonFor(key, visit);
  if (!why) return;
  visits.set(role.name, nextVisit(visit, "informed", role.losses.deaths));
  // The session's next call finds the worker ready, or waits less for it.
  role.need();
  throw fail("WORKER_RESTARTED", { role: role.name, ...why, effect: "none" });
}

/** Also true of a session that is over: another may have its key. */
function isAwake({ visits, over }: Session, role: string): boolean {
  return over.signal.aborted || visits.get(role)?.state === "AWAKE";
}
