// Gives a person's turn its worker: the session wakes and keeps its slot, and its role gets ready.
import type { Session } from "../sessions/session.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { Worker } from "../worker-process/worker.ts";

/** A worker may have to start, and a slot may have to become free. */
const READY_MS_MAX = 60_000;

/** Saves sessions for the next daemon. */
export interface KeptSessions {
  used(session: Session): void;
}

/**
 * Resolves with the worker that has the session. A loss that the session must learn of waits for its agent's next call.
 * The caller calls `release` at the end of the turn.
 */
export async function workerForPerson(
  session: Session,
  role: SupervisedRole,
  signal: AbortSignal,
  kept: KeptSessions,
): Promise<{ worker: Worker; release: () => void }> {
  const { name, slots, losses } = role;
  const isAwake = () => session.over.signal.aborted || session.visits.get(name)?.state === "AWAKE";
  let hasWorker = false;
  using held = new DisposableStack();
  // A session that did not wake still hibernates, so others can have its slot.
  held.defer(() => {
    if (!hasWorker && !isAwake()) slots.giveUp(session.key);
  });
  held.defer(await slots.take(session.key, session.id, READY_MS_MAX, signal));
  const worker = await role.ready({ callMs: READY_MS_MAX, queueMs: READY_MS_MAX }, signal);
  hasWorker = true;
  await role.sessions.restored(worker, session);
  signal.throwIfAborted();
  if (!session.visits.has(name)) {
    session.visits.set(name, { state: "AWAKE", deathsKnown: losses.deaths });
    kept.used(session);
  }
  held.defer(role.calls.begin());
  const moved = held.move();
  return { worker, release: () => moved.dispose() };
}
