// What a snapshot was, read off the first message of its stream as it passes by.
import type { SnapshotResponse } from "../../proto/gen/troupe.ts";
import { decode, messageType } from "../../proto/wire/schema.ts";

/** A snapshot that has passed. */
export interface PassedSnapshot {
  kind: "full" | "delta" | "unchanged" | "unknown";
  bytes: number;
}

/** Looks at each message of one stream; tells of the whole when asked. */
export function snapshotMeter(): { see(message: Uint8Array): void; passed(): PassedSnapshot } {
  let kind: PassedSnapshot["kind"] | undefined;
  let bytes = 0;
  return {
    see(message) {
      bytes += message.length;
      kind ??= kindOf(message);
    },
    passed: () => ({ kind: kind ?? "unknown", bytes }),
  };
}

const KINDS: Record<string, PassedSnapshot["kind"]> = {
  SNAPSHOT_KIND_FULL: "full",
  SNAPSHOT_KIND_DELTA: "delta",
  SNAPSHOT_KIND_UNCHANGED: "unchanged",
};

function kindOf(first: Uint8Array): PassedSnapshot["kind"] {
  try {
    const { header } = decode<SnapshotResponse>(messageType("troupe.v1.SnapshotResponse"), first);
    return KINDS[header?.kind ?? ""] ?? "unknown";
  } catch {
    // A worker that sends what is no message is for its client to complain of.
    return "unknown";
  }
}
