// The needs of a number of sessions, by the measured figures: pods, memory, processors, and the work of the database.
import type { DirectoryFigures } from "./directory.ts";
import { type Footprint, type PageRows, type Parts, total } from "./footprint.ts";

export interface Figures {
  footprint: Footprint;
  directory: DirectoryFigures;
}

/** How sessions are used. */
export const WORKLOAD = {
  /** Of all sessions, those that are awake at a moment. */
  awakeShare: 0.06,
  /** Places for awake sessions in a pod, and those that are in use before another pod is added. */
  places: 8,
  placesUsed: 6,
  /** Calls of an awake session in a second, and their mix. */
  callsPerSecond: 0.1,
  mix: { look: 0.5, click: 0.4, navigate: 0.1 },
  /** Of all sessions, those that wake in an hour, as often as they do. */
  wakesPerHour: 2,
  /** Of calls, those that come to a pod that does not own the session, such as after a scale-out. */
  elsewhereShare: 0.1,
} as const;

/**
 * A machine that runs one pod with many places. `usdPerHour`: a common list price for such a machine. `usedShare`: the
 * part of its memory and processors that is planned for. The rest is for the system and for peaks.
 */
export const NODE = { cores: 2, memoryGiB: 8, usdPerHour: 0.1, usedShare: 0.75 } as const;

/** A daemon's connections to the database: its pool's, and the heartbeat's. */
export const CONNECTIONS_PER_POD = 9;
/** The last use of a session is written at most this often in a second. */
const USE_WRITES_PER_SECOND = 0.1;
const MS_PER_SECOND = 1000;
const SECONDS_PER_HOUR = 3600;

export interface Need {
  sessions: number;
  awake: number;
  pods: number;
  memoryGiB: number;
  cores: number;
  connections: number;
  writesPerSecond: number;
  /** Processors that the database is busy with. */
  databaseCores: number;
  storageGiB: number;
}

/** A resource, its bound, and the number of sessions that reaches it. */
export interface Bound {
  resource: string;
  bound: string;
  sessions: number;
}

/** The cost of an awake session for an hour, on a machine that is full. */
export interface BrowserHour {
  /** The number of awake sessions for which the machine has memory, and processors. */
  byMemory: number;
  byProcessors: number;
  usd: number;
}

/** Returns the cost for sessions that all show pages of so many rows, and are used as in {@link WORKLOAD}. */
export function browserHour(rows: PageRows, { footprint }: Figures): BrowserHour {
  const memoryMiB = NODE.memoryGiB * 1024 * NODE.usedShare - podMiB(footprint);
  const byMemory = Math.floor(memoryMiB / positive(footprint.awakeMiB[rows]));
  const byProcessors = Math.floor((NODE.cores * NODE.usedShare * MS_PER_SECOND) / awakeMs(footprint));
  return { byMemory, byProcessors, usd: NODE.usdPerHour / Math.min(byMemory, byProcessors) };
}

export function needOf(sessions: number, { footprint, directory }: Figures): Need {
  const { awakeShare, placesUsed, callsPerSecond, mix, wakesPerHour, elsewhereShare } = WORKLOAD;
  const awake = sessions * awakeShare;
  const pods = Math.max(2, Math.ceil(awake / placesUsed));
  const calls = awake * callsPerSecond;
  const wakes = (sessions * wakesPerHour) / SECONDS_PER_HOUR;
  const { callMs } = footprint;
  const timeMs = wakes * total(callMs.wake) + awake * awakeMs(footprint);
  const acting = calls * (mix.click + mix.navigate);
  // A wake is claimed, and written when it rests again.
  const writesPerSecond = acting + awake * USE_WRITES_PER_SECOND + 2 * wakes;
  const databaseMs =
    writesPerSecond * directory.writes.databaseMs +
    calls * elsewhereShare * directory.lookUps.databaseMs +
    (directory.heartbeatMs / directory.pods) * pods;
  return {
    sessions,
    awake,
    pods,
    memoryGiB: (pods * podMiB(footprint) + awake * sessionMiB(footprint)) / 1024,
    cores: timeMs / MS_PER_SECOND,
    connections: pods * CONNECTIONS_PER_POD,
    writesPerSecond,
    databaseCores: databaseMs / MS_PER_SECOND,
    storageGiB: (sessions * directory.sessionKiB) / 1024 / 1024,
  };
}

/** Returns the bounds of the database and of the directory, the one that is reached first at the top. */
export function boundsOf(figures: Figures): Bound[] {
  const { writes, lookUps } = figures.directory;
  const reached = (holds: (need: Need) => boolean) =>
    firstBeyond((sessions) => !holds(needOf(sessions, figures)));
  const looks = (need: Need) => need.awake * WORKLOAD.callsPerSecond * WORKLOAD.elsewhereShare;
  return [
    {
      resource: "connections, by PostgreSQL's default",
      bound: "`max_connections` = 100",
      sessions: reached(({ connections }) => connections <= 100),
    },
    {
      resource: "connections",
      bound: "`max_connections` = 1,000",
      sessions: reached(({ connections }) => connections <= 1000),
    },
    {
      resource: "the database's writes",
      bound: `${rounded(writes.perSecond)} a second`,
      sessions: reached(({ writesPerSecond }) => writesPerSecond <= writes.perSecond),
    },
    {
      resource: "one processor of the database",
      bound: "1",
      sessions: reached(({ databaseCores }) => databaseCores <= 1),
    },
    {
      resource: "look-ups of an owner",
      bound: `${rounded(lookUps.perSecond)} a second`,
      sessions: reached((need) => looks(need) <= lookUps.perSecond),
    },
  ].toSorted((one, other) => one.sessions - other.sessions);
}

/** Milliseconds of processor time of a call, in the mix of the workload. */
export function mixedCallMs({ callMs }: Footprint): number {
  const { look, click, navigate } = WORKLOAD.mix;
  return total(callMs.look) * look + total(callMs.click) * click + total(callMs.navigate) * navigate;
}

/** Milliseconds of processor time that an awake session takes in a second. */
export function awakeMs(footprint: Footprint): number {
  return WORKLOAD.callsPerSecond * mixedCallMs(footprint) + footprint.idleMs.awake;
}

/** MiB of a daemon with one role and no session. */
export function podMiB({ roleMiB }: Footprint): number {
  return total(roleMiB);
}

/** MiB of an awake session at a large page. */
export function sessionMiB({ awakeMiB }: Footprint): number {
  return positive(awakeMiB[1250]);
}

/** The daemon's own memory changes by chance more than by one session. */
function positive({ daemon, worker, browser }: Parts): number {
  return Math.max(0, daemon) + Math.max(0, worker) + Math.max(0, browser);
}

const STEP = 100;
export const SESSIONS_MAX = 1_000_000;

/** Returns the last number of sessions before the bound, in steps. Needs only grow. */
function firstBeyond(isBeyond: (sessions: number) => boolean): number {
  let [below, beyond] = [0, SESSIONS_MAX / STEP];
  while (beyond - below > 1) {
    const middle = Math.floor((below + beyond) / 2);
    if (isBeyond(middle * STEP)) beyond = middle;
    else below = middle;
  }
  return below * STEP;
}

export function rounded(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return Number(value.toFixed(digits)).toLocaleString("en-US");
}
