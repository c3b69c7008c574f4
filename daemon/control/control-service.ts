// The service troupe.v1.Control, for operators.
import type { handleUnaryCall, Metadata, UntypedServiceImplementation } from "@grpc/grpc-js";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ControlMethods, Input, Role, Session as SessionMessage } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { controlFlags } from "../../proto/tools/read-tools.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { controlAudit } from "../admission/audit.ts";
import { callerOf, requestIdOf } from "../admission/caller.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { checkControl, mayControl, roleFor, rolesOf } from "../admission/rights.ts";
import { currentRoleFor, scopeOf, seesAll, seesRole, seesSession } from "../admission/visible.ts";
import { accountForRefusal, type RefusalParts, reportedRefusal } from "../calls/client-refusal.ts";
import { timeFor } from "../calls/in-flight-call.ts";
import { failuresFor } from "../calls/own-failures.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type EvidenceParts, readEvidence } from "../evidence/read-evidence.ts";
import type { IdentifyCaller } from "../grpc/caller-identity.ts";
import { wellFormed } from "../grpc/control-definition.ts";
import type { Session } from "../sessions/session.ts";
import { closeSession } from "../sessions/session-of-id.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { unansweredInTime } from "../sessions/unavailable.ts";
import type { SessionStore } from "../store/session-store.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import { roleMessage } from "../supervisor/role-message.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { RoleView } from "../supervisor/supervision.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Journal } from "../telemetry/journal.ts";
import { acrossDaemons } from "./across-daemons.ts";
import { decideApproval, listApprovals } from "./approvals.ts";
import type { ControlHandlers, ControlRpc } from "./control-handlers.ts";
import { statusOf } from "./control-status.ts";
import { type ExportParts, exportSession } from "./export-session.ts";
import { handBack, linkTo, type TakeOverControl } from "./take-over.ts";
import { type WatchParts, watchEvents } from "./watch-events.ts";

export interface ControlParts extends WatchParts, RefusalParts, ExportParts, EvidenceParts, TakeOverControl {
  supervisor: Supervisor;
  sessions: Sessions;
  journal: Journal;
  rates: Rates;
  /** The other daemons of the store; undefined if this one is alone, or another daemon asks. */
  cluster: Cluster | undefined;
  kept: ExportParts["kept"] & Pick<SessionStore, "warnings" | "deleted">;
  evidence: EvidenceParts["evidence"] & { warnings: readonly string[] };
  /** Returns the constant facts, and those that only the whole daemon knows. */
  status: () => Omit<
    ControlMethods["GetStatus"]["response"],
    "roles" | "sessions" | "startedAt" | "configReadAt" | "recovery"
  > & {
    startedAtMs: number;
    configReadAtMs: number;
  };
  /** Reads the configuration again. */
  reload: () => Reloaded;
  /** Begins the drain. Returns the number of calls under way. */
  drain: () => number;
  clock: Clock;
  log: Log;
}

type Reloaded = Input<ControlMethods["ReloadConfig"]["response"]>;

/** The longest time of a control call, if its client gives no earlier deadline. */
const CALL_MS_MAX = 3_600_000;
/** The share of a call's time for other daemons and the database. */
const OTHERS_SHARE = 0.8;
const CALLS_DEFAULT = 100;
/** The time that a closed session has to be deleted. Its client may wait no longer. */
const DELETED_MS = 4_000;
const CALLS_MAX = 10_000;
/** The words for a session that keeps the daemon in use, if the client may not see the session. */
const HIDDEN_SESSION = "a session in other roles";
/** The age of the oldest episodes in the recovery rates. */
const RECOVERY_MS = 24 * 3_600_000;

/** Makes the gRPC service. With `control: none` a client gets its own sessions and the data of its roles. */
export function controlService(parts: ControlParts, who: IdentifyCaller): UntypedServiceImplementation {
  const calls = controlCalls(parts);
  const unary = Object.keys(controlHandlers(parts)).map((rpc) => [
    rpc,
    answering(rpc as ControlRpc, calls, parts, who),
  ]);
  return { ...Object.fromEntries(unary), WatchEvents: watchEvents(parts, who) };
}

/** Carries out one call of the control plane. `who` throws if the caller has no access. */
export type ControlCalls = <M extends ControlRpc>(
  rpc: M,
  request: ControlMethods[M]["request"],
  who: () => Client,
  metadata: Metadata,
  /** The client's deadline in milliseconds since the epoch. */
  deadlineMs?: number,
) => Promise<Input<ControlMethods[M]["response"]>>;

/** Makes the calls of any door: each checks the caller's rights and rate, and is audited. */
export function controlCalls(parts: ControlParts): ControlCalls {
  const audit = controlAudit(parts);
  const own = controlHandlers(parts);
  const { cluster, clock, log } = parts;
  const handlers = (cluster ? acrossDaemons(own, cluster, log) : own) as Record<ControlRpc, AnyHandler>;
  return async (rpc, request, who, metadata, deadlineMs = Number.POSITIVE_INFINITY) => {
    let client: Client | undefined;
    const session = "session" in request ? request.session : undefined;
    const audited = (error?: unknown) =>
      audit({ rpc, client, session, requestId: requestIdOf(metadata), error });
    try {
      client = who();
      checkControl(client, rpc);
      if (!controlFlags(rpc).uncounted) parts.rates.take(client);
      const asked = wellFormed(request, rpc);
      const { timeMs, othersUntilMs } = timesFor(deadlineMs, clock);
      const answered = (async (by) => await handlers[rpc](asked, by, metadata, othersUntilMs))(client);
      const late = () => unansweredInTime(controlFlags(rpc).changes ? "unknown" : "none");
      // A restart waits for its worker alone.
      const mayStall = cluster !== undefined && rpc !== "RestartRole";
      const response = await (mayStall ? within({ timeMs, late, clock }, answered) : answered);
      audited();
      return response as never;
    } catch (error) {
      audited(error);
      throw error;
    }
  };
}

/** Makes the handlers. They check no rate and no right to write. */
export function controlHandlers(parts: ControlParts): ControlHandlers {
  const { supervisor, sessions, journal, status } = parts;
  const { names } = supervisor;
  const found = (name: string, client: Client) =>
    supervisor.roles.get(roleFor(client, name, names)) as SupervisedRole;
  const message = (role: RoleView): Role => roleMessage(role, parts.clock);
  const all = (client: Client) =>
    rolesOf(client, names)
      .flatMap((name) => supervisor.roles.get(name) ?? [])
      .map(message);
  return {
    ListRoles: (_request, client) => ({ roles: all(client) }),
    GetRole: ({ name }, client) => ({ role: message(found(name, client)) }),
    async RestartRole({ name }, client) {
      const role = found(name, client);
      await role.restart();
      return { role: message(role) };
    },
    ListSessions({ role }, client) {
      const wanted = role ? roleFor(client, role, names) : undefined;
      const listed = visible(sessions, client).filter(
        (session) => wanted === undefined || session.visits.has(wanted),
      );
      return { sessions: listed.map((session) => sessionMessage(session, parts, client)) };
    },
    async CloseSession({ session: id }, client) {
      await parts.kept.deleted(DELETED_MS, closeSession(sessions, id, client));
      return {};
    },
    ExportSession: (request, client) => exportSession(parts, request, client),
    TakeOver: (request, client) => linkTo(parts, request, client),
    HandBack: (request, client) => handBack(parts, request, client),
    ReadEvidence: (request, client) => readEvidence(parts, request, client),
    ListApprovals: (request, client) => listApprovals(supervisor, request, client),
    DecideApproval: (request, client) => decideApproval(supervisor, request, client),
    GetFailures: async ({ role }, client) => ({
      failures: failuresFor(client, await found(role, client).failures.read()),
    }),
    async ClearFailures({ role }, client) {
      await found(role, client).failures.forget();
      return {};
    },
    async ListCalls({ session, role, limit }, client) {
      const wanted = role ? roleFor(client, role, names) : undefined;
      const most = Math.min(Math.max(0, limit ?? CALLS_DEFAULT), CALLS_MAX);
      const asked = { session: session || undefined, role: wanted, scope: scopeOf(client) };
      return { calls: await journal.newestCalls(most, asked) };
    },
    ReportRefusal(request, client, metadata) {
      const caller = callerOf(metadata, client);
      const refused = reportedRefusal(request, caller, parts.clock.now());
      accountForRefusal(parts, refused, caller, requestIdOf(metadata), rolesOf(client, names)[0]);
      return {};
    },
    ReloadConfig: (_request, client) => changesFor(client, parts.reload()),
    Drain({ ifUnused }, client, metadata) {
      const [own = ""] = metadata.get(SESSION);
      const others = sessions.list().filter(({ key }) => key !== sessionKey(client.name, String(own)));
      const held = ifUnused ? others : [];
      const heldBy = held.map((each) => (seesSession(each, client, "read") ? each.key : HIDDEN_SESSION));
      return { heldBy, calls: heldBy.length > 0 ? status().callsUnderWay : parts.drain() };
    },
    GetStatus: (_request, client, _metadata, othersUntilMs) =>
      mayControl(client, "read")
        ? statusFor(parts, client, all(client), othersUntilMs)
        : ownStatus(parts, client, all(client)),
  };
}

function visible(sessions: Sessions, client: Client): Session[] {
  return sessions.list().filter((session) => seesSession(session, client, "read"));
}

/** Returns the changes in the client's roles, and those outside of roles. */
function changesFor(client: Client, changes: Reloaded): Reloaded {
  const own = (roles: readonly string[] | null | undefined) =>
    roles?.filter((role) => seesRole(client, role)) ?? [];
  const { added, removed, changed, restarting } = changes;
  return {
    ...changes,
    added: own(added),
    removed: own(removed),
    changed: own(changed),
    restarting: own(restarting),
  };
}

/** A client that is restricted to roles gets the numbers and warnings of these roles. */
async function statusFor(
  parts: ControlParts,
  client: Client,
  roles: Role[],
  othersUntilMs = Number.POSITIVE_INFINITY,
) {
  const { status, supervisor, sessions, journal, clock } = parts;
  const { startedAtMs, configReadAtMs, ...known } = status();
  const off = roles.flatMap(({ name }) => sandboxWarning(supervisor.roles.get(name)));
  const read = journal.recovery(clock.now() - RECOVERY_MS, client.roles);
  const late = () => unansweredInTime("none");
  const bounds = { timeMs: othersUntilMs - clock.now(), late, clock };
  const { recovery, unread } = await recoveryIn(within(bounds, read));
  const common = {
    ...known,
    startedAt: timestamp(startedAtMs),
    configReadAt: timestamp(configReadAtMs),
    roles,
    recovery,
  };
  const { kept, evidence } = parts;
  const warnings = [...journal.warnings, ...unread, ...kept.warnings, ...evidence.warnings, ...off];
  if (seesAll(client))
    return { ...common, sessions: sessions.size, warnings: [...known.warnings, ...warnings] };
  return {
    ...common,
    sessions: visible(sessions, client).length,
    callsUnderWay: 0,
    // Their words may name other roles' settings.
    configProblems: [],
    warnings,
  };
}

/** The status is needed most while the database is away. */
async function recoveryIn(read: ReturnType<Journal["recovery"]>) {
  try {
    return { recovery: await read, unread: [] };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { recovery: [], unread: [`the journal cannot be read: ${error.message}`] };
  }
}

/** Returns the status for a client that may see only its own data. */
function ownStatus({ status, sessions }: ControlParts, client: Client, roles: Role[]) {
  const { startedAtMs, version, pid, draining } = status();
  return {
    version,
    pid,
    draining,
    startedAt: timestamp(startedAtMs),
    roles,
    sessions: visible(sessions, client).length,
  };
}

function sandboxWarning(role: RoleView | undefined): string[] {
  const sandbox = role?.current?.info?.sandbox ?? "";
  return role && sandbox.startsWith("off") ? [`role ${role.name}: the browser's sandbox is ${sandbox}`] : [];
}

function sessionMessage(
  session: Session,
  { supervisor, takeOvers }: ControlParts,
  client: Client,
): Input<SessionMessage> {
  const visits = [...session.visits].filter(([role]) => seesRole(client, role));
  const personIn = (role: string) => takeOvers.at({ key: session.key, role });
  return {
    id: session.id,
    client: session.client,
    name: session.name ?? "",
    program: session.connection?.program ?? "",
    door: session.connection?.door ?? "",
    currentRole: currentRoleFor(session, client),
    roles: visits.map(([role, { state }]) => ({
      role,
      tabs: (supervisor.roles.get(role)?.sessions.of(session.key)?.tabs ?? []).map((tab) => ({
        ...tab,
        url: redactedAddress(tab.url),
      })),
      resting: state !== "AWAKE",
      personSince: timeOf(personIn(role)?.startedAtMs),
    })),
    createdAt: timestamp(session.createdAtMs),
    usedAt: timestamp(session.usedAtMs),
  };
}

function timeOf(ms: number | undefined) {
  return ms === undefined ? undefined : timestamp(ms);
}

type AnyHandler = (
  request: object,
  client: Client,
  metadata: Metadata,
  othersUntilMs: number,
) => object | Promise<object>;

/** This daemon answers before its client's deadline, and others leave it the time to do so without them. */
function timesFor(deadlineMs: number, clock: Clock): { timeMs: number; othersUntilMs: number } {
  const timeMs = timeFor({ deadlineMs }, clock.now(), CALL_MS_MAX);
  return { timeMs, othersUntilMs: clock.now() + timeMs * OTHERS_SHARE };
}

function answering(
  rpc: ControlRpc,
  calls: ControlCalls,
  { clock, log }: ControlParts,
  who: IdentifyCaller,
): handleUnaryCall<object, object> {
  return (call, callback) => {
    const deadlineMs = Number(call.getDeadline());
    calls(rpc, call.request as never, () => who(call), call.metadata, deadlineMs).then(
      (response) => callback(null, response),
      (error: unknown) => callback(statusOf(error, rpc, call.metadata, clock, log)),
    );
  };
}
