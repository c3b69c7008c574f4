// The gRPC edge of the tools: from bytes and metadata to a tool's call, and from its outcome to a reply or a status.
import type {
  Deadline,
  Metadata,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceError,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { argumentsOf, checkRequest } from "../../proto/arguments.ts";
import { detailOf, fail, isTroupeError } from "../../proto/errors.ts";
import type { PageInfo, WatchRequest } from "../../proto/gen/troupe.ts";
import { PROFILE, REQUEST_ID, ROLE, ROLE_GIVEN, SESSION, SESSION_KEY } from "../../proto/metadata.ts";
import { decode, encode } from "../../proto/schema.ts";
import { toStatus } from "../../proto/status.ts";
import { profileNamed, rpcs, type Tool } from "../../proto/tools.ts";
import { finish, giveUpAtTimeout } from "../act/navigation.ts";
import { markOf } from "../act/settle.ts";
import { deliver, pageInfo } from "../look/reply.ts";
import { watch } from "../look/watch.ts";
import type { Role } from "../session/role.ts";
import type { Session } from "../session/session.ts";
import { isGone } from "../tab/gone.ts";
import { Page } from "../tab/page.ts";
import type { Threads } from "../threads/threads.ts";
import { toolHandlers } from "../tools/all.ts";
import { CALL_MS_DEFAULT, type Call, CallOver, duringCall } from "./call.ts";
import type { Logger } from "./log.ts";
import type { SnapshotReply, ToolContext, ToolHandler, WorkerTool } from "./tool.ts";

/** Longer than this, Node's timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** What is left for the answer itself: the deadline's own error comes before the deadline, also on a busy machine. */
const ANSWER_MS = { least: 250, most: 1_000, share: 0.1 };
/** Parts of a snapshot are at most 64 KiB; a UTF-16 unit takes at most three bytes, in plain ASCII one. */
const CHUNK_LENGTH = { ascii: 64_000, any: 21_000 };

/** What the service needs of its worker. */
export interface ServiceContext {
  /** The role; throws WORKER_UNAVAILABLE before it is started. */
  role(): Role;
  /** False once the role's browser has died. */
  browserLives(): boolean;
  threads: Threads;
  log: Logger;
}

/** What unary and streaming calls have in common. */
interface GrpcCall {
  request: Buffer;
  metadata: Metadata;
  getDeadline(): Deadline;
  on(event: "cancelled", listener: () => void): unknown;
  off(event: "cancelled", listener: () => void): unknown;
}
type AnyReply = { text: string; shown?: Page | undefined; image?: Buffer };

/** `troupe.v1.Browser` over bytes: decoding is done here, so that malformed messages get a typed error too. */
export function browserService(service: ServiceContext): UntypedServiceImplementation {
  const served = rpcs.filter(({ answeredByDaemon }) => !answeredByDaemon);
  return Object.fromEntries(served.map((tool) => [tool.rpc, handlerOf(tool)(tool, service)]));
}

function handlerOf({ watches, streams }: Tool) {
  if (watches) return watching;
  return streams ? streaming : unary;
}

function unary(tool: Tool, service: ServiceContext) {
  return (
    call: ServerUnaryCall<Buffer, Buffer>,
    callback: (error: Partial<ServiceError> | null, reply?: Buffer) => void,
  ): void => {
    answer(tool, call, service, async (request, context) => {
      const { reply, page } = await run(tool, request, context);
      return encode(tool.response, { ...reply, page });
    }).then(
      (bytes) => callback(null, bytes),
      (status: Partial<ServiceError>) => callback(status),
    );
  };
}

function streaming(tool: Tool, service: ServiceContext) {
  return (call: ServerWritableStream<Buffer, Buffer>): void => {
    answer(tool, call, service, async (request, context) => partsOf(tool, await run(tool, request, context)))
      .then((parts) => send(call, parts))
      .catch((status: Partial<ServiceError>) => call.emit("error", status));
  };
}

function watching(tool: Tool, service: ServiceContext) {
  return (call: ServerWritableStream<Buffer, Buffer>): void => {
    answer(tool, call, service, async (request, { call: own, page }) =>
      watch((await page()).tab, own, request as WatchRequest, async (update) => {
        if (!call.write(encode(tool.response, update))) await drained(call);
      }),
    ).catch((status: Partial<ServiceError>) => call.emit("error", status));
  };
}

interface Answered {
  reply: AnyReply;
  page: PageInfo | null;
}

/** A snapshot's messages: the header, then the text in parts. */
function partsOf(tool: Tool, { reply, page }: Answered): Buffer[] {
  const { text, elementCount, kind } = reply as SnapshotReply;
  const header = { page, elementCount, kind, textLength: text.length };
  const parts: object[] = [{ header }, ...[...chunksOf(text)].map((chunk) => ({ chunk }))];
  return parts.map((part) => encode(tool.response, part));
}

/** Carries a call out from its bytes to its end. Rejects with the status to send. */
async function answer<T>(
  tool: Tool,
  grpcCall: GrpcCall,
  service: ServiceContext,
  carry: (request: object, context: CallContext) => Promise<T>,
): Promise<T> {
  const call = callOf(tool, grpcCall);
  const controller = new AbortController();
  call.signal = controller.signal;
  const onCancel = () =>
    controller.abort(fail("CANCELLED", { reason: "the client cancelled it or went away" }));
  grpcCall.on("cancelled", onCancel);
  const timeMs = Math.min(TIMER_MS_MAX, Math.max(0, call.deadline - Date.now()));
  const timer = setTimeout(
    () => controller.abort(fail("TIMEOUT", { waitedFor: call.waitsFor, afterMs: timeMs })),
    timeMs,
  );
  try {
    const request = decodeRequest(tool, grpcCall.request);
    call.arguments = argumentsOf(tool, request);
    call.tab = typeof request.tab === "string" ? request.tab : "";
    checkRequest(tool, request);
    return await duringCall(
      call,
      inSession(call, service).then((context) => carry(request, context)),
    );
  } catch (error) {
    throw toStatus(detailOf(typed(error, call, service), call, Date.now()));
  } finally {
    clearTimeout(timer);
    controller.abort(new CallOver("the call has been answered"));
    grpcCall.off("cancelled", onCancel);
  }
}

/** What tools work with, and the page that they opened. */
interface CallContext extends ToolContext {
  opened: Page | undefined;
}

async function inSession(call: Call, { role: roleOf, threads }: ServiceContext): Promise<CallContext> {
  const role = roleOf();
  const session = await duringCall(call, role.session(call.sessionKey));
  const context: CallContext = {
    call,
    role,
    session,
    threads,
    opened: undefined,
    page: async (options) => {
      context.opened = await openPage(session, call, options);
      return context.opened;
    },
  };
  return context;
}

/** Runs the tool, in its turn. */
async function run(tool: Tool, request: object, context: CallContext): Promise<Answered> {
  const { call, session } = context;
  const handler = toolHandlers[tool.rpc as WorkerTool] as ToolHandler<WorkerTool>;
  const work = async () => {
    const reply = (await handler(request as never, context)) as AnyReply;
    const page = reply.shown ?? context.opened ?? pageShown(session, call);
    delete reply.shown;
    // Nothing is told for a call that has ended: its session was told the error.
    call.signal.throwIfAborted();
    reply.text = [reply.text, ...session.announce(page?.tab)].join("\n");
    if (page) deliver(page, reply.text);
    return { reply, page: page ? pageInfo(page) : null };
  };
  call.waitsFor = "the session's turn";
  return tool.control ? await work() : await session.turns.take(call.signal, work);
}

/** The call's tab; where it was just opened, or a dialog held up its navigation, its page is loaded first. */
async function openPage(session: Session, call: Call, options?: { blank?: boolean }): Promise<Page> {
  call.waitsFor = "the tab to open";
  const tab = await duringCall(call, call.tab ? session.tabNamed(call.tab) : session.currentTab(options));
  call.tab = tab.id;
  if (tab.dialog) throw tab.dialogError();
  const page = new Page(tab, call);
  giveUpAtTimeout(page);
  if (tab.heldNavigation && !options?.blank) await finish(page, markOf(page));
  return page;
}

function pageShown(session: Session, call: Call): Page | undefined {
  const tab = session.openCurrentTab(call.tab || undefined);
  return tab && new Page(tab, call);
}

function callOf(tool: Tool, grpcCall: GrpcCall): Call {
  const header = (name: string) => String(grpcCall.metadata.get(name)[0] ?? "");
  const now = Date.now();
  const given = Number(grpcCall.getDeadline());
  const timeMs = Number.isFinite(given) ? Math.round(given - now) : CALL_MS_DEFAULT;
  const session = header(SESSION);
  return {
    tool: tool.name,
    arguments: {},
    profile: profileNamed(header(PROFILE)) ?? "core",
    role: header(ROLE),
    ownRole: header(ROLE_GIVEN) !== "",
    session,
    sessionKey: header(SESSION_KEY) || session,
    tab: "",
    requestId: header(REQUEST_ID),
    signal: new AbortController().signal,
    deadline: now + timeMs - answerMs(timeMs),
    waitsFor: "its turn",
  };
}

function answerMs(timeMs: number): number {
  return Math.min(ANSWER_MS.most, Math.max(ANSWER_MS.least, Math.round(timeMs * ANSWER_MS.share)));
}

function decodeRequest(tool: Tool, bytes: Buffer): Record<string, unknown> {
  try {
    return decode<Record<string, unknown>>(tool.request, bytes);
  } catch (error) {
    throw fail(
      "INVALID_ARGUMENT",
      { argument: "request", problem: `the request is no ${tool.request.name} message` },
      error,
    );
  }
}

/** What a call seems to fail with when the browser dies under it. */
const SYMPTOMS: ReadonlySet<string> = new Set(["FRAME_DETACHED", "UNKNOWN_TAB", "NAVIGATION_FAILED"]);

/** What nobody foresaw becomes INTERNAL; its stack goes to the log, under the report's id. */
function typed(error: unknown, call: Call, { browserLives, log }: ServiceContext) {
  const isSymptom = isTroupeError(error) ? SYMPTOMS.has(error.type) : true;
  if (isSymptom && !browserLives()) {
    const reason = "the browser's process ended";
    return fail("BROWSER_CRASHED", { role: call.role, reason, effect: "unknown" }, error);
  }
  if (isTroupeError(error)) return error;
  if (isGone(error))
    return fail("FRAME_DETACHED", { frame: "main", reason: "the page was replaced meanwhile" }, error);
  const reportId = call.requestId || crypto.randomUUID();
  log.error({ reportId, tool: call.tool, requestId: call.requestId, err: error }, "unexpected error");
  return fail("INTERNAL", { reportId }, error);
}

function* chunksOf(text: string): Generator<string> {
  const length = Buffer.byteLength(text) === text.length ? CHUNK_LENGTH.ascii : CHUNK_LENGTH.any;
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + length);
    // A pair of surrogates stays together: halves would not survive UTF-8.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield text.slice(at, end);
    at = end;
  }
}

/** Writes as fast as the client reads; one that has gone needs no more. */
async function send(call: ServerWritableStream<Buffer, Buffer>, parts: readonly Buffer[]): Promise<void> {
  for (const part of parts) {
    if (call.cancelled) return;
    if (!call.write(part)) await drained(call);
  }
  call.end();
}

async function drained(call: ServerWritableStream<Buffer, Buffer>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  call.once("drain", resolve);
  call.once("cancelled", resolve);
  if (call.cancelled) resolve();
  await promise;
  call.off("drain", resolve);
  call.off("cancelled", resolve);
}
