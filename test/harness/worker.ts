// Runs a real worker process with its Chrome, and calls it over gRPC as the daemon does.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { PassThrough } from "node:stream";
import { Client, type ClientReadableStream, credentials, type ServiceError } from "@grpc/grpc-js";
import { requestOf } from "../../proto/calls/arguments.ts";
import type { ErrorDetail, ErrorType } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import type {
  FailureLog,
  Input,
  LookAtResponse,
  PageInfo,
  PrepareRestResponse,
  RestoreStorageRequest,
  RoleConfig,
  SessionRecord,
  SnapshotUpdate,
  StartResponse,
  WatchRequest,
  WatchWorkerResponse,
} from "../../proto/gen/troupe.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import { findTool, type Profile } from "../../proto/tools/read-tools.ts";
import { MAY_LACK, PROFILE, REQUEST_ID, ROLE, SESSION } from "../../proto/wire/metadata.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { type Site, serveSite } from "../site/serve.ts";
import { CALL_MS, type CallSettings, serverStream, unary, unaryBytes } from "./calls.ts";
import { Lines } from "./events/lines.ts";
import { shared } from "./shared.ts";
import { tempDir } from "./temp-dir.ts";

/** More events than a test leaves unread. */
const EVENTS_MAX = 10_000;
const MAIN = path.join(import.meta.dirname, "../../worker/main.ts");

/** A call's result: the reply's own fields, or the error with its text. */
export interface Outcome {
  text: string;
  page?: PageInfo;
  error?: ErrorDetail;
  [field: string]: unknown;
}

export interface CallOptions {
  deadlineMs?: number;
  signal?: AbortSignal;
  mayLack?: boolean;
  /** Default: core. */
  profile?: Profile;
}

export type RoleOptions = Input<RoleConfig> & { sessions?: Input<SessionRecord>[]; secrets?: string[] };

/** A session of a worker. Disposing of it ends it, with its tabs. */
export class WorkerSession implements AsyncDisposable {
  readonly id: string;
  readonly #worker: Worker;

  constructor(worker: Worker, id: string) {
    this.#worker = worker;
    this.id = id;
  }

  /** Calls a tool. An error is a valid outcome too. */
  call(tool: string, args: JsonObject = {}, options?: CallOptions): Promise<Outcome> {
    return this.#worker.call(tool, args, this.id, options);
  }

  /** Calls a tool that must succeed. */
  async do(tool: string, args: JsonObject = {}, options?: CallOptions): Promise<Outcome> {
    const outcome = await this.call(tool, args, options);
    assert.equal(outcome.error, undefined, `${tool} failed:\n${outcome.text}`);
    return outcome;
  }

  /** Calls a tool that must fail with this type. Returns the error with its text. */
  async refuse(
    type: ErrorType,
    tool: string,
    args: JsonObject = {},
    options?: CallOptions,
  ): Promise<ErrorDetail & { text: string }> {
    const { error, text } = await this.call(tool, args, options);
    assert.equal(error?.type, type, `${tool} replied:\n${text}`);
    assert.ok(error);
    return { ...error, text };
  }

  /** Opens an address and returns the text of the page. */
  async open(url: string): Promise<string> {
    return (await this.do("browser_navigate", { url })).text;
  }

  /** Returns the whole page as text. */
  async read(args: JsonObject = {}): Promise<string> {
    return (await this.do("browser_snapshot", { full: true, maxTokens: 0, ...args })).text;
  }

  /** Returns the updates of a tab, until the signal aborts. */
  watch(request: Input<WatchRequest>, options?: CallOptions): ClientReadableStream<SnapshotUpdate> {
    return this.#worker.watch(request, this.id, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.endSession(this.id);
  }
}

/** A running worker. */
export class Worker implements AsyncDisposable {
  readonly started: StartResponse;
  readonly pid: number;
  readonly #parts: Parts;
  #sessions = 0;

  constructor(parts: Parts, started: StartResponse) {
    this.#parts = parts;
    this.started = started;
    this.pid = parts.child.pid ?? 0;
  }

  /** Unexpected errors in the worker's log. A test run must leave this empty. */
  get unexpected(): string[] {
    return this.#parts.log.all.filter((line) => /"level":50|^[^{]/.test(line));
  }

  /** Returns a session that no other test uses. */
  session(id = `s${++this.#sessions}`): WorkerSession {
    return new WorkerSession(this, id);
  }

  async call(tool: string, args: JsonObject, session: string, options: CallOptions = {}): Promise<Outcome> {
    const found = findTool(tool);
    assert.ok(found, `there is no tool ${tool}`);
    try {
      const request = requestOf(found, args);
      const settings = settingsOf(session, { deadlineMs: CALL_MS, ...options });
      return found.streams
        ? await whole(serverStream(this.#client, `Browser.${found.rpc}`, request, settings))
        : await unary<Outcome>(this.#client, `Browser.${found.rpc}`, request, settings);
    } catch (error) {
      const detail = fromStatus(error as ServiceError);
      if (!detail) throw error;
      return { error: detail, text: planText(detail) };
    }
  }

  /** Returns what a session's tab shows, as it comes. */
  watch(
    request: Input<WatchRequest>,
    session: string,
    options?: CallOptions,
  ): ClientReadableStream<SnapshotUpdate> {
    return serverStream(this.#client, "Browser.Watch", request, settingsOf(session, options));
  }

  /** Sends raw bytes. Rejects with the gRPC error. */
  raw(rpc: string, bytes: Buffer, session: string): Promise<Buffer> {
    return unaryBytes(this.#client, `Browser.${rpc}`, bytes, settingsOf(session));
  }

  async failures(): Promise<FailureLog> {
    return (await this.ask<{ failures: FailureLog }>("ReadFailures")).failures;
  }

  /** Makes a session report its storage. Returns if it did, and what hibernation would lose. */
  async prepareRest(key: string, sparing = true): Promise<PrepareRestResponse> {
    return await this.ask("PrepareRest", { key, sparing });
  }

  async restoreStorage(request: Input<RestoreStorageRequest>): Promise<void> {
    await this.ask("RestoreStorage", request);
  }

  /** Returns the picture that an operator gets of the session, or none. */
  async picture(key: string): Promise<Buffer> {
    const { image } = await this.ask<LookAtResponse>("LookAt", { key, tab: "", picture: true });
    return Buffer.from(image);
  }

  async endSession(key: string): Promise<void> {
    await this.ask("EndSession", { key });
  }

  async collectGarbage(): Promise<void> {
    await this.ask("CollectGarbage");
  }

  /** Closes the tab that costs least, and returns its address. */
  async closeLargestTab(sparing = false): Promise<string> {
    const request = { reason: "the role holds too much", sparing };
    return (await this.ask<{ url: string }>("CloseLargestTab", request)).url;
  }

  /** Resolves when the failure log has an incident of this kind with these words. */
  async recorded(kind: string, words: string): Promise<void> {
    const isIt = (incident: { kind: string; error: string }) =>
      incident.kind === kind && incident.error.includes(words);
    const isThere = async () => (await this.failures()).incidents.some(isIt);
    await this.#parts.log.after(isThere, `an incident ${kind} with ${words}`, CALL_MS);
  }

  /** Returns the worker's events from now on, until the signal aborts. `keeps`: answers as a daemon that keeps all. */
  events(signal: AbortSignal, { keeps = true } = {}): AsyncIterable<WatchWorkerResponse> {
    const call = serverStream<WatchWorkerResponse>(this.#client, "Worker.WatchWorker", {}, { signal });
    const events = new PassThrough({ objectMode: true, highWaterMark: EVENTS_MAX });
    // The test itself ends the call.
    events.on("error", () => undefined);
    call.on("error", (error) => events.destroy(error));
    // A test that reads its events late does not hold the worker up.
    if (keeps) call.on("data", (event: WatchWorkerResponse) => this.#confirm(event));
    return call.pipe(events);
  }

  /** Answers the worker's questions for credentials as a daemon does, as long as the worker runs. */
  givesCredentials(valueOf: (name: string) => string | undefined): void {
    const call = serverStream<WatchWorkerResponse>(this.#client, "Worker.WatchWorker", {}, {});
    // It ends with the worker.
    call.on("error", () => undefined);
    call.on("data", (event: WatchWorkerResponse) => {
      this.#confirm(event);
      const { credentialAsked: asked } = event;
      if (!asked) return;
      const value = valueOf(asked.name);
      const found = value === undefined ? { problem: "is not there" } : { value };
      void this.ask("GiveCredential", { id: asked.id, ...found });
    });
  }

  /** Confirms what the worker asks its daemon to keep. */
  #confirm({ keepAsked }: WatchWorkerResponse): void {
    if (keepAsked) void this.ask("ConfirmKept", { id: keepAsked.id });
  }

  /** Resolves to the exit code of the process. */
  exited(): Promise<number | null> {
    return this.#parts.exited;
  }

  get #client(): Client {
    return this.#parts.client;
  }

  /** Asks the worker as its daemon does. */
  ask<R>(rpc: string, request: object = {}): Promise<R> {
    return unary(this.#client, `Worker.${rpc}`, request);
  }

  /** Ends the worker. Throws if it had died before, or if it logged an unexpected error. */
  async [Symbol.asyncDispose](): Promise<void> {
    const early = this.#parts.child.exitCode;
    await end(this.#parts);
    assert.equal(early, null, "the worker died before it was ended");
    assert.deepEqual(this.unexpected, []);
  }
}

/** Starts a worker with a role of its own. Rejects with the gRPC error of a role that does not start. */
export async function startWorker({
  sessions = [],
  secrets = [],
  ...role
}: RoleOptions = {}): Promise<Worker> {
  const parts = await spawnWorker();
  try {
    const started = await unary<StartResponse>(parts.client, "Worker.Start", {
      role: { name: "tester", isolation: "session", browser: { headless: true, sandbox: "auto" }, ...role },
      sessions,
      secrets,
    });
    return new Worker(parts, started);
  } catch (error) {
    await end(parts);
    throw error;
  }
}

/** Starts a worker and a site for all tests of a file, and closes them afterwards. */
export async function stage(role?: RoleOptions): Promise<{ worker: Worker; site: Site }> {
  const [worker, site] = await Promise.all([startWorker(role), serveSite()]);
  // The site is opened first, so that it is closed when no page has a connection to it any more.
  return { site: shared(site), worker: shared(worker) };
}

/** Returns the ref in the first line with the words. Quoted text belongs to the page and shows no ref. */
export function refOf(text: string, words: string): string {
  const lines = text.split("\n").filter((line) => line.includes(words));
  const refs = lines.map(
    (line) => /\[ref=((?:f\d+_)?e\d+)\]/.exec(line.replace(/"(?:[^"\\]|\\.)*"/g, ""))?.[1],
  );
  const ref = refs.find(Boolean);
  assert.ok(ref, `no ref for ${words} in:\n${text}`);
  return ref;
}

interface Parts {
  child: ChildProcess;
  client: Client;
  temp: Disposable;
  exited: Promise<number | null>;
  log: Lines;
}

async function spawnWorker(): Promise<Parts> {
  const temp = tempDir();
  const socket = path.join(temp.dir, "w.sock");
  const child = spawn(process.execPath, [MAIN, "--role", "tester", "--socket", socket], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, TROUPE_LOG_LEVEL: "warn" },
  });
  const { promise: exited, resolve } = Promise.withResolvers<number | null>();
  child.once("exit", (code) => resolve(code));
  const log = new Lines();
  if (child.stderr) log.read(child.stderr);
  const listening = Promise.withResolvers<void>();
  child.stdout?.on("data", () => listening.resolve());
  await Promise.race([listening.promise, exited]);
  if (child.exitCode !== null) {
    temp[Symbol.dispose]();
    assert.fail(`the worker ended before it listened:\n${log.all.join("\n")}`);
  }
  const client = new Client(`unix:${socket}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": 64 * 1024 * 1024,
    "grpc.max_send_message_length": 64 * 1024 * 1024,
  });
  return { child, client, temp, exited, log };
}

async function end({ child, client, temp, exited }: Parts): Promise<void> {
  client.close();
  child.kill("SIGTERM");
  await exited;
  temp[Symbol.dispose]();
}

function settingsOf(session: string, { mayLack = false, profile, ...rest }: CallOptions = {}): CallSettings {
  return {
    headers: {
      [SESSION]: session,
      [ROLE]: "tester",
      [REQUEST_ID]: `${session}-request`,
      [MAY_LACK]: mayLack ? "1" : undefined,
      [PROFILE]: profile,
    },
    ...rest,
  };
}

/** Resolves with the whole reply of a streaming tool. */
async function whole(parts: AsyncIterable<{ header?: object; chunk?: string }>): Promise<Outcome> {
  let outcome: Outcome = { text: "" };
  for await (const { header, chunk = "" } of parts)
    outcome = { ...outcome, ...header, text: outcome.text + chunk };
  return outcome;
}
