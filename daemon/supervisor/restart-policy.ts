// When a worker that died is started again.

/** `restart` of the configuration, in milliseconds. */
export interface RestartPolicy {
  /** Restarts within `within` before the role is given up. */
  max: number;
  within: number;
  backoff: number;
  cap: number;
}

/** A worker that worked for so long was well: what befell those before it says nothing of it. Kubernetes takes as long. */
const WELL_MS_MIN = 10 * 60_000;

/**
 * The deaths that count once another worker has died at `nowMs`, after it had worked for `workedMs`: those since a worker was
 * last well, newest last, as many as decide anything.
 */
export function crashesInARow(
  before: readonly number[],
  { nowMs, workedMs }: { nowMs: number; workedMs: number },
  { max, within }: RestartPolicy,
): number[] {
  const wasWell = workedMs >= Math.max(WELL_MS_MIN, within);
  return [...(wasWell ? [] : before), nowMs].slice(-Math.max(max + 1, DOUBLINGS_MAX));
}

/** After so many the longest wait there is has been reached. */
const DOUBLINGS_MAX = 32;

/** Of deaths, how many count for whether the role is given up. */
export function recentCrashes(crashes: readonly number[], { within }: RestartPolicy): number {
  const newest = crashes.at(-1) ?? 0;
  return crashes.filter((at) => newest - at < within).length;
}

/**
 * How long to wait before the restart after the newest of `crashes` (times, milliseconds, ascending, of a row).
 * The first restart comes at once: most crashes are singular, and somebody is waiting. All later ones of the row count for
 * the wait, also those too far apart to use the role's restarts up: a worker that dies after some seconds each time would
 * be started for ever else, and its sessions told again and again. `jitter`: 0 to 1, spreads the later ones over the upper
 * half of their wait, so that roles which died together do not start together.
 */
export function restartDelayMs(
  crashes: readonly number[],
  policy: RestartPolicy,
  jitter: number,
): number | "give-up" {
  if (recentCrashes(crashes, policy) > policy.max) return "give-up";
  if (crashes.length <= 1) return 0;
  const waitMs = Math.min(policy.cap, policy.backoff * 2 ** (crashes.length - 2));
  return Math.round(waitMs * (0.5 + jitter / 2));
}

/** The longest time between two tries of a role that was given up. */
const PROBE_MS_MAX = 10 * 60_000;
const PROBE_MS_MIN = 30_000;

/**
 * How long a role that was given up waits for its next try, after `probes` tries in vain: from `cap` on, each wait
 * twice as long as the one before, within bounds of ours.
 */
export function probeDelayMs(probes: number, { cap }: RestartPolicy, jitter: number): number {
  const waitMs = Math.min(PROBE_MS_MAX, Math.max(PROBE_MS_MIN, cap) * 2 ** Math.min(probes, 20));
  return Math.round(waitMs * (0.5 + jitter / 2));
}
