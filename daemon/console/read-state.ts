// Reads what a client may see of the daemon, by the handlers of the control plane.
import { Metadata } from "@grpc/grpc-js";
import { catalogue, type ErrorType, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { GetStatusResponse, Input, Role } from "../../proto/gen/troupe.ts";
import { redactedText } from "../../proto/text/redact.ts";
import { type Client, clientOf, sessionKey } from "../admission/client.ts";
import { mayControl } from "../admission/rights.ts";
import { currentRoleFor, scopeOf, seesAll, seesRecord, seesRole, seesSession } from "../admission/visible.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { ControlHandlers } from "../control/control-handlers.ts";
import type { Clock } from "../core/clock.ts";
import { longestUnusedFirst, type Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { TakeOvers } from "../takeover/take-overs.ts";
import type { FlightRecorder, FlownCall, SessionEpisode } from "../telemetry/flight-recorder.ts";
import type { Journal, RecordsElsewhere } from "../telemetry/journal.ts";
import { millis, sessionsElsewhere } from "./sessions-elsewhere.ts";
import {
  CALLS_SPAN_MS,
  type CallView,
  type ConsoleState,
  type EpisodeView,
  type FailureView,
  RECORDS_MAX,
  RECOVERY_SPAN_MS,
  type RoleView,
  type SessionView,
  type WaitView,
} from "./wire.ts";

export interface StateParts {
  control: Pick<ControlHandlers, "GetStatus" | "ListRoles" | "ListCalls" | "ListApprovals">;
  /** Costs nothing, other than the handler of GetStatus. */
  status: () => { draining: boolean; callsUnderWay: number };
  supervisor: Supervisor;
  sessions: Sessions;
  journal: Journal;
  flight: FlightRecorder;
  takeOvers: Pick<TakeOvers, "at" | "asked">;
  /** The other daemons of the store; undefined if this one is alone. */
  cluster: Cluster | undefined;
  clock: Clock;
}

/** A page shows at most so many sessions: those that were used last. */
const SESSIONS_MAX = 1_000;
const CALLS_SHOWN_MS = 10 * 60_000;
const RECOVERY_SHOWN_MS = 24 * 3_600_000;

/** The parts that change often and cost little. */
export type LiveState = Pick<ConsoleState, "load" | "roles" | "sessions" | "sessionCount" | "waits">;
/** The parts that the journal is asked for. */
export type SlowState = Pick<ConsoleState, "status" | "recovery" | "recoverySpans" | "callSpans">;
export type Records = Pick<ConsoleState, "calls" | "failures" | "episodes">;

export async function liveState(parts: StateParts, client: Client): Promise<LiveState> {
  const { roles } = await parts.control.ListRoles({}, client, new Metadata());
  const visible = parts.sessions.list().filter((each) => seesSession(each, client, "read"));
  const newest = visible.length > SESSIONS_MAX ? longestUnusedFirst(visible).slice(-SESSIONS_MAX) : visible;
  const { draining, callsUnderWay } = parts.status();
  const elsewhere = await sessionsElsewhere(parts.cluster, client);
  return {
    load: { draining, callsUnderWay: seesAll(client) ? callsUnderWay : 0 },
    roles: (roles ?? []).map(roleView),
    sessions: Object.fromEntries(
      [...elsewhere, ...newest.map((each) => sessionView(each, parts, client))].map((each) => [
        each.key,
        each,
      ]),
    ),
    sessionCount: visible.length + elsewhere.length,
    waits: [...waitsFor(parts, client), ...(await approvalsWaiting(parts, client))],
  };
}

/** Returns the agents that wait for a person and that the client may see, longest first. */
function waitsFor({ sessions, takeOvers }: StateParts, client: Client): WaitView[] {
  const visible = takeOvers.asked.filter((each) => {
    const owned = { client: clientOf(each.key), role: each.role };
    return sessions.of(each) !== undefined && seesRecord(owned, client);
  });
  const views = visible.map((each): WaitView => ({ kind: "help", ...each }));
  return views.toSorted((one, other) => one.sinceMs - other.sinceMs);
}

/** `before`: shown on while the journal cannot be read. The status says so. */
export async function slowState(parts: StateParts, client: Client, before?: SlowState): Promise<SlowState> {
  const { journal, clock } = parts;
  const status = await parts.control.GetStatus({}, client, new Metadata());
  const nowMs = clock.now();
  return {
    status: statusView(status),
    recovery: (status.recovery ?? []).map((rate) => ({
      type: rate.type ?? "",
      recovered: rate.recovered ?? 0,
      repeated: rate.repeated ?? 0,
      abandoned: rate.abandoned ?? 0,
    })),
    recoverySpans: mayControl(client, "read")
      ? await unlessAway(
          journal.recoveryOverTime(nowMs - RECOVERY_SHOWN_MS, RECOVERY_SPAN_MS, client.roles),
          before?.recoverySpans ?? [],
        )
      : [],
    callSpans: await unlessAway(
      journal.callsOverTime(nowMs - CALLS_SHOWN_MS, CALLS_SPAN_MS, scopeOf(client)),
      before?.callSpans ?? [],
    ),
  };
}

/** Returns the records from before the page was opened. */
export async function pastRecords(parts: StateParts, client: Client): Promise<Records> {
  const listed = (async () =>
    await parts.control.ListCalls({ limit: RECORDS_MAX }, client, new Metadata()))();
  const { calls } = await unlessAway(listed, { calls: [] });
  const { failures, episodes } = parts.flight;
  return {
    calls: (calls ?? []).map(({ at, ...call }) => ({
      tool: call.tool ?? "",
      role: call.role ?? "",
      session: call.session ?? "",
      outcome: call.outcome ?? "",
      durationMs: call.durationMs ?? 0,
      requestId: call.requestId ?? "",
      client: "",
      atMs: millis(at) ?? 0,
    })),
    failures: failures.filter((each) => seesRecord(each, client)).map(failureView),
    episodes: episodes.filter((each) => seesRecord(each, client)).map(episodeView),
  };
}

/** Returns the newest records of other daemons, without the errors' texts, which name pages. */
export async function recordsElsewhere({ journal }: StateParts, client: Client) {
  const none: RecordsElsewhere = { failures: [], episodes: [] };
  const { failures, episodes } = await unlessAway(
    journal.newestElsewhere(RECORDS_MAX, scopeOf(client)),
    none,
  );
  return {
    failures: failures.map((each): FailureView & { id: string } => {
      const { id, recoverable } = each;
      const { category = "" } = catalogue[each.outcome as ErrorType] ?? {};
      return { ...callView(each), id, category, recoverable, plan: "" };
    }),
    episodes: episodes.map((each): EpisodeView & { id: string } => ({ ...episodeView(each), id: each.id })),
  };
}

/** The console goes on while the database is away. */
async function unlessAway<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isTroupeError(error) && error.type === "STORE_UNAVAILABLE") return otherwise;
    throw error;
  }
}

export function callView(call: CallView): CallView {
  const { tool, role, session, client, outcome, durationMs, atMs, requestId } = call;
  return { tool, role, session, client, outcome, durationMs, atMs, requestId };
}

export function failureView(call: FlownCall): FailureView {
  const { category = "", recoverable = false } = call.failure ?? {};
  return { ...callView(call), category, recoverable, plan: call.plan };
}

export function episodeView(episode: SessionEpisode): EpisodeView {
  const { type, role, session, client, tool, outcome, calls, atMs } = episode;
  return { type, role, session, client, tool, outcome, calls, atMs };
}

export function sessionView(
  session: Session,
  { supervisor: { roles }, takeOvers }: Pick<StateParts, "supervisor" | "takeOvers">,
  viewer: Client,
): SessionView {
  const { key, id, client, connection, createdAtMs, usedAtMs, visits, lastCall } = session;
  const currentRole = currentRoleFor(session, viewer);
  const isAwake = visits.get(currentRole)?.state === "AWAKE";
  // The tabs of a session at rest stand encrypted in the session store, which is too slow for a list.
  const tabs = isAwake ? (roles.get(currentRole)?.sessions.of(key)?.tabs ?? []) : [];
  return {
    key,
    id,
    client,
    program: connection?.program ?? "",
    door: connection?.door ?? "",
    currentRole,
    createdAtMs,
    usedAtMs,
    roles: [...visits]
      .filter(([role]) => seesRole(viewer, role))
      .map(([role, { state }]) => ({
        role,
        resting: state !== "AWAKE",
        personSinceMs: takeOvers.at({ key, role })?.startedAtMs ?? null,
      })),
    title: redactedText(tabs.find(({ current }) => current)?.title ?? ""),
    lastCall: lastCall && seesRecord({ client, role: lastCall.role }, viewer) ? lastCall : null,
  };
}

async function approvalsWaiting({ control }: StateParts, client: Client): Promise<WaitView[]> {
  const { approvals } = await control.ListApprovals({}, client, new Metadata());
  return (approvals ?? []).map(
    (approval): WaitView => ({
      kind: "approval",
      id: approval.id ?? "",
      key: sessionKey(approval.client ?? "", approval.session ?? ""),
      role: approval.role ?? "",
      why: approval.what ?? "",
      page: approval.page ?? "",
      sinceMs: millis(approval.askedAt) ?? 0,
      endsMs: millis(approval.endsAt),
    }),
  );
}

function statusView(status: Input<GetStatusResponse>): ConsoleState["status"] {
  return {
    version: status.version ?? "",
    startedAtMs: millis(status.startedAt) ?? 0,
    warnings: [...(status.warnings ?? [])],
  };
}

function roleView(role: Input<Role>): RoleView {
  return {
    name: role.name ?? "",
    state: String(role.state ?? "").replace("ROLE_STATE_", ""),
    reason: role.reason ?? "",
    retryAtMs: millis(role.retryAt),
    readySinceMs: millis(role.readySince),
    login: role.login ?? "",
    loginEndsMs: millis(role.loginEnds),
    awake: role.sessions ?? 0,
    resting: role.resting ?? 0,
    waiting: role.waiting ?? 0,
    restarts: role.restarts ?? 0,
    memoryBytes: role.memoryBytes ?? 0,
    browser: role.browserVersion ?? "",
  };
}
