// The daemon's parts, made known to each other. Nothing runs or listens yet.
import { availableParallelism } from "node:os";
import type { DaemonStart } from "../proto/machine/locations.ts";
import { Admission } from "./admission/admission.ts";
import type { Rates } from "./admission/rate.ts";
import { CallDispatcher } from "./calls/dispatcher.ts";
import type { DaemonConfig } from "./config/load.ts";
import type { Clock } from "./core/clock.ts";
import { readKeyRing } from "./core/key-ring.ts";
import type { Log } from "./core/log.ts";
import { Health } from "./grpc/health.ts";
import type { SessionSlots } from "./sessions/session-slots.ts";
import { SessionStore } from "./sessions/session-store.ts";
import { type Session, Sessions } from "./sessions/sessions.ts";
import { TraceRecord } from "./state/leftovers.ts";
import { RoleSlots } from "./supervisor/role-slots.ts";
import { StartQueue } from "./supervisor/start-queue.ts";
import { Supervisor } from "./supervisor/supervisor.ts";
import { type CallObserver, createCallObserver } from "./telemetry/call-observer.ts";
import { Events } from "./telemetry/events.ts";
import { measure } from "./telemetry/gauges.ts";
import { Journal } from "./telemetry/journal.ts";
import { createMetrics, type Metrics } from "./telemetry/metrics.ts";
import type { WorkerTimes } from "./worker-process/worker.ts";
import type { WorkerCommand } from "./worker-process/worker-process.ts";

/** What the daemon runs on besides its configuration. */
export interface Environment {
  worker: WorkerCommand;
  times: WorkerTimes;
  /** How many workers may start side by side; by default, one for two cores. */
  startsAtOnce?: number;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** How many lines of the log nobody read in time. */
  logLinesDropped?: () => number;
  /** Reads the configuration again, as at the start. Throws a Refusal. */
  load?: () => DaemonConfig;
  /** How the daemon was started, for whoever has to replace it. */
  started?: DaemonStart;
}

export interface Parts {
  metrics: Metrics;
  journal: Journal;
  kept: SessionStore;
  events: Events;
  health: Health;
  /** By role. */
  places: ReadonlyMap<string, SessionSlots>;
  rolePlaces: RoleSlots;
  supervisor: Supervisor;
  sessions: Sessions;
  desk: CallDispatcher;
  /** Where the doors are, once they are open. */
  daemonPorts: number[];
  /** Hears of each call that has ended. */
  ended: CallObserver["called"];
  admission: Admission;
  rates: Rates;
  clock: Clock;
  log: Log;
}

/** Worker and browser keep about two cores busy while they start. */
const STARTS_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/** Makes the parts. `ownToken`: the daemon's own, for HTTP. `sessionsChanged` hears of each session that begins or ends. */
export function makeParts(
  config: DaemonConfig,
  ownToken: string,
  ground: Environment,
  sessionsChanged: () => void,
): Parts {
  const { worker: command, times, startsAtOnce = STARTS_AT_ONCE, env, clock, log, logLinesDropped } = ground;
  const journal = new Journal(config.state.journal, config.journal, clock, log);
  const keys = readKeyRing(config.stateKeys, config.state.stateKey);
  const kept = new SessionStore(config.state.sessions, keys, clock, log);
  const [metrics, events, health] = [createMetrics(), new Events(), new Health()];
  const accounts = createCallObserver({
    metrics,
    journal,
    events,
    clock,
    log,
    changed: (role) => health.tell(role),
  });
  const traces = new TraceRecord(config.state.dir);
  const daemonPorts: number[] = [];
  const supervisor = Supervisor.of(config, {
    command,
    times,
    starts: new StartQueue(startsAtOnce, clock),
    env,
    traces,
    journal,
    kept,
    clock,
    log,
    observer: accounts.roles,
    daemonPorts: () => daemonPorts,
  });
  const sessions = new Sessions(config.limits, config.roles[0]?.name ?? "default", clock);
  const rolePlaces = new RoleSlots({ config, sessions, kept, clock, log });
  const places = rolePlaces.all;
  sessions.lastAddress = ({ key, currentRole }) => kept.addressOf(currentRole, key);
  sessions.changed = (session, change) => {
    accounts.sessionChanged(session, change);
    if (change === "opened") kept.used(session);
    else {
      leaveRoles(session, supervisor, places, log);
      kept.over(session.key);
    }
    sessionsChanged();
  };
  for (const role of supervisor.roles.values()) {
    rolePlaces.open(role);
    health.tell(role);
  }
  restoreSessions({ kept, sessions, places, supervisor });
  measure(metrics, { sessions, supervisor, places, ...(logLinesDropped && { logLinesDropped }) });
  const admission = new Admission(
    {
      tokens: config.tokens,
      ownToken,
      asksOnTcp: config.tokens !== undefined || config.tls?.clientCa !== undefined,
    },
    clock,
  );
  const { rates } = admission;
  const { called: ended, waited, snapshot } = accounts;
  const desk = new CallDispatcher({
    supervisor,
    sessions,
    places,
    limits: config.limits,
    admission,
    clock,
    log,
    kept,
    ended,
    waited,
    snapshot,
  });
  return {
    metrics,
    journal,
    kept,
    events,
    health,
    places,
    rolePlaces,
    supervisor,
    sessions,
    desk,
    daemonPorts,
    admission,
    rates,
    ended,
    clock,
    log,
  };
}

/** The sessions of the daemon before this one, at rest. What they had in roles that are no more is forgotten. */
function restoreSessions({
  kept,
  sessions,
  places,
  supervisor,
}: Pick<Parts, "kept" | "sessions" | "places" | "supervisor">): void {
  for (const each of kept.sessions()) {
    const roles = each.roles.filter((name) => places.has(name));
    for (const name of each.roles) if (!roles.includes(name)) kept.forget(name, each.key);
    const session = sessions.restore({ ...each, roles });
    if (!session) {
      kept.over(each.key);
      continue;
    }
    kept.used(session);
    for (const name of roles) supervisor.roles.get(name)?.sessions.returned(each.key);
  }
  kept.tidy();
}

/** A session that is over has nothing left in any role. */
function leaveRoles(session: Session, supervisor: Supervisor, places: Parts["places"], log: Log): void {
  for (const each of places.values()) each.free(session.key);
  for (const name of session.visits.keys()) {
    supervisor.roles
      .get(name)
      ?.endSession(session.key)
      .catch((error: unknown) => {
        // A worker that is dying disposes of everything anyway.
        log.debug({ err: error, role: name }, "a worker did not end a session");
      });
  }
}
