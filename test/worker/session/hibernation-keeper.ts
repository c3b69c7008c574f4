// Keeps what a worker reports of its sessions, as a daemon does, and hibernates them.
import { after } from "node:test";
import type { SessionRecord, StorageChanged, StoragePart } from "../../../proto/gen/troupe.ts";
import type { Worker, WorkerSession } from "../../harness/worker.ts";

/** Returns what a daemon keeps of a worker, and how it hibernates sessions. */
export function keeper(of: Worker) {
  const records = new Map<string, SessionRecord>();
  const parts = new Map<string, Map<string, StoragePart>>();
  const told = new Map<string, PromiseWithResolvers<void>>();
  const toldOf = (key: string) => {
    const found = told.get(key) ?? Promise.withResolvers<void>();
    told.set(key, found);
    return found;
  };
  const keep = ({ key, parts: changed }: StorageChanged) => {
    const kept = parts.get(key) ?? new Map<string, StoragePart>();
    parts.set(key, kept);
    for (const part of changed) {
      if (part.data.length > 0) kept.set(part.name, part);
      else kept.delete(part.name);
    }
  };
  const listening = new AbortController();
  after(() => listening.abort());
  const listen = async () => {
    for await (const { session, storage, told: last } of of.events(listening.signal)) {
      if (session) records.set(session.key, session);
      if (storage) keep(storage);
      if (last) toldOf(last.key).resolve();
    }
  };
  // It ends with the worker.
  void listen().catch(() => undefined);
  /** Gives a worker what the session had. `key`: empty for what sessions share. */
  const giveBack = (key: string, to = of) =>
    to.restoreStorage({
      key,
      parts: [...(parts.get(key)?.values() ?? [])],
      session: records.get(key) ?? null,
      rested: key !== "",
    });
  const rest = async (session: WorkerSession, sparing = true): Promise<string[]> => {
    const { isTold, losses } = await of.prepareRest(session.id, sparing);
    if (!isTold) return losses;
    await toldOf(session.id).promise;
    told.delete(session.id);
    await of.endSession(session.id);
    await giveBack(session.id);
    return losses;
  };
  return { records, rest, giveBack };
}
