// Every tool call passes here: it is admitted, given a session and a role, executed, recorded, and its failure
// explained.
import { Metadata, status } from "@grpc/grpc-js";
import { type ErrorDetail, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { annotate, inSpan, markFailed, parentIn, traceId } from "../../proto/tracing/spans.ts";
import { TRANSFER_MS_MAX } from "../../proto/wire/file-bounds.ts";
import { RECORD, REQUEST_ID, VERSION_HEADER } from "../../proto/wire/metadata.ts";
import type { Admission } from "../admission/admission.ts";
import { type Caller, callerOf, requestIdOf } from "../admission/caller.ts";
import { ClientStreams } from "../admission/client-streams.ts";
import { checkRole, checkTool, denied, firstRoleFor, roleFor } from "../admission/rights.ts";
import type { Clock } from "../core/clock.ts";
import { InFlightCounter } from "../core/in-flight-counter.ts";
import type { Log } from "../core/log.ts";
import { newEvidenceId } from "../evidence/evidence-store.ts";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { draining } from "../sessions/unavailable.ts";
import { nextVisit } from "../sessions/visit.ts";
import { endpointOf } from "../supervisor/role-message.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { digestOf, type EndedCall } from "../telemetry/ended-call.ts";
import { intendedBy } from "../telemetry/intended-element.ts";
import type { PassedSnapshot } from "../telemetry/snapshot-meter.ts";
import { afterRestart, type Meant, type RestartError } from "./after-restart.ts";
import { type Failure, failureOf } from "./failed-call.ts";
import {
  type AdmittedCall,
  cancelled,
  type InFlightCall,
  REQUEST_BYTES_MAX,
  type ToolCall,
  timeElsewhere,
  timeFor,
} from "./in-flight-call.ts";
import { inOtherRoles } from "./other-roles.ts";
import { takeWorker, type WorkerParts } from "./take-worker.ts";
import { TriedPlans } from "./tried-plans.ts";

export interface DispatcherParts extends WorkerParts {
  supervisor: Supervisor;
  sessions: Sessions;
  admission: Pick<Admission, "rates" | "watchOver">;
  log: Log;
  /** Receives each call that has ended. */
  ended: (call: EndedCall) => void;
  /** Receives each snapshot that has passed, and its duration. */
  snapshot: (snapshot: PassedSnapshot, ms: number) => void;
}

/** The most watches of one client at once. A daemon also counts those that it passes on. */
const WATCHES_MAX = 200;
/** A watch ends after a day. Its client can begin another. */
const WATCH_MS_MAX = 86_400_000;

export class CallDispatcher {
  readonly watches = new ClientStreams(WATCHES_MAX, "watches");
  readonly #parts: DispatcherParts;
  readonly #underWay = new Set<InFlightCall>();
  readonly #calm: InFlightCounter;
  readonly #tried = new TriedPlans();
  #draining = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#calm = new InFlightCounter(parts.clock);
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** The number of calls under way. */
  get size(): number {
    return this.#underWay.size;
  }

  /**
   * Takes a call and makes its reply with `carry`. Resolves with the reply. Rejects with the StatusObject for the
   * client.
   */
  take<T>(tool: Tool, call: ToolCall, carry: (under: AdmittedCall) => Promise<T>): Promise<T> {
    // The span of a watch would be exported only after hours.
    if (tool.watches) return this.#take(tool, call, carry);
    const parent = parentIn(call.metadata);
    return inSpan(tool.name, { kind: "server", parent }, () => this.#take(tool, call, carry));
  }

  async #take<T>(tool: Tool, call: ToolCall, carry: (under: AdmittedCall) => Promise<T>): Promise<T> {
    const { clock, limits, sessions, admission } = this.#parts;
    const startedMs = clock.steady();
    const timeMs = timeFor(call, clock.now(), timeOf(tool, limits.callTimeout));
    const under: InFlightCall = {
      tool,
      call,
      requestId: requestIdOf(call.metadata),
      startedMs,
      leftMs: () => startedMs + timeMs - clock.steady(),
      abort: new AbortController(),
    };
    // A door may signal this at the end of every call, also of a good one.
    const cancel = () => {
      this.#noteLoss(under);
      if (this.#underWay.has(under)) under.abort.abort(cancelled());
    };
    call.gone.addEventListener("abort", cancel, { once: true });
    const { unwanted } = call;
    unwanted?.addEventListener("abort", () => under.abort.abort(unwanted.reason), { once: true });
    call.greet(greetingOf(under.requestId));
    const leaving = new DisposableStack();
    const over = this.#calm.begin();
    this.#underWay.add(under);
    try {
      if (call.gone.aborted) cancel();
      under.abort.signal.throwIfAborted();
      const admitted = this.#admit(under);
      // A watch does not count as use of its session. The session ends as if there were no watch.
      if (tool.watches) leaving.use(this.watches.add(admitted.client.name));
      else leaving.defer(sessions.begin(admitted.session));
      // A stream lasts. Meanwhile its client's token may expire, be removed, or get other rights.
      const allows = () => this.#checkRights(admitted);
      if (tool.streams) leaving.defer(admission.watchOver(allows, (error) => under.abort.abort(error)));
      const changes = !tool.readOnly;
      if (changes) this.#parts.kept.checkTakes(admitted.session.key);
      const reply = await carry(admitted);
      if (changes) await this.#parts.kept.committed(admitted.session.key, admitted.leftMs());
      admitted.session.hasAnswered = true;
      this.#tried.succeeded(under, clock.steady());
      this.#account(under, undefined);
      return reply;
    } catch (error) {
      const met = await failureOf(error, under, {
        clock,
        log: this.#parts.log,
        endpoint: this.#endpointOf(under),
        placed: (detail) => inOtherRoles(detail, under, this.#parts.supervisor.roles, this.#parts.log),
        restarted: (restart, meant) => this.#restarted(restart, under, meant),
      });
      const failure = this.#tried.failed(under, met, clock.steady());
      this.#account(under, failure);
      throw failure.status;
    } finally {
      leaving.dispose();
      if (under.session && !under.session.over.signal.aborted) this.#parts.kept.used(under.session);
      this.#underWay.delete(under);
      over();
    }
  }

  /** The time that another daemon may take for the call, in milliseconds. */
  timeElsewhere(tool: Tool, call: ToolCall): number {
    return timeElsewhere(call, this.clock.now(), timeOf(tool, this.#parts.limits.callTimeout));
  }

  get clock(): Clock {
    return this.#parts.clock;
  }

  /** Returns the configured role of that name. */
  roleOf(name: string): SupervisedRole | undefined {
    return this.#parts.supervisor.roles.get(name);
  }

  /** Returns the worker for the call, see {@link takeWorker}. */
  worker(under: AdmittedCall): ReturnType<typeof takeWorker> {
    return inSpan("take a worker", {}, () => takeWorker(under, this.#parts));
  }

  snapshotPassed({ startedMs }: InFlightCall, snapshot: PassedSnapshot): void {
    this.#parts.snapshot(snapshot, this.#parts.clock.steady() - startedMs);
  }

  /** Takes no call from now on. */
  takeNoMore(): void {
    this.#draining = true;
  }

  /**
   * Counts a call against its client's rate, and checks that the client may use the tool, before the call costs more.
   * Throws a TroupeError.
   */
  count(tool: Tool, call: ToolCall): void {
    const client = call.client();
    this.#parts.admission.rates.take(client);
    checkTool(client, tool);
  }

  /** Calls `lost` with the error when the client's rights no longer cover a call that another daemon carries out. */
  watchRights(tool: Tool, call: ToolCall, lost: (error: unknown) => void): Disposable {
    const roles = JSON.stringify(call.client().roles);
    const unwatch = this.#parts.admission.watchOver(() => {
      const client = call.client();
      checkTool(client, tool);
      if (JSON.stringify(client.roles) !== roles)
        throw denied(`this ${tool.name}`, "The client's roles have changed since it began.");
    }, lost);
    return { [Symbol.dispose]: unwatch };
  }

  /** Ends the watches. Their clients begin others elsewhere. */
  endWatches(): void {
    for (const under of this.#underWay) if (under.tool.watches) breakOff(under);
  }

  /** Ends all calls under way with the error. */
  breakOffAll(error: TroupeError): void {
    for (const { abort } of this.#underWay) abort.abort(error);
  }

  /** Takes no call from now on. Resolves when none is under way. After `boundMs` it breaks off the rest. */
  async drain(boundMs: number): Promise<void> {
    this.takeNoMore();
    this.endWatches();
    await this.#calm.within(boundMs);
    for (const under of this.#underWay) breakOff(under);
  }

  #admit(under: InFlightCall): AdmittedCall {
    const { supervisor, sessions } = this.#parts;
    const client = under.call.client();
    under.client = client;
    let caller: Caller;
    try {
      caller = callerOf(under.call.metadata, client);
      under.caller = caller;
    } finally {
      // A rejected call costs as much of the rate as an executed one, because the journal records both.
      if (!this.#draining && !under.call.isCounted) this.#parts.admission.rates.take(client);
    }
    // Another daemon may have begun the call, which its refusal says.
    if (under.call.refusal) throw under.call.refusal;
    if (this.#draining) throw draining("none");
    checkTool(client, under.tool);
    const { request } = under.call;
    if (request.length > REQUEST_BYTES_MAX) {
      throw fail("INVALID_ARGUMENT", {
        argument: "request",
        problem: `the request has ${request.length} bytes, at most ${REQUEST_BYTES_MAX} are taken`,
      });
    }
    const all = supervisor.names;
    const named = caller.role === undefined ? undefined : roleFor(client, caller.role, all);
    // Tools that belong to no role show which roles there are, so they help if the first one is wrong.
    const mayMiss = under.tool.roleless || sessions.of(caller) !== undefined;
    const session = sessions.open(caller, firstRoleFor(client, under.call.firstRole, all, mayMiss));
    // A client may always list and select roles, even if it has lost the current one.
    const role =
      named ?? (under.tool.roleless ? session.currentRole : roleFor(client, session.currentRole, all));
    annotate({ "troupe.role": role, "troupe.session": session.id, "troupe.request_id": under.requestId });
    const evidence = this.#isRecorded(under, role) && { evidence: newEvidenceId() };
    return Object.assign(under, { client, caller, session, role, ...evidence });
  }

  /** A role's calls are recorded, or the client asks for it. A watch would be evidence of others' calls. */
  #isRecorded({ tool, call }: InFlightCall, role: string): boolean {
    if (tool.watches) return false;
    return this.#parts.supervisor.roles.get(role)?.settings.record || call.metadata.get(RECORD).includes("1");
  }

  /**
   * Notes that the client is gone. If part of the reply is unsent, the session lacks what the worker counts as
   * delivered.
   */
  #noteLoss(under: InFlightCall): void {
    const { call, tool, worker, session, role } = under;
    const isSent = call.isSent?.() ?? !this.#underWay.has(under);
    // A watch keeps its own account of deliveries.
    if (worker && session && role !== undefined && !isSent && !tool.watches) session.mayLack.add(role);
  }

  /** Throws if the client's current rights no longer cover the call. */
  #checkRights({ call, tool, role }: AdmittedCall): void {
    const client = call.client();
    checkTool(client, tool);
    checkRole(client, role, this.#parts.supervisor.names);
  }

  async #restarted(error: RestartError, under: InFlightCall, meant: Meant): Promise<TroupeError> {
    this.#learnsOfDeath(under);
    const role = this.#parts.supervisor.roles.get(under.role ?? "");
    return await afterRestart(error, under, role, meant, this.#parts.log);
  }

  #account(under: InFlightCall, failure: Failure | undefined): void {
    const { clock, ended } = this.#parts;
    const atMs = clock.now();
    const { detail } = failure ?? {};
    const session = this.#sessionOf(under);
    const meant = detail && intendedBy(detail);
    const trace = traceId();
    if (detail) markFailed(detail.type);
    const outcome = detail?.type ?? "OK";
    const role = under.role ?? this.#roleMeant(under, detail) ?? session?.currentRole ?? "";
    if (session) session.lastCall = { tool: under.tool.name, role, outcome, atMs };
    ended({
      tool: under.tool.name,
      role,
      client: under.client?.name ?? "",
      session: session?.id ?? under.caller?.session ?? "",
      sessionKey: session?.key ?? "",
      requestId: under.requestId,
      outcome,
      code: status[failure?.status.code ?? status.OK] ?? "UNKNOWN",
      durationMs: clock.steady() - under.startedMs,
      atMs,
      ...(trace && { traceId: trace }),
      ...(under.element && { element: under.element }),
      ...(under.evidence !== undefined && { evidence: under.evidence }),
      ...(detail?.details.own === "rate" && { isOverRate: true }),
      ...(detail && {
        failure: {
          category: detail.category,
          recoverable: detail.recoverable,
          ...(detail.retry?.sameCall && { retryAtMs: atMs + detail.retry.afterMs }),
          digest: digestOf(under.call.request),
          ...(meant && { meant }),
          message: detail.message,
          plan: () => planText(detail, under.caller?.profile),
        },
      }),
    });
  }

  /** Returns the call's session. A call that was not admitted may have a session too: its caller's. */
  #sessionOf({ session, caller }: InFlightCall): Session | undefined {
    return session ?? (caller && this.#parts.sessions.of(caller));
  }

  #endpointOf({ role = "" }: InFlightCall): string {
    const found = this.#parts.supervisor.roles.get(role);
    return found ? endpointOf(found.settings) : "";
  }

  /** Returns the configured role that a rejected call named or probably meant. */
  #roleMeant({ caller }: InFlightCall, detail: ErrorDetail | undefined): string | undefined {
    const { roles } = this.#parts.supervisor;
    const named = [caller?.role, detail?.type === "UNKNOWN_ROLE" ? detail.details.nearest : undefined];
    return named.find((each) => typeof each === "string" && roles.has(each)) as string | undefined;
  }

  /** Notes that the session knows of the worker's death, because the death ended this call. */
  #learnsOfDeath(under: InFlightCall): void {
    const { session, role: name = "", worker } = under;
    const role = this.#parts.supervisor.roles.get(name);
    const visits = session?.visits;
    const visit = visits?.get(name);
    if (!visit || !role || !worker) return;
    // The worker's report of its browser's death may precede the event. No further call may go to this worker.
    const kind = this.#endpointOf(under) ? "browser-disconnected" : "browser-crashed";
    worker.kill({ kind, reason: "its browser died" });
    void worker.ended.then(() => {
      // The session may have been put back in the role meanwhile, which it must still learn.
      if (visits?.get(name) === visit) visits?.set(name, nextVisit(visit, "informed", role.losses.deaths));
    });
  }
}

/** Its bytes may come slowly, so a transfer has longer than other calls. The worker ends one that stalls. */
function timeOf({ watches, transfers }: Tool, callTimeoutMs: number): number {
  if (watches) return WATCH_MS_MAX;
  return transfers ? TRANSFER_MS_MAX : callTimeoutMs;
}

/** A call may have acted once it is with a worker. */
function breakOff({ abort, worker }: InFlightCall): void {
  abort.abort(draining(worker ? "unknown" : "none"));
}

/** The metadata at the start of every reply. */
function greetingOf(requestId: string): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, requestId);
  metadata.set(VERSION_HEADER, VERSION);
  return metadata;
}
