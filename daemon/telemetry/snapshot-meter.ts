// Reads a snapshot's kind from the first message of its stream.
import type { SnapshotResponse } from "../../proto/gen/troupe.ts";
import { decode, messageType } from "../../proto/wire/schema.ts";

export interface PassedSnapshot {
  kind: "full" | "delta" | "unchanged" | "unknown";
  bytes: number;
}

/** Counts the messages of one stream, and returns the totals when asked. */
export function snapshotMeter(): { see(message: Uint8Array): void; passed(): PassedSnapshot } {
  let first: Uint8Array | undefined;
  let bytes = 0;
  return {
    see(message) {
      bytes += message.length;
      first ??= message;
    },
    // The client has the snapshot by then.
    passed: () => ({ kind: first ? kindOf(first) : "unknown", bytes }),
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
    // The client reports a worker's malformed message. Here it is only unknown.
    return "unknown";
  }
}
