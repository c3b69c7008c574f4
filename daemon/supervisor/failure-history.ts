// Keeps a role's failures across its workers' deaths.

import type { FailureLog, Incident } from "../../proto/gen/troupe.ts";
import { fairShare } from "../../proto/machine/fair-share.ts";
import { redactedText } from "../../proto/text/redact.ts";

/** The entries of each kind that are kept. Each session has its share of them. */
const KEPT_MAX = 100;

export const NO_FAILURES: FailureLog = {
  frameInjectionFailures: [],
  frameExpansionFailures: [],
  frameDiscoveryError: null,
  authLoadError: null,
  cleanupErrors: [],
  incidents: [],
};

/** Merges two logs, oldest entry first. If both have the same entry, the newer log's version stays. */
export function mergeFailures(older: FailureLog, newer: FailureLog): FailureLog {
  return {
    frameInjectionFailures: merged(
      older.frameInjectionFailures,
      newer.frameInjectionFailures,
      ({ frameId, error }) => frameId + error,
    ),
    frameExpansionFailures: merged(
      older.frameExpansionFailures,
      newer.frameExpansionFailures,
      ({ ref, error }) => ref + error,
    ),
    frameDiscoveryError: newer.frameDiscoveryError ?? older.frameDiscoveryError,
    authLoadError: newer.authLoadError ?? older.authLoadError,
    cleanupErrors: merged(older.cleanupErrors, newer.cleanupErrors, ({ step, error }) => step + error),
    incidents: merged(older.incidents, newer.incidents, ({ kind, error }) => kind + error),
  };
}

export function withIncident(log: FailureLog, kind: string, error: string, nowMs: number): FailureLog {
  const incident: Incident = { kind, error: redactedText(error), timestamp: timestamp(nowMs), session: "" };
  return mergeFailures(log, { ...NO_FAILURES, incidents: [incident] });
}

/** Marks all entries as past, because a dead worker's documents are gone too. */
export function withoutCurrent(log: FailureLog): FailureLog {
  const past = <T extends { current: boolean }>(entries: T[]) =>
    entries.map((entry) => ({ ...entry, current: false }));
  return {
    ...log,
    frameInjectionFailures: past(log.frameInjectionFailures),
    frameExpansionFailures: past(log.frameExpansionFailures),
  };
}

type Timestamp = Incident["timestamp"];

/** Converts milliseconds since the epoch to a google.protobuf.Timestamp. */
export function timestamp(ms: number): NonNullable<Timestamp> {
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}

function millisOf(time: Timestamp): number {
  return time ? Number(time.seconds) * 1000 + Math.floor(time.nanos / 1_000_000) : 0;
}

function merged<T extends { timestamp: Timestamp; session?: string }>(
  older: readonly T[],
  newer: readonly T[],
  whatOf: (entry: T) => string,
): T[] {
  const all = new Map<string, T>();
  for (const entry of [...older, ...newer]) all.set(`${millisOf(entry.timestamp)} ${whatOf(entry)}`, entry);
  const inOrder = [...all.values()].sort((one, other) => millisOf(one.timestamp) - millisOf(other.timestamp));
  return fairShare(inOrder, KEPT_MAX, ({ session = "" }) => session);
}
