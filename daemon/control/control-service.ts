// The service troupe.v1.Control, for operators.
import type { handleUnaryCall, Metadata, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { ControlMethods, Input, Role, Session as SessionMessage } from "../../proto/gen/troupe.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { controlFlags } from "../../proto/tools/read-tools.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { controlAudit } from "../admission/audit.ts";
import { callerOf, requestIdOf } from "../admission/caller.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { checkControl, mayControl, roleFor, rolesOf } from "../admission/rights.ts";
import { accountForRefusal, type RefusalParts, reportedRefusal } from "../calls/client-refusal.ts";
import { failuresFor } from "../calls/own-failures.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type EvidenceParts, readEvidence } from "../evidence/read-evidence.ts";
import type { IdentifyCaller } from "../grpc/caller-identity.ts";
import { wellFormed } from "../grpc/control-definition.ts";
import type { Session } from "../sessions/session.ts";
import { closeSession } from "../sessions/session-of-id.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import { roleMessage } from "../supervisor/role-message.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { RoleView } from "../supervisor/supervision.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Journal } from "../telemetry/journal.ts";
import { decideApproval, listApprovals } from "./approvals.ts";
import { statusOf } from "./control-status.ts";
import { type ExportParts, exportSession } from "./export-session.ts";
import { handBack, linkTo, type TakeOverControl } from "./take-over.ts";
import { type WatchParts, watchEvents } from "./watch-events.ts";

export interface ControlParts extends WatchParts, RefusalParts, ExportParts, EvidenceParts, TakeOverControl {
  supervisor: Supervisor;
  sessions: Sessions;
  journal: Journal;
  rates: Rates;
  kept: ExportParts["kept"] & { warnings: readonly string[] };
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
  reload: () => Input<ControlMethods["ReloadConfig"]["response"]>;
  /** Begins the drain. Returns the number of calls under way. */
  drain: () => number;
  clock: Clock;
  log: Log;
}

type ControlRpc = Exclude<keyof ControlMethods, "WatchEvents">;

export type ControlHandlers = {
  [M in ControlRpc]: (
    request: ControlMethods[M]["request"],
    client: Client,
    metadata: Metadata,
  ) => Input<ControlMethods[M]["response"]> | Promise<Input<ControlMethods[M]["response"]>>;
};

const CALLS_DEFAULT = 100;
const CALLS_MAX = 10_000;
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
) => Promise<Input<ControlMethods[M]["response"]>>;

/** Makes the calls of any door: each checks the caller's rights and rate, and is audited. */
export function controlCalls(parts: ControlParts): ControlCalls {
  const audit = controlAudit(parts);
  const handlers = controlHandlers(parts) as Record<ControlRpc, AnyHandler>;
  return async (rpc, request, who, metadata) => {
    let client: Client | undefined;
    const audited = (error?: unknown) => audit({ rpc, client, requestId: requestIdOf(metadata), error });
    try {
      client = who();
      checkControl(client, rpc);
      if (!controlFlags(rpc).uncounted) parts.rates.take(client);
      const response = await handlers[rpc](wellFormed(request, rpc), client, metadata);
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
      return { sessions: listed.map((session) => sessionMessage(session, parts)) };
    },
    CloseSession({ session: id }, client) {
      closeSession(sessions, id, client);
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
    ListCalls({ session, role, limit }, client) {
      const wanted = role ? roleFor(client, role, names) : undefined;
      const most = Math.min(Math.max(0, limit ?? CALLS_DEFAULT), CALLS_MAX);
      const own = mayControl(client, "read") ? undefined : client.name;
      return {
        calls: journal.newestCalls(most, { session: session || undefined, role: wanted, client: own }),
      };
    },
    ReportRefusal(request, client, metadata) {
      const caller = callerOf(metadata, client);
      const refused = reportedRefusal(request, caller, parts.clock.now());
      accountForRefusal(parts, refused, caller, requestIdOf(metadata), rolesOf(client, names)[0]);
      return {};
    },
    ReloadConfig: () => parts.reload(),
    Drain({ ifUnused }, client, metadata) {
      const [own = ""] = metadata.get(SESSION);
      const held = ifUnused ? sessions.list().map(({ key }) => key) : [];
      const heldBy = held.filter((key) => key !== sessionKey(client.name, String(own)));
      return { heldBy, calls: heldBy.length > 0 ? status().callsUnderWay : parts.drain() };
    },
    GetStatus: (_request, client) =>
      mayControl(client, "read") ? wholeStatus(parts, all(client)) : ownStatus(parts, client, all(client)),
  };
}

function visible(sessions: Sessions, client: Client): Session[] {
  const all = sessions.list();
  return mayControl(client, "read") ? all : all.filter((session) => session.client === client.name);
}

function wholeStatus(parts: ControlParts, roles: Role[]) {
  const { status, supervisor, sessions, journal, kept, evidence, clock } = parts;
  const { startedAtMs, configReadAtMs, ...known } = status();
  const off = [...supervisor.roles.values()].flatMap(sandboxWarning);
  return {
    ...known,
    startedAt: timestamp(startedAtMs),
    configReadAt: timestamp(configReadAtMs),
    roles,
    sessions: sessions.size,
    warnings: [...known.warnings, ...journal.warnings, ...kept.warnings, ...evidence.warnings, ...off],
    recovery: journal.recovery(clock.now() - RECOVERY_MS),
  };
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

function sandboxWarning(role: RoleView): string[] {
  const sandbox = role.current?.info?.sandbox ?? "";
  return sandbox.startsWith("off") ? [`role ${role.name}: the browser's sandbox is ${sandbox}`] : [];
}

function sessionMessage(session: Session, { supervisor, takeOvers }: ControlParts): Input<SessionMessage> {
  const personIn = (role: string) => takeOvers.at({ key: session.key, role });
  return {
    id: session.id,
    client: session.client,
    name: session.name ?? "",
    program: session.connection?.program ?? "",
    door: session.connection?.door ?? "",
    currentRole: session.currentRole,
    roles: [...session.visits].map(([role, { state }]) => ({
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

type AnyHandler = (request: object, client: Client, metadata: Metadata) => object | Promise<object>;

function answering(
  rpc: ControlRpc,
  calls: ControlCalls,
  { clock, log }: ControlParts,
  who: IdentifyCaller,
): handleUnaryCall<object, object> {
  return (call, callback) => {
    calls(rpc, call.request as never, () => who(call), call.metadata).then(
      (response) => callback(null, response),
      (error: unknown) => callback(statusOf(error, rpc, call.metadata, clock, log)),
    );
  };
}
