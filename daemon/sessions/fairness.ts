// Decides which caller is next, may wait or gives way: in turn between clients, and between the sessions of each.
import { clientOf } from "../admission/client.ts";

/**
 * Returns the waiter whose client got a slot longest ago; for one client, its first waiter. `waiting` is in order of
 * arrival. `served` lists clients that got slots, the latest last.
 */
export function nextInLine<W extends { key: string }>(
  waiting: Iterable<W>,
  served: readonly string[],
): W | undefined {
  const firsts = new Map<string, W>();
  for (const waiter of waiting) {
    const client = clientOf(waiter.key);
    if (!firsts.has(client)) firsts.set(client, waiter);
  }
  const [next] = [...firsts].sort(([one], [other]) => served.lastIndexOf(one) - served.lastIndexOf(other));
  return next?.[1];
}

/**
 * Returns true if one more call of the session may wait. While the queue has room, any call may. A full queue takes
 * only calls of sessions below their share. The waiting clients have equal shares of the queue, and so have the
 * sessions of each. `waiting` counts waiting calls by session.
 */
export function mayWait(key: string, waiting: ReadonlyMap<string, number>, queue: number): boolean {
  let total = 0;
  const sessions = new Map([[clientOf(key), new Set([key])]]);
  for (const [other, calls] of waiting) {
    if (calls <= 0) continue;
    total += calls;
    const client = clientOf(other);
    sessions.set(client, (sessions.get(client) ?? new Set()).add(other));
  }
  if (total < queue) return true;
  const ofClient = sessions.get(clientOf(key))?.size ?? 1;
  return (waiting.get(key) ?? 0) < Math.floor(queue / sessions.size / ofClient);
}

/**
 * Returns the client that loses a session for one more of `own`, when all sessions are taken: the client with most.
 * Returns undefined if `own` has its share already, which is `most` divided by the clients. `counts` has sessions by
 * client.
 */
export function givesWay(own: string, counts: ReadonlyMap<string, number>, most: number): string | undefined {
  const clients = new Set([own, ...counts.keys()]).size;
  const ownCount = counts.get(own) ?? 0;
  if (ownCount + 1 > Math.floor(most / clients)) return undefined;
  const [largest] = [...counts].filter(([client]) => client !== own).sort(([, a], [, b]) => b - a);
  return largest && largest[1] > ownCount + 1 ? largest[0] : undefined;
}
