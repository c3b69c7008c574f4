// Makes the daemon's parts and connects them. Nothing runs or listens yet.
import { availableParallelism } from "node:os";
import type { DaemonStart } from "../proto/machine/locations.ts";
import { Admission } from "./admission/admission.ts";
import type { Rates } from "./admission/rate.ts";
import type { TlsIdentity } from "./admission/tls.ts";
import { CallDispatcher } from "./calls/dispatcher.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { PeerLinks } from "./cluster/peer-links.ts";
import { SharedStore } from "./cluster/shared-store.ts";
import type { DaemonConfig } from "./config/load.ts";
import type { Clock } from "./core/clock.ts";
import type { ListenAddress } from "./core/inherited-sockets.ts";
import { type KeyRing, readKeyRing } from "./core/key-ring.ts";
import type { Log } from "./core/log.ts";
import type { ServiceManager } from "./core/sd-notify.ts";
import { EvidenceStore } from "./evidence/evidence-store.ts";
import { Health } from "./grpc/health.ts";
import type { Session } from "./sessions/session.ts";
import { Sessions } from "./sessions/sessions.ts";
import { storeUnavailable } from "./sessions/unavailable.ts";
import type { TraceRecord } from "./state/leftovers.ts";
import type { Postgres } from "./store/postgres.ts";
import { addressIn, type SessionStore } from "./store/session-store.ts";
import { SqliteStore } from "./store/sqlite-store.ts";
import { Hibernations } from "./supervisor/hibernations.ts";
import { StartQueue } from "./supervisor/start-queue.ts";
import { Supervisor } from "./supervisor/supervisor.ts";
import { MakerMarks } from "./takeover/maker-marks.ts";
import { TakeOvers } from "./takeover/take-overs.ts";
import { type CallObserver, createCallObserver } from "./telemetry/call-observer.ts";
import type { EndedCall } from "./telemetry/ended-call.ts";
import { Events } from "./telemetry/events.ts";
import { FlightRecorder } from "./telemetry/flight-recorder.ts";
import { measure } from "./telemetry/gauges.ts";
import type { Journal } from "./telemetry/journal.ts";
import { createMetrics, type Metrics } from "./telemetry/metrics.ts";
import { PostgresJournal } from "./telemetry/postgres-journal.ts";
import { SqliteJournal } from "./telemetry/sqlite-journal.ts";
import type { EarlyProcess } from "./worker-process/early-process.ts";
import type { WorkerCommand } from "./worker-process/worker-process.ts";
import type { WorkerTimes } from "./worker-process/worker-times.ts";

/** The daemon's surroundings besides its configuration. */
export interface Environment {
  worker: WorkerCommand;
  times: WorkerTimes;
  /** The record of this daemon's workers. */
  traces: TraceRecord;
  early?: EarlyProcess | undefined;
  /** The number of workers that may start at once. The default is one for two cores. */
  startsAtOnce?: number;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** The number of log lines that were dropped because the log's reader was too slow. */
  logLinesDropped?: () => number;
  /** Reads the configuration again, as at the start. Throws a StartupError. */
  load?: () => DaemonConfig;
  /** How the daemon was started, for a program that replaces it. */
  started?: DaemonStart;
  /** The sockets that the service manager listens at for the daemon. */
  inherited?: readonly ListenAddress[];
  manager?: ServiceManager | undefined;
}

export interface Parts {
  metrics: Metrics;
  /** The keys of what is stored. */
  keys: KeyRing;
  journal: Journal;
  kept: SessionStore;
  /** The other daemons of the database; undefined without one. */
  cluster: Cluster | undefined;
  evidence: EvidenceStore;
  events: Events;
  flight: FlightRecorder;
  health: Health;
  hibernations: Hibernations;
  supervisor: Supervisor;
  sessions: Sessions;
  takeOvers: TakeOvers;
  desk: CallDispatcher;
  /** The ports of the open doors. */
  daemonPorts: number[];
  /** Records each call that has ended. */
  ended: CallObserver["called"];
  admission: Admission;
  rates: Rates;
  clock: Clock;
  log: Log;
}

/** A worker and its browser keep about two cores busy while they start. */
const STARTS_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Makes the parts. `ownToken` is the daemon's own token for HTTP. `sessionsChanged` is called when a session begins or
 * ends. `shared` is the database of several daemons, and the certificates with which they reach each other.
 */
export function makeParts(
  config: DaemonConfig,
  ownToken: string,
  ground: Environment,
  sessionsChanged: () => void,
  shared: { database: Postgres; tls: TlsIdentity | undefined } | undefined,
): Parts {
  const { worker: command, times, startsAtOnce = STARTS_AT_ONCE, env, clock, log, logLinesDropped } = ground;
  const { traces, early } = ground;
  const keys = readKeyRing(config.stateKeys, config.state.stateKey);
  const stopped = () => desk.breakOffAll(storeUnavailable("this daemon's lease has ended", "unknown"));
  const links = shared?.tls && new PeerLinks(shared.tls, clock, log);
  const sharedStore = shared && new SharedStore({ ...shared, links, keys, clock, log, stopped });
  const kept = sharedStore?.store ?? new SqliteStore(config.state.sessions, keys, clock, log);
  const journal = sharedStore
    ? new PostgresJournal({
        database: shared.database,
        daemon: sharedStore.incarnation,
        limits: config.journal,
        keys,
        clock,
        log,
      })
    : new SqliteJournal(config.state.journal, config.journal, clock, log);
  const evidence = new EvidenceStore(config.state.evidence, config.evidence, keys, clock, log);
  const [metrics, events, health] = [createMetrics(), new Events(), new Health()];
  const flight = new FlightRecorder();
  const accounts = createCallObserver({
    metrics,
    journal,
    events,
    flight,
    clock,
    log,
    changed: (role) => health.report(role),
  });
  const daemonPorts: number[] = [];
  const sessions = new Sessions({
    limits: config.limits,
    firstRole: config.roles[0]?.name ?? "default",
    clock,
    ...(sharedStore && { owns: (key) => sharedStore.store.owns(key) }),
    lastAddress: ({ key, currentRole }) => addressIn(kept.tabsOf(currentRole, key)),
    changed(session, change) {
      accounts.sessionChanged(session, change);
      if (change === "opened") kept.used(session);
      else {
        leaveRoles(session, supervisor, log);
        if (change !== "moved") kept.over(session.key);
      }
      sessionsChanged();
    },
  });
  const supervisor = new Supervisor(config, {
    command,
    times,
    starts: new StartQueue(startsAtOnce, clock),
    early,
    env,
    traces,
    journal,
    kept,
    evidence,
    sessions,
    clock,
    log,
    observer: accounts.roles,
    daemonPorts: () => daemonPorts,
  });
  const hibernations = new Hibernations({ config, sessions, kept, clock, log });
  for (const role of supervisor.roles.values()) {
    hibernations.open(role);
    health.report(role);
  }
  if (kept instanceof SqliteStore) restoreSessions(kept, supervisor);
  const cluster = sharedStore?.cluster({ sessions, supervisor, limits: config.limits });
  const admission = new Admission(
    {
      tokens: config.tokens,
      oidc: config.oidc,
      ownToken,
      asksOnTcp: [config.tokens, config.oidc, config.tls?.clientCa].some((each) => each !== undefined),
    },
    clock,
    log,
  );
  const { rates } = admission;
  const { waited, snapshot } = accounts;
  const ended = (call: EndedCall) => {
    accounts.called(call);
    evidence.ended(call);
  };
  const desk = new CallDispatcher({
    supervisor,
    sessions,
    limits: config.limits,
    admission,
    clock,
    log,
    kept,
    ended,
    waited,
    snapshot,
  });
  const takeOvers = new TakeOvers({
    supervisor,
    admission,
    sessions,
    kept,
    key: keys.derived("links to take sessions over"),
    marks:
      sharedStore &&
      new MakerMarks(sharedStore.incarnation, () => keys.allDerived("marks of links and turns")),
    settings: config.takeover,
    clock,
    log,
  });
  const measured = { supervisor, sessions, journal, kept, cluster, evidence, takeOvers, config };
  measure(metrics, { ...measured, ...(logLinesDropped && { logLinesDropped }) });
  return {
    metrics,
    keys,
    takeOvers,
    journal,
    kept,
    cluster,
    evidence,
    events,
    flight,
    health,
    hibernations,
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

/** Restores an earlier daemon's sessions, and deletes those that cannot be. */
function restoreSessions(kept: SqliteStore, supervisor: Supervisor): void {
  for (const each of kept.sessions()) {
    const session = supervisor.restore(each);
    if (session) kept.used(session);
    else kept.over(each.key);
  }
  kept.tidy();
}

/** Frees all that a finished session holds in any role. */
function leaveRoles(session: Session, supervisor: Supervisor, log: Log): void {
  for (const role of supervisor.roles.values()) {
    role.slots.free(session.key);
    if (!session.visits.has(role.name)) continue;
    role.sessions.end(session.key).catch((error: unknown) => {
      // A dying worker disposes of the session anyway.
      log.debug({ err: error, role: role.name }, "a worker did not end a session");
    });
  }
}
