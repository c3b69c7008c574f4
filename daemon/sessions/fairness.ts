// Who is next, who may wait, and who gives way: in turn between clients, and between the sessions of each.
import { clientOf } from "../admission/client.ts";

/**
 * Of those who wait for a place, in order of coming, the one whose client got one longest ago; of a client's, who came first.
 * `served`: clients that were given places, the latest last.
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
 * Whether one more call of the session may wait. While there is room anybody's may; beyond it only those of whoever has
 * less than a share: the queue divided among the clients that wait, and each part among their sessions.
 * `waiting`: waiting calls by session.
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
 * Whose session ends for one more of `own`, where there are as many as may be: the client's that has most. Undefined where
 * `own` has its share already, all divided by those who have any. `counts`: sessions by client.
 */
export function givesWay(own: string, counts: ReadonlyMap<string, number>, most: number): string | undefined {
  const clients = new Set([own, ...counts.keys()]).size;
  const ownCount = counts.get(own) ?? 0;
  if (ownCount + 1 > Math.floor(most / clients)) return undefined;
  const [largest] = [...counts].filter(([client]) => client !== own).sort(([, a], [, b]) => b - a);
  return largest && largest[1] > ownCount + 1 ? largest[0] : undefined;
}
