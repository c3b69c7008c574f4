// The service troupe.v1.Control, for operators.
import type { handleUnaryCall, Metadata, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { ControlMethods, Input, Role, Session as SessionMessage } from "../../proto/gen/troupe.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { controlFlags } from "../../proto/tools/read-tools.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { type ControlAudit, controlAudit } from "../admission/audit.ts";
import { callerOf, requestIdOf } from "../admission/caller.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { checkControl, mayControl, roleFor, rolesOf } from "../admission/rights.ts";
import { accountForRefusal, type RefusalParts, reportedRefusal } from "../calls/client-refusal.ts";
import { failuresFor } from "../calls/own-failures.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
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
import { statusOf } from "./control-status.ts";
import { type ExportParts, exportSession } from "./export-session.ts";
import { type WatchParts, watchEvents } from "./watch-events.ts";

export interface ControlParts extends WatchParts, RefusalParts, ExportParts {
  supervisor: Supervisor;
  sessions: Sessions;
  journal: Journal;
  rates: Rates;
  kept: ExportParts["kept"] & { warnings: readonly string[] };
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

type Handlers = {
  [M in Exclude<keyof ControlMethods, "WatchEvents">]: (
    request: ControlMethods[M]["request"],
    client: Client,
    metadata: Metadata,
  ) => Input<ControlMethods[M]["response"]> | Promise<Input<ControlMethods[M]["response"]>>;
};

const CALLS_DEFAULT = 100;
const CALLS_MAX = 10_000;
/** The age of the oldest episodes in the recovery rates. */
const RECOVERY_MS = 24 * 3_600_000;

/** Makes the handlers. With `control: none` a client gets its own sessions and the data of its roles. */
export function controlService(parts: ControlParts, who: IdentifyCaller): UntypedServiceImplementation {
  const audit = controlAudit(parts);
  const unary = Object.entries(handlers(parts)).map(([rpc, handle]) => [
    rpc,
    answering(rpc as keyof Handlers, handle as AnyHandler, parts, who, audit),
  ]);
  return { ...Object.fromEntries(unary), WatchEvents: watchEvents(parts, who) };
}

function handlers(parts: ControlParts): Handlers {
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
      return { sessions: listed.map((session) => sessionMessage(session, supervisor)) };
    },
    CloseSession({ session: id }, client) {
      closeSession(sessions, id, client);
      return {};
    },
    ExportSession: (request, client) => exportSession(parts, request, client),
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

function wholeStatus({ status, supervisor, sessions, journal, kept, clock }: ControlParts, roles: Role[]) {
  const { startedAtMs, configReadAtMs, ...known } = status();
  const off = [...supervisor.roles.values()].flatMap(sandboxWarning);
  return {
    ...known,
    startedAt: timestamp(startedAtMs),
    configReadAt: timestamp(configReadAtMs),
    roles,
    sessions: sessions.size,
    warnings: [...known.warnings, ...journal.warnings, ...kept.warnings, ...off],
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

function sessionMessage(session: Session, supervisor: Supervisor): SessionMessage {
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
    })),
    createdAt: timestamp(session.createdAtMs),
    usedAt: timestamp(session.usedAtMs),
  };
}

type AnyHandler = (request: object, client: Client, metadata: Metadata) => object | Promise<object>;

function answering(
  rpc: keyof Handlers,
  handle: AnyHandler,
  { clock, log, rates }: ControlParts,
  who: IdentifyCaller,
  audit: ControlAudit,
): handleUnaryCall<object, object> {
  return (call, callback) => {
    let client: Client | undefined;
    const answer = () => {
      client = who(call);
      checkControl(client, rpc);
      if (!controlFlags(rpc).uncounted) rates.take(client);
      return handle(wellFormed(call.request, rpc), client, call.metadata);
    };
    const audited = (error?: unknown) => audit({ rpc, client, requestId: requestIdOf(call.metadata), error });
    Promise.try(answer).then(
      (response) => {
        audited();
        callback(null, response);
      },
      (error: unknown) => {
        audited(error);
        callback(statusOf(error, rpc, call.metadata, clock, log));
      },
    );
  };
}
