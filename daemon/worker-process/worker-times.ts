// The bounds of a worker's phases.

/** In milliseconds. */
export interface WorkerTimes {
  listenMs: number;
  startMs: number;
  /** The time between two expected heartbeats. */
  heartbeatMs: number;
  heartbeatsMissedMax: number;
  /** The time from SIGTERM to SIGKILL. */
  endMs: number;
}

export const WORKER_TIMES: WorkerTimes = {
  listenMs: 20_000,
  startMs: 60_000,
  heartbeatMs: 1000,
  heartbeatsMissedMax: 5,
  endMs: 5000,
};
