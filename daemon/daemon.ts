// The daemon as a whole: opens its parts in the order of their needs, and closes them in reverse.
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Metadata } from "@grpc/grpc-js";
import { VERSION } from "../proto/machine/version.ts";
import { within } from "../proto/machine/within.ts";
import { type Client, sessionKey } from "./admission/client.ts";
import { TlsIdentity } from "./admission/tls.ts";
import { askPerson } from "./calls/ask-person.ts";
import type { Calls } from "./calls/execute.ts";
import { ownTools } from "./calls/own-tools.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { onlyMeant } from "./cluster/meant-daemon.ts";
import { clientOfPeer, isPeer } from "./cluster/peer-identity.ts";
import { Turns } from "./cluster/turns.ts";
import type { DaemonConfig } from "./config/load.ts";
import { roleWarnings } from "./config/role-warnings.ts";
import { Console } from "./console/console.ts";
import { authRejections } from "./control/auth-rejections.ts";
import {
  type ControlCalls,
  type ControlParts,
  controlCalls,
  controlHandlers,
  controlService,
} from "./control/control-service.ts";
import { EventStreams } from "./control/event-streams.ts";
import { endStreams } from "./control/watch-events.ts";
import { withInherited } from "./core/inherited-sockets.ts";
import { authInterceptor } from "./grpc/auth-interceptor.ts";
import { browserService } from "./grpc/browser-service.ts";
import { identifyCallerAt } from "./grpc/caller-identity.ts";
import { PEER_BOUNDS } from "./grpc/connections.ts";
import { peerService } from "./grpc/peer-service.ts";
import { GrpcServer } from "./grpc/server.ts";
import { hostAllowed, originAllowed } from "./http/host-check.ts";
import { HttpServer } from "./http/http-server.ts";
import { McpRoute } from "./http/mcp/mcp-route.ts";
import type { AmongDaemons } from "./http/mcp/older-era.ts";
import { TAKEOVER, TakeOverRoute } from "./http/takeover/takeover-route.ts";
import { type Environment, makeParts, type Parts } from "./parts.ts";
import { Reloader } from "./reload/reload.ts";
import { idleExit } from "./sessions/idle-exit.ts";
import { keepHttpToken } from "./state/http-token.ts";
import type { StateDir } from "./state/state-dir.ts";
import { unusable } from "./store/database-errors.ts";
import type { Postgres } from "./store/postgres.ts";
import { LoginFiles } from "./supervisor/login-files.ts";
import type { Supervisor } from "./supervisor/supervisor.ts";

/** The time from the end of the last call to that of the daemon, workers and browsers included. */
const ENDING_MS_MAX = 30_000;

/** The share of `limits.drain` for which sessions may wait for a call that moves them to another daemon. */
const SPARED_SHARE = 0.8;

export interface Daemon extends AsyncDisposable {
  supervisor: Supervisor;
  addresses: readonly string[];
  http: readonly string[];
  /** A sentence for each preferred port that another program has. */
  portWarnings: readonly string[];
  /**
   * Takes no new calls and lets calls under way finish within the configured bound. Returns the number of those calls.
   */
  drain(): number;
  /** Resolves when the daemon is drained and can be closed. */
  over: Promise<void>;
  /** Applies the tokens, the issuer and the certificates of a configuration that was read again. Sessions go on. */
  admit(config: Pick<DaemonConfig, "tokens" | "oidc" | "tls" | "peers">): void;
  /** Reads the configuration again and applies it. If it is wrong, logs the problem and changes nothing. */
  reload(): void;
  /** Ends the workers without a wait. */
  kill(): void;
}

/** Opens the daemon in its state folder. Resolves when it takes calls. Rejects with a StartupError. */
export async function openDaemon(
  config: DaemonConfig,
  state: StateDir,
  ground: Environment,
): Promise<Daemon> {
  const { clock, log } = ground;
  for (const warning of [...config.warnings, ...roleWarnings(config.roles, clock.now())]) log.warn(warning);
  const token = keepHttpToken(config.state.token);
  const peerTls = config.peers && new TlsIdentity(config.peers.tls);
  const database = config.store === "sqlite" ? undefined : await openDatabase(config.store, ground);
  const shared = database && { database, tls: peerTls };
  const parts = makeParts(config, token, ground, () => lookWhetherIdle(), shared);
  const streams = new EventStreams();
  const doors: Doors = { startedAtMs: clock.now() };
  const { drain, over } = drainOf({ ...parts, manager: ground.manager }, doors, streams, config.limits);
  const lookWhetherIdle = idleExit(config.idleExitMs, parts.sessions, clock, drain);
  const logins = new LoginFiles(parts);
  const reloader = new Reloader({
    ...parts,
    config,
    load: ground.load ?? (() => config),
    applied: (holds) => {
      logins.watch();
      admit(holds);
    },
  });
  const reload = reloadOf(reloader, parts, ground);

  await using open = new AsyncDisposableStack();
  // The first opened is the last closed: the journal is kept, and probes get answers, until the end.
  const { metrics, supervisor, sessions, desk, admission } = parts;
  const tls = config.tls && new TlsIdentity(config.tls);
  const admit: Daemon["admit"] = (renewed) => {
    admission.renew(renewed.tokens, renewed.oidc);
    if (renewed.tls) tls?.renew(renewed.tls);
    if (renewed.peers) peerTls?.renew(renewed.peers.tls);
  };
  const takeOverPage = () => pageAt(config.takeover.url, doors.http?.addresses[0]);
  const clearElsewhere = async (role: string, client: Client) =>
    await parts.cluster?.others.askAll("ClearFailures", { role }, client);
  const asking = askPerson({ takeOvers: parts.takeOvers, takeOverPage });
  const own = ownTools(supervisor, sessions, asking, clearElsewhere);
  const calls = { desk, own, cluster: parts.cluster };
  if (parts.cluster) open.use(parts.cluster);
  else open.use(parts.kept);
  open.use(parts.journal);
  open.use(parts.evidence);
  open.use(admission);
  const rest = { calls, admission, accounts: parts };
  const controlParts = {
    ...parts,
    streams,
    drain,
    takeOverPage,
    reload: () => ({ ...reload(), configFile: config.file ?? "" }),
    status: () => statusOf(config, parts, doors, reloader),
  };
  const control = controlHandlers(controlParts);
  const controlled = controlCalls(controlParts);
  const { ask: asksPerson } = config.takeover;
  const daemons = amongDaemons(parts, controlled);
  const mcp = open.use(new McpRoute({ ...rest, asksPerson, limits: config.limits, daemons, clock, log }));
  const team = open.use(new Console({ ...controlParts, control, calls: controlled }));
  const hosts = [...config.hosts, ...hostOf(config.takeover.url)];
  const isOwn = ({ headers: { host, origin } }: Pick<IncomingMessage, "headers">) =>
    hostAllowed(host, hosts) && origin !== undefined && originAllowed(origin, host);
  const isSecure = config.takeover.url?.startsWith("https:") ?? config.tls !== undefined;
  const takeOver = new TakeOverRoute({
    turns: new Turns(parts.takeOvers, parts.cluster, clock),
    isOwn,
    isSecure,
    log,
  });
  const http = open.use(
    await HttpServer.open(
      {
        metrics,
        notReady: () => notReady(parts, doors),
        isLeaving: () => parts.cluster?.leaving.aborted === true,
        hosts,
        rest,
        paths: [mcp, team, takeOver],
        tls,
        clock,
        log,
      },
      config.http,
    ),
  );
  doors.http = http;
  open.use(takeOver);
  parts.daemonPorts.push(...portsOf(http.addresses));
  open.use(logins);
  open.use(supervisor);
  open.use(sessions);
  open.use(parts.hibernations);
  // The sessions go back before they end with the daemon.
  open.use(parts.takeOvers);
  const rejection = authRejections(parts);
  const services = (door: "socket" | "tcp") => {
    const who = identifyCallerAt(door, admission);
    const [browser, control] = [
      browserService(calls, { identify: who.identify, areDaemons: false }),
      controlService(controlParts, who.identify),
    ];
    const interceptors = [authInterceptor(who, rejection)];
    return { interceptors, browser, control, health: parts.health.service };
  };
  const served = { calls, controlParts, health: parts.health };
  const peerDoor = parts.cluster && peerTls && open.use(await openPeerDoor(config, peerTls, served));
  if (parts.cluster) {
    parts.daemonPorts.push(...portsOf(peerDoor?.addresses ?? []));
    const address = peerDoor && peerAddress(config, peerDoor.addresses);
    await parts.cluster.join(address).catch((error: unknown) => Promise.reject(unusable(error)));
  }
  const grpc = open.use(
    await GrpcServer.open(services, withInherited(config.listen, ground.inherited ?? []), tls),
  );
  doors.grpc = grpc;
  parts.daemonPorts.push(...portsOf(grpc.addresses));
  // HTTP outlives the workers, and no call may start a worker any more.
  open.defer(() => desk.takeNoMore());
  logins.watch();
  supervisor.startEager();
  state.writeNote({
    pid: process.pid,
    project: projectOf(config),
    version: VERSION,
    addresses: grpc.addresses,
    http: http.addresses,
    peers: [...(peerDoor?.addresses ?? [])],
    ...(ground.started && { started: ground.started }),
  });
  for (const warning of http.warnings) log.warn(warning);
  log.info({ addresses: grpc.addresses, http: http.addresses, stateDir: config.state.dir }, "ready");

  const opened = open.move();
  return {
    supervisor,
    addresses: grpc.addresses,
    http: http.addresses,
    portWarnings: http.warnings,
    drain,
    over,
    admit,
    reload: () => void reload(),
    kill: () => supervisor.kill(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Opens the door for the other daemons. They have checked their clients themselves. */
async function openPeerDoor(
  { peers }: DaemonConfig,
  tls: TlsIdentity,
  { calls, controlParts, health }: { calls: Calls; controlParts: ControlParts; health: Parts["health"] },
): Promise<GrpcServer> {
  const services = () => ({
    interceptors: calls.cluster ? [onlyMeant(calls.cluster.incarnation)] : [],
    browser: browserService(calls, { identify: clientOfPeer, areDaemons: true }),
    control: controlService({ ...controlParts, cluster: undefined }, clientOfPeer),
    health: health.service,
    peer: peerService(controlParts.takeOvers),
  });
  return await GrpcServer.open(services, peers ? [peers.listen] : [], tls, PEER_BOUNDS, isPeer);
}

/** A port of 0 stands for the one that the door got. */
function peerAddress({ peers }: DaemonConfig, [listening = ""]: readonly string[]): string | undefined {
  const port = /:(\d+)$/.exec(listening)?.[1] ?? "";
  return peers?.address.replace(/:0$/, `:${port}`);
}

interface Doors {
  startedAtMs: number;
  http?: HttpServer;
  grpc?: GrpcServer;
}

/** Returns how the door for MCP reaches all daemons of the store; undefined if this daemon is alone. */
function amongDaemons({ cluster, keys }: Parts, calls: ControlCalls): AmongDaemons | undefined {
  if (!cluster) return undefined;
  return {
    idKeys: () => keys.allDerived("ids of MCP sessions"),
    async closeSession(session, client) {
      // The end of a connection that began no browser session is not audited.
      if (await cluster.directory.has(sessionKey(client.name, session)))
        await calls("CloseSession", { session }, () => client, new Metadata());
    },
  };
}

/** The address of the person's page, below that of the HTTP door. `url` is where people reach that door. */
function pageAt(url: string | undefined, door: string | undefined): string | undefined {
  return door === undefined ? undefined : `${(url ?? door).replace(/\/+$/, "")}${TAKEOVER}`;
}

function hostOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}

/** The ports of the TCP addresses. */
function portsOf(addresses: readonly string[]): number[] {
  return addresses
    .filter((address) => !address.startsWith("unix:"))
    .map((address) => Number(/:(\d+)$/.exec(address)?.[1] ?? 0));
}

/** The folder of the configuration, which distinguishes daemons for people. */
function projectOf({ file }: Pick<DaemonConfig, "file">): string {
  return file === undefined ? "default" : path.basename(path.dirname(file));
}

/** Opens the database of several daemons. A daemon with its own SQLite file never loads the client of PostgreSQL. */
async function openDatabase(address: string, { log }: Environment): Promise<Postgres> {
  const { Postgres } = await import("./store/postgres.ts");
  return Postgres.open(address, (reason) => void log.warn({ reason }, "waiting for the database"));
}

/** Reads the configuration again, and reports that to the service manager, unless the daemon ends. */
function reloadOf(reloader: Reloader, { desk }: Parts, { manager }: Environment): Reloader["reload"] {
  return () => {
    if (desk.draining) return reloader.reload();
    manager?.reloading();
    const report = reloader.reload();
    manager?.ready();
    return report;
  };
}

function notReady({ desk, supervisor, cluster }: Parts, { grpc }: Doors): string | undefined {
  if (desk.draining || cluster?.router.isDraining) return "draining";
  if (cluster?.isServing === false) return "without a lease of the database";
  return grpc && supervisor.settled ? undefined : "starting";
}

/** Ends the daemon in order: it reports not ready, takes no new call, and lets calls under way finish. */
function drainOf(
  { desk, health, supervisor, cluster, manager, clock, log }: Parts & Pick<Environment, "manager">,
  doors: Doors,
  streams: EventStreams,
  limits: { drain: number },
) {
  const over = Promise.withResolvers<void>();
  const handOver = async (to: Cluster) => {
    const untilMs = clock.steady() + limits.drain;
    const leftMs = () => Math.max(0, untilMs - clock.steady());
    await within({ timeMs: leftMs(), clock }, to.drain(limits.drain * SPARED_SHARE));
    await doors.grpc?.sendElsewhere();
    await to.calm(leftMs());
    await desk.drain(leftMs());
  };
  let isBegun = false;
  const drain = () => {
    if (isBegun) return desk.size;
    isBegun = true;
    log.info({ calls: desk.size }, "draining");
    manager?.stopping(limits.drain + ENDING_MS_MAX);
    // Other daemons take the calls and the sessions. This one ends the calls that it has.
    if (cluster) desk.endWatches();
    const ended = cluster ? handOver(cluster) : desk.drain(limits.drain);
    ended.then(over.resolve, over.reject);
    health.drain(supervisor.roles.values());
    endStreams({ streams, clock, log });
    return desk.size;
  };
  return { drain, over: over.promise };
}

function statusOf(
  config: DaemonConfig,
  { desk, clock, admission, cluster }: Parts,
  { startedAtMs, http, grpc }: Doors,
  { state }: Reloader,
): ReturnType<ControlParts["status"]> {
  return {
    version: VERSION,
    pid: process.pid,
    startedAtMs,
    addresses: grpc?.addresses ?? [],
    http: http?.addresses ?? [],
    configFile: config.file ?? "",
    configReadAtMs: state.readAtMs,
    configProblems: [...state.problems],
    stateDir: config.state.dir,
    draining: desk.draining,
    callsUnderWay: desk.size,
    warnings: [
      ...config.warnings,
      ...(http?.warnings ?? []),
      ...admission.warnings,
      ...(cluster?.warnings ?? []),
      ...roleWarnings(config.roles, clock.now()),
    ],
  };
}
