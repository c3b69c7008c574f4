// The daemon as a whole: its parts opened in the order that they need each other, and closed the other way round.
import { VERSION } from "../proto/version.ts";
import { keepAccounts } from "./accounts.ts";
import { CallDesk } from "./calls/call-desk.ts";
import { ownTools } from "./calls/own-tools.ts";
import { Places } from "./calls/places.ts";
import { browserService } from "./calls/router.ts";
import type { Clock } from "./clock.ts";
import type { DaemonConfig } from "./config/load.ts";
import { type ControlParts, controlService } from "./control/control-service.ts";
import { Events } from "./control/events.ts";
import { FlightRecorder } from "./control/flight-recorder.ts";
import { endStreams } from "./control/watch-events.ts";
import { measure } from "./gauges.ts";
import { GrpcServer } from "./grpc-server.ts";
import { HttpServer } from "./http/http-server.ts";
import { idleExit } from "./idle-exit.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { type Session, Sessions } from "./sessions.ts";
import { keepHttpToken } from "./state/http-token.ts";
import { sweepLeftovers, TraceRecord } from "./state/leftovers.ts";
import type { StateDir } from "./state/state-dir.ts";
import type { SupervisedRole } from "./supervisor/supervised-role.ts";
import { Supervisor } from "./supervisor/supervisor.ts";
import type { WorkerTimes } from "./supervisor/worker.ts";
import type { WorkerCommand } from "./supervisor/worker-process.ts";

/** What the daemon runs on besides its configuration. */
export interface Ground {
  worker: WorkerCommand;
  times: WorkerTimes;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
}

/** A running daemon. */
export interface Daemon extends AsyncDisposable {
  supervisor: Supervisor;
  addresses: readonly string[];
  http: readonly string[];
  /** Takes no new calls and lets those under way finish, within the configuration's bound; tells how many there are. */
  drain(): number;
  /** Resolves when it is to be closed: it has been drained. */
  over: Promise<void>;
  /** Ends the workers without waiting. */
  kill(): void;
}

/** Opens the daemon in its state folder: it takes calls when this resolves. Rejects with a Refusal where it cannot. */
export async function openDaemon(config: DaemonConfig, state: StateDir, ground: Ground): Promise<Daemon> {
  const { clock, log } = ground;
  const startedAtMs = clock.now();
  await using open = new AsyncDisposableStack();
  const swept = sweepLeftovers(config.state.dir);
  if (swept > 0) log.warn({ swept }, "ended processes that an earlier daemon left");
  for (const warning of config.warnings) log.warn(warning);
  keepHttpToken(config.state.token);

  const metrics = createMetrics();
  const notReady = () => (desk.draining ? "draining" : supervisor.settled && door ? undefined : "starting");
  const http = open.use(await HttpServer.open({ metrics, notReady, hosts: config.hosts }, config.http));

  const [recorder, events] = [new FlightRecorder(), new Events()];
  const places = placesOf(config, clock);
  const accounts = keepAccounts({
    metrics,
    recorder,
    events,
    places,
    clock,
    log,
    changed: (role) => health(role),
  });
  const traces = new TraceRecord(config.state.dir);
  const { worker: command, times, env } = ground;
  const supervisor = open.use(
    Supervisor.of(config, { command, times, env, traces, clock, log, observer: accounts.roles }),
  );
  const sessions = open.use(new Sessions(config.limits, config.roles[0]?.name ?? "default", clock));
  const leaveWhenIdle = idleExit(config.idleExitMs, sessions, clock, () => drain());
  sessions.changed = (session, change) => {
    accounts.sessionChanged(session, change);
    leaveWhenIdle();
    if (change !== "opened") leaveRoles(session, supervisor, places, log);
  };
  for (const role of supervisor.roles.values())
    role.holds = (key) => places.get(role.name)?.holds(key) === true;
  measure(metrics, sessions, supervisor, places);

  const desk = new CallDesk({
    supervisor,
    sessions,
    places,
    limits: config.limits,
    clock,
    log,
    ended: accounts.called,
    waited: accounts.waited,
  });
  const over = Promise.withResolvers<void>();
  const streams: ControlParts["streams"] = new Set();
  const drain = () => {
    const { draining, size } = desk;
    if (!draining) void drained(() => desk.drain(config.limits.drain)).then(over.resolve, over.reject);
    return size;
  };
  const drained = async (calm: () => Promise<void>) => {
    log.info({ calls: desk.size }, "draining");
    const calmed = calm();
    door?.health.setStatus("", "NOT_SERVING");
    for (const role of supervisor.roles.values()) health(role);
    endStreams({ streams, clock, log });
    await calmed;
  };
  const status = () => ({
    version: VERSION,
    pid: process.pid,
    startedAtMs,
    addresses: door?.addresses ?? [],
    http: http.addresses,
    configFile: config.file ?? "",
    stateDir: config.state.dir,
    draining: desk.draining,
    callsUnderWay: desk.size,
    warnings: config.warnings,
  });
  const control = controlService({
    supervisor,
    sessions,
    places,
    recorder,
    events,
    streams,
    clock,
    log,
    drain,
    status,
  });
  const browser = browserService(desk, ownTools(supervisor));
  let door: GrpcServer | undefined;
  const health = (role: SupervisedRole) =>
    door?.health.setStatus(
      `role/${role.name}`,
      desk.draining || role.stand.state === "FAILED" ? "NOT_SERVING" : "SERVING",
    );
  door = open.use(await GrpcServer.open({ browser, control }, config.listen));
  for (const role of supervisor.roles.values()) health(role);
  supervisor.startEager();
  state.writeNote({ pid: process.pid, version: VERSION, addresses: door.addresses, http: http.addresses });
  log.info({ addresses: door.addresses, http: http.addresses, stateDir: config.state.dir }, "ready");

  const parts = open.move();
  return {
    supervisor,
    addresses: door.addresses,
    http: http.addresses,
    drain,
    over: over.promise,
    kill: () => supervisor.kill(),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

function placesOf({ roles, limits }: DaemonConfig, clock: Clock): ReadonlyMap<string, Places> {
  return new Map(
    roles.map(({ name, sessions }) => [
      name,
      new Places({ role: name, sessions, queue: limits.queue, queueWaitMs: limits.queueWait }, clock),
    ]),
  );
}

/** A session that is over has nothing left in any role. */
function leaveRoles(
  session: Session,
  supervisor: Supervisor,
  places: ReadonlyMap<string, Places>,
  log: Log,
): void {
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
