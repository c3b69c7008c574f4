// When a worker that died is started again.

/** `restart` of the configuration, in milliseconds. */
export interface RestartPolicy {
  /** Restarts within `within` before the role is given up. */
  max: number;
  within: number;
  backoff: number;
  cap: number;
}

/**
 * How long to wait before the restart after the newest of `crashes` (times, milliseconds, ascending).
 * The first restart comes at once: most crashes are singular, and somebody is waiting. `jitter`: 0 to 1, spreads
 * the later ones over the upper half of their wait, so that roles which died together do not start together.
 */
export function restartDelayMs(
  crashes: readonly number[],
  policy: RestartPolicy,
  jitter: number,
): number | "give-up" {
  const newest = crashes.at(-1) ?? 0;
  const recent = crashes.filter((at) => newest - at < policy.within).length;
  if (recent > policy.max) return "give-up";
  if (recent <= 1) return 0;
  const waitMs = Math.min(policy.cap, policy.backoff * 2 ** (recent - 2));
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
