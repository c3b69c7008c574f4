// Decides how long a dead worker is waited for before the next one is started.

/** The `restart` section of the configuration, in milliseconds. */
export interface RestartPolicy {
  /** The number of restarts within `within` before the role is given up. */
  max: number;
  within: number;
  backoff: number;
  cap: number;
}

/** A worker that worked this long was well, so earlier crashes do not count any more. Kubernetes uses the same time. */
const WELL_MS_MIN = 10 * 60_000;

/**
 * Returns the crashes that count after another one at `nowMs`, when the worker had worked for `workedMs`. They are the
 * crashes since a worker was last well, newest last, as many as matter for a decision.
 */
export function crashesInARow(
  before: readonly number[],
  { nowMs, workedMs }: { nowMs: number; workedMs: number },
  { max, within }: RestartPolicy,
): number[] {
  const wasWell = workedMs >= Math.max(WELL_MS_MIN, within);
  return [...(wasWell ? [] : before), nowMs].slice(-Math.max(max + 1, DOUBLINGS_MAX));
}

/** After this many doublings the wait has reached its cap. */
const DOUBLINGS_MAX = 32;

/** Returns the number of crashes that count towards the role's limit. */
export function recentCrashes(crashes: readonly number[], { within }: RestartPolicy): number {
  const newest = crashes.at(-1) ?? 0;
  return crashes.filter((at) => newest - at < within).length;
}

/**
 * Returns the wait before the restart after the newest of `crashes` (times in milliseconds, ascending, of one row). The
 * first restart comes at once: most crashes are singular, and a client is waiting. All later crashes of the row extend
 * the wait, even those too far apart to count towards the limit. Otherwise a worker that dies after some seconds each
 * time would restart forever and alarm its sessions each time. `jitter` (0 to 1) spreads the wait over its upper half,
 * so that roles that died together do not start together.
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
 * Returns the wait before the next try of a role that was given up, after `probes` failed tries. The first wait is
 * `cap`, and each further one is twice as long, within fixed bounds.
 */
export function probeDelayMs(probes: number, { cap }: RestartPolicy, jitter: number): number {
  const waitMs = Math.min(PROBE_MS_MAX, Math.max(PROBE_MS_MIN, cap) * 2 ** Math.min(probes, 20));
  return Math.round(waitMs * (0.5 + jitter / 2));
}
