// Folds messages that differ in their numbers only, such as those of a counter.
import type { Message } from "../../tab/console/console-log.ts";

/** So many of a kind are listed one by one. */
const ALIKE_MAX = 3;

/** A message, and the number of earlier ones like it that it stands for. */
export interface Folded {
  message: Message;
  alike: number;
}

/** Returns the messages in their order. Of many that are alike, only the newest stays. */
export function folded(messages: readonly Message[]): Folded[] {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const kind = kindOf(message);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const left = new Map(counts);
  return messages.flatMap((message) => {
    const kind = kindOf(message);
    const count = counts.get(kind) ?? 1;
    if (count <= ALIKE_MAX) return [{ message, alike: 0 }];
    const later = (left.get(kind) ?? 1) - 1;
    left.set(kind, later);
    return later > 0 ? [] : [{ message, alike: count - 1 }];
  });
}

function kindOf({ level, text, url, line, document }: Message): string {
  return [document, level, line, url, text.replace(/\d+/g, "0")].join(" ");
}
