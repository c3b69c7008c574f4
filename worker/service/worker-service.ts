// Serves the rpcs that only the daemon calls: they start the role, watch it and end sessions.
import type {
  ServerUnaryCall,
  ServerWritableStream,
  ServiceError,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { detailOf, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { toStatus } from "../../proto/errors/status.ts";
import type {
  CloseLargestTabRequest,
  ConfirmKeptRequest,
  ExportRecordingRequest,
  FindAgainRequest,
  GiveCredentialRequest,
  Input,
  LookAtRequest,
  PrepareRestRequest,
  RestoreStorageRequest,
  RoleConfig,
  SessionRecord,
  StartRequest,
  WatchWorkerResponse,
  WhereToldRequest,
  WorkerDecideApprovalRequest,
  WorkerMethods,
} from "../../proto/gen/troupe.ts";
import type { Recorded } from "../failures/failure-log.ts";
import { exportedAs } from "../recording/export.ts";
import { collectGarbage } from "../role/collect-garbage.ts";
import { Role, type RoleEvents } from "../role/role.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { RoleSecrets } from "../secrets/role-secrets.ts";
import { personsSecretsIn } from "../storage/storage-parts.ts";
import { askedMessage, endedMessage } from "./approval-message.ts";
import { AskedCredentials } from "./asked-credentials.ts";
import { Confirmations } from "./confirmations.ts";
import { findAgain } from "./find-again.ts";
import type { Logger } from "./log.ts";
import { lookAt } from "./operator-view.ts";
import { takingOver } from "./take-over.ts";
import { whereDelivered } from "./where-delivered.ts";

const HEARTBEAT_MS = 1_000;

type Watcher = ServerWritableStream<object, Input<WatchWorkerResponse>>;
type Callback = (error: Partial<ServiceError> | null, reply?: object) => void;

interface RoleHostParts {
  name: string;
  log: Logger;
  /** Gets the role's credentials. */
  credentials: Redactor;
  /** Keeps those, and what persons have typed in any session, out of events. */
  redactor: Redactor;
}

/** Holds the worker's one role, from its start to its end. */
export class RoleHost {
  #role: Promise<Role> | undefined;
  #started: Role | undefined;
  #name: string;
  readonly #watchers = new Set<Watcher>();
  readonly #log: Logger;
  readonly #credentials: Redactor;
  readonly #redactor: Redactor;
  readonly #asked = new AskedCredentials((credentialAsked) => this.send({ credentialAsked }));
  readonly #confirmations = new Confirmations((keepAsked) => this.send({ keepAsked }));
  /** Called when the worker has no reason to go on: its browser or its daemon is gone. */
  readonly #end: (reason: string) => void;

  constructor({ name, log, credentials, redactor }: RoleHostParts, end: (reason: string) => void) {
    this.#name = name;
    this.#log = log;
    this.#credentials = credentials;
    this.#redactor = redactor;
    this.#end = end;
  }

  /** Returns the role. Throws WORKER_UNAVAILABLE before the role is started. */
  get role(): Role {
    if (this.#started) return this.#started;
    throw fail("WORKER_UNAVAILABLE", {
      role: this.#name,
      reason: "it is being started",
      retryAfterMs: 1_000,
    });
  }

  /** Is false once the role's browser has died. */
  get browserLives(): boolean {
    return this.#started?.isAlive ?? true;
  }

  /** Returns the handlers of `troupe.v1.Worker`. */
  service(): UntypedServiceImplementation {
    const methods: { [M in keyof WorkerMethods]: UntypedServiceImplementation[string] } = {
      Start: this.#unary("Start", (request: StartRequest) => this.#start(request)),
      ReadFailures: this.#unary("ReadFailures", async () => ({ failures: this.role.failures.toWire() })),
      ForgetFailures: this.#unary("ForgetFailures", async () => {
        this.role.failures.clear();
        return {};
      }),
      EndSession: this.#unary("EndSession", async ({ key }: { key: string }) => {
        await this.role.sessions.end(key);
        return {};
      }),
      CollectGarbage: this.#unary("CollectGarbage", async () => {
        await collectGarbage(this.role.sessions.open);
        return {};
      }),
      CloseLargestTab: this.#unary("CloseLargestTab", async (request: CloseLargestTabRequest) => ({
        url: await this.role.closeLargestTab(request),
      })),
      FindAgain: this.#unary("FindAgain", async (request: FindAgainRequest) => findAgain(this.role, request)),
      WhereTold: this.#unary("WhereTold", async (request: WhereToldRequest) =>
        whereDelivered(this.role.sessions.open, request),
      ),
      ReloadLogin: this.#unary("ReloadLogin", async () => {
        await this.role.sessions.renewLogin();
        return { login: this.role.loginState };
      }),
      PrepareRest: this.#unary("PrepareRest", (request: PrepareRestRequest) =>
        this.role.sessions.prepareRest(request),
      ),
      RestoreStorage: this.#unary("RestoreStorage", async (request: RestoreStorageRequest) => {
        for (const secret of personsSecretsIn(request.parts)) this.#redactor.watchFor(secret);
        await this.role.sessions.restore(request);
        return {};
      }),
      ExportRecording: this.#unary("ExportRecording", async (request: ExportRecordingRequest) =>
        exportedAs(request.as, await this.role.sessions.recorded(request), this.role.config),
      ),
      LookAt: this.#unary("LookAt", (request: LookAtRequest) => lookAt(this.role, request)),
      DecideApproval: this.#unary("DecideApproval", async (request: WorkerDecideApprovalRequest) => ({
        done: this.role.approvals.decide(request),
      })),
      GiveCredential: this.#unary("GiveCredential", async (request: GiveCredentialRequest) => {
        this.#asked.answered(request);
        return {};
      }),
      ConfirmKept: this.#unary("ConfirmKept", async (request: ConfirmKeptRequest) => {
        this.#confirmations.answered(request);
        return {};
      }),
      TakeOver: takingOver({
        role: () => this.role,
        redactor: this.#redactor,
        statusOf: (error) => this.#status("TakeOver", error),
      }),
      WatchWorker: (call: Watcher) => this.#watch(call),
    };
    return methods;
  }

  async close(): Promise<void> {
    // A role that did not start has already reported its error to its caller, and has nothing to close.
    const role = await this.#role?.catch(() => undefined);
    await role?.close();
  }

  async #start({ role, sessions, secrets }: StartRequest): Promise<object> {
    if (this.#role) throw new Error("the worker has been started already");
    if (!role) throw fail("INVALID_ARGUMENT", { argument: "role", problem: "role is missing" });
    for (const secret of secrets) this.#credentials.watchFor(secret);
    const events = this.#events();
    this.#role = Role.start(role, sessions, events, this.#secretsOf(role));
    this.#started = await this.#role;
    return this.#started.describe();
  }

  #secretsOf({ name, credentials }: RoleConfig): RoleSecrets {
    const ask = (credential: string) => this.#asked.ask(credential);
    return new RoleSecrets({ role: name, credentials, redactor: this.#credentials, ask });
  }

  #events(): RoleEvents {
    return {
      session: (record) => this.#sessionChanged(record),
      storage: (key, parts) => this.send({ storage: { key, parts } }),
      kept: async (key) => {
        if (this.#watchers.size > 0) await this.#confirmations.ask(key);
      },
      reported: (key) => this.send({ told: { key } }),
      failure: (recorded) => this.#failureRecorded(recorded),
      loginChanged: (login) => this.send({ login: { login } }),
      prepared: () => this.#log.debug("a session is prepared for whoever comes next"),
      asking: () => this.send({ asking: {} }),
      approvals: {
        asked: (waiting) => this.send({ approvalAsked: askedMessage(waiting) }),
        ended: (ended) => this.send({ approvalEnded: endedMessage(ended) }),
      },
      browserGone: ({ reason, isHung: hung, isAttached: attached }) => {
        const report = () => {
          this.send({ browserGone: { reason, hung, attached } });
          this.#end(reason);
        };
        // A start that fails because of it answers its caller. The worker's end would overtake that answer.
        if (attached) void this.#role?.then(report, () => undefined);
        else report();
      },
    };
  }

  #unary<R>(name: string, run: (request: R) => Promise<object>) {
    return (call: ServerUnaryCall<R, object>, callback: Callback): void => {
      run(call.request).then(
        (reply) => callback(null, this.#redactor.all(reply)),
        (error) => callback(this.#status(name, error)),
      );
    };
  }

  #status(name: string, error: unknown): Partial<ServiceError> {
    const reportId = crypto.randomUUID();
    if (!isTroupeError(error)) this.#log.error({ reportId, rpc: name, err: error }, "unexpected error");
    const typed = isTroupeError(error) ? error : fail("INTERNAL", { reportId }, error);
    const call = {
      tool: "",
      arguments: {},
      profile: "core" as const,
      role: this.#name,
      session: "",
      tab: "",
    };
    return toStatus(this.#redactor.all(detailOf(typed, call, Date.now())));
  }

  #watch(call: Watcher): void {
    this.#watchers.add(call);
    const beat = () => this.send({ heartbeat: {} });
    const timer = setInterval(beat, HEARTBEAT_MS);
    call.on("cancelled", () => {
      clearInterval(timer);
      this.#watchers.delete(call);
      if (this.#watchers.size === 0) this.#end("the daemon is gone");
    });
    beat();
  }

  #sessionChanged(record: SessionRecord): void {
    this.send({ session: record });
  }

  #failureRecorded({ kind, reason, entry }: Recorded): void {
    this.#log.warn({ kind, reason, failure: Object.values(entry) }, "failure recorded");
    this.send({ failure: { kind, reason, entry } });
  }

  /**
   * Sends an event to the daemon. A session's storage is sent unchanged, because it comes back from the encrypted
   * session store.
   */
  send(event: Input<WatchWorkerResponse>): void {
    const said = event.storage ? event : this.#redactor.all(event);
    for (const watcher of this.#watchers) watcher.write(said);
  }
}
