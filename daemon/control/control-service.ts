// The service troupe.v1.Control: what an operator sees and does.
import type { handleUnaryCall, Metadata, UntypedServiceImplementation } from "@grpc/grpc-js";
import { fail } from "../../proto/errors.ts";
import type { ControlMethods, Input, Role, Session as SessionMessage } from "../../proto/gen/troupe.ts";
import { accountForRefusal, type RefusalParts } from "../calls/client-refusal.ts";
import type { Places } from "../calls/places.ts";
import { roleNamed } from "../calls/role-named.ts";
import type { Clock } from "../clock.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import type { Session, Sessions } from "../sessions.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { RoleView } from "../supervisor/supervision.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { wellFormed } from "./control-definition.ts";
import { statusOf } from "./control-status.ts";
import { roleMessage } from "./role-message.ts";
import { type WatchParts, watchEvents } from "./watch-events.ts";

/** What the control plane looks after. */
export interface ControlParts extends WatchParts, RefusalParts {
  supervisor: Supervisor;
  sessions: Sessions;
  places: ReadonlyMap<string, Places>;
  journal: Journal;
  /** What does not change, and what only the daemon as a whole knows. */
  status: () => Omit<
    ControlMethods["GetStatus"]["response"],
    "roles" | "sessions" | "startedAt" | "recovery"
  > & {
    startedAtMs: number;
  };
  /** Begins the drain; tells how many calls are under way. */
  drain: () => number;
  clock: Clock;
  log: Log;
}

type Handlers = {
  [M in Exclude<keyof ControlMethods, "WatchEvents">]: (
    request: ControlMethods[M]["request"],
    metadata: Metadata,
  ) => Input<ControlMethods[M]["response"]> | Promise<Input<ControlMethods[M]["response"]>>;
};

const CALLS_DEFAULT = 100;
const CALLS_MAX = 10_000;
/** How far back rates of recovery look. */
const RECOVERY_MS = 24 * 3_600_000;

/** The handlers. */
export function controlService(parts: ControlParts): UntypedServiceImplementation {
  const unary = Object.entries(handlers(parts)).map(([rpc, handle]) => [
    rpc,
    answering(rpc, handle as AnyHandler, parts),
  ]);
  return { ...Object.fromEntries(unary), WatchEvents: watchEvents(parts) };
}

function handlers(parts: ControlParts): Handlers {
  const { supervisor, sessions, journal, clock } = parts;
  const names = [...supervisor.roles.keys()];
  const found = (name: string) => supervisor.roles.get(roleNamed(name, names)) as SupervisedRole;
  const told = (role: RoleView): Role => roleMessage(role, parts.places.get(role.name)?.size ?? 0);
  const all = () => [...supervisor.roles.values()].map(told);
  return {
    ListRoles: () => ({ roles: all() }),
    GetRole: ({ name }) => ({ role: told(found(name)) }),
    async RestartRole({ name }) {
      const role = found(name);
      await role.restart();
      return { role: told(role) };
    },
    ListSessions({ role }) {
      const wanted = role ? roleNamed(role, names) : undefined;
      const listed = sessions.list().filter((session) => wanted === undefined || session.visits.has(wanted));
      return { sessions: listed.map((session) => sessionMessage(session, supervisor)) };
    },
    CloseSession({ session: id }) {
      const session = sessions.find(id);
      if (!session)
        throw fail("SESSION_EXPIRED", { session: id.slice(0, 128), reason: "there is no such session" });
      sessions.close(session);
      return {};
    },
    GetFailures: async ({ role }) => ({ failures: await found(role).failures.read() }),
    async ClearFailures({ role }) {
      await found(role).failures.forget();
      return {};
    },
    ListCalls({ session, role, limit }) {
      const wanted = role ? roleNamed(role, names) : undefined;
      const most = Math.min(Math.max(0, limit ?? CALLS_DEFAULT), CALLS_MAX);
      return { calls: journal.newestCalls(most, { session: session || undefined, role: wanted }) };
    },
    ReportRefusal(request, metadata) {
      accountForRefusal(parts, request, metadata);
      return {};
    },
    Drain: () => ({ calls: parts.drain() }),
    GetStatus() {
      const { startedAtMs, ...status } = parts.status();
      const off = [...supervisor.roles.values()].flatMap(sandboxWarning);
      return {
        ...status,
        startedAt: timestamp(startedAtMs),
        roles: all(),
        sessions: sessions.size,
        warnings: [...status.warnings, ...journal.warnings, ...off],
        recovery: journal.recovery(clock.now() - RECOVERY_MS),
      };
    },
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
    currentRole: session.currentRole,
    roles: [...session.visits.keys()].map((role) => ({
      role,
      tabs: supervisor.roles.get(role)?.records.get(session.key)?.tabs ?? [],
    })),
    createdAt: timestamp(session.createdAtMs),
    usedAt: timestamp(session.usedAtMs),
  };
}

type AnyHandler = (request: object, metadata: Metadata) => object | Promise<object>;

function answering(
  rpc: string,
  handle: AnyHandler,
  { clock, log }: ControlParts,
): handleUnaryCall<object, object> {
  return (call, callback) => {
    Promise.try(() => handle(wellFormed(call.request, rpc), call.metadata)).then(
      (response) => callback(null, response),
      (error: unknown) => callback(statusOf(error, rpc, call.metadata, clock, log)),
    );
  };
}
