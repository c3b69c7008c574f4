// Serves `troupe.v1.Browser`. An rpc replies with one message, with parts, or with a stream that lasts until the client
// leaves.
import {
  Metadata,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { PageInfo, WatchRequest } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { onlyReads, rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import { noteMoment } from "../../proto/tracing/spans.ts";
import { type ElementMark, markOf, markText } from "../../proto/wire/element-mark.ts";
import { ELEMENT } from "../../proto/wire/metadata.ts";
import { encode } from "../../proto/wire/schema.ts";
import type { Call } from "../core/call.ts";
import { evidenced } from "../evidence/evidenced.ts";
import type { Session } from "../session/session.ts";
import { newTabLines } from "../snapshot/new-tabs.ts";
import { deliver, pageInfo } from "../snapshot/reply.ts";
import { watch } from "../snapshot/watch.ts";
import { Page } from "../tab/page.ts";
import { toolHandlers } from "../tools/all.ts";
import type { AnyHandler, SnapshotReply } from "../tools/tool.ts";
import { withApprovals } from "./after-approval.ts";
import { sincePerson } from "./after-person.ts";
import { answer, type ServiceContext } from "./answer.ts";
import { type CallContext, tabOf } from "./call-context.ts";
import { checkLogin, type Replied } from "./expired-login.ts";
import { noteInput, reportingLoss } from "./lost-pages.ts";
import { checkLooking } from "./read-only.ts";
import { recorded } from "./record.ts";
import { receiving, sending } from "./transfers.ts";
import { withPlaces } from "./where-delivered.ts";

/** The most UTF-16 units in a part. A part is at most 64 KiB; a unit takes up to three bytes, in plain ASCII one. */
const CHUNK_LENGTH = { ascii: 64_000, any: 21_000 };

/** The first line of the first reply after a session's hibernation. */
const RESTED = "Restored after rest: typed text and scroll position are gone.";

/** The storage that was kept when the page was about to be read counts as the newest for so long. */
const KEPT_FOR_MS = 100;

type AnyReply = Replied & { text: string; shown?: Page | undefined; image?: Buffer };

/**
 * Serves `troupe.v1.Browser` over raw bytes. Requests are decoded here, so that malformed messages get a typed error
 * too.
 */
export function browserService(service: ServiceContext): UntypedServiceImplementation {
  const served = rpcs().filter(({ answeredByDaemon }) => !answeredByDaemon);
  return Object.fromEntries(served.map((tool) => [tool.rpc, handlerOf(tool)(tool, service)]));
}

function handlerOf({ watches, transfers, takesStream, streams }: Tool) {
  if (watches) return watching;
  if (transfers) return takesStream ? receiving : sending;
  return streams ? streaming : unary;
}

function unary(tool: Tool, service: ServiceContext) {
  return (
    call: ServerUnaryCall<Buffer, Buffer>,
    callback: (error: Partial<ServiceError> | null, reply?: Buffer) => void,
  ): void => {
    answer(tool, call, service, async (request, context) => {
      const { reply, page, element } = await runRecorded(tool, request, context, service);
      const { session } = context;
      return { bytes: encode(tool.response, session.redactor.all({ ...reply, page })), element, session };
    }).then(
      ({ bytes, element, session }) => {
        sendElement(call, element);
        callback(null, bytes);
        noteSoon(session);
      },
      (status: Partial<ServiceError>) => callback(status),
    );
  };
}

function streaming(tool: Tool, service: ServiceContext) {
  return (call: ServerWritableStream<Buffer, Buffer>): void => {
    answer(tool, call, service, async (request, context) => {
      const { reply, page, element } = await runRecorded(tool, request, context, service);
      const { session } = context;
      return { parts: partsOf(tool, session.redactor.all({ ...reply, page })), element, session };
    })
      .then(async ({ parts, element, session }) => {
        sendElement(call, element);
        await send(call, parts);
        noteSoon(session);
      })
      .catch((status: Partial<ServiceError>) => call.emit("error", status));
  };
}

function watching(tool: Tool, service: ServiceContext) {
  return (call: ServerWritableStream<Buffer, Buffer>): void => {
    answer(tool, call, service, async (request, { call: own, session }) => {
      // A watcher would see a person's text as it is typed.
      const { turns } = session;
      turns.checkFree();
      const { untilPerson } = turns;
      const tab = await tabOf(session, own);
      const watching = watch(tab, own, request as WatchRequest, async (update) => {
        if (!call.write(encode(tool.response, session.redactor.all(update)))) await drained(call);
      });
      return await within({ signal: untilPerson }, watching);
    }).catch((status: Partial<ServiceError>) => call.emit("error", status));
  };
}

interface Answered {
  reply: AnyReply;
  page: PageInfo | null;
  /** The element that the call acted on, if there was one. */
  element: ElementMark | undefined;
}

/** Returns a snapshot's messages: the header, then the text in parts. */
function partsOf(tool: Tool, reply: AnyReply & Pick<Answered, "page">): Buffer[] {
  const { text, elementCount, kind, page } = reply as unknown as SnapshotReply;
  const header = { page, elementCount, kind, textLength: text.length };
  const parts: object[] = [{ header }, ...[...chunksOf(text)].map((chunk) => ({ chunk }))];
  return parts.map((part) => encode(tool.response, part));
}

/** Runs the tool, and keeps evidence of a call that is recorded. */
async function runRecorded(
  tool: Tool,
  request: object,
  context: CallContext,
  service: ServiceContext,
): Promise<Answered> {
  const { call, session, role } = context;
  const of = { tool, call, session, masks: role.config.mask, report: service.evidence };
  return await evidenced(
    of,
    () => run(tool, request, context),
    ({ reply }) => reply,
  );
}

/** Runs the tool when it is the session's turn. */
async function run(tool: Tool, request: object, context: CallContext): Promise<Answered> {
  const { call, session } = context;
  const handler = toolHandlers.get(tool.rpc) as AnyHandler;
  const changes = !onlyReads(tool, call.arguments);
  const { kept } = session.context;
  const keep = () => Promise.all([kept.reported(), noteInput(session, context.opened)]);
  let keeping: { done: ReturnType<typeof keep>; sinceMs: number } | undefined;
  const keepMeanwhile = () => {
    keeping = { done: keep(), sinceMs: performance.now() };
    // The call's end meets the failure.
    keeping.done.catch(() => undefined);
  };
  // A page that took long to read may have stored more since.
  const keptSince = () =>
    keeping && performance.now() - keeping.sinceMs <= KEPT_FOR_MS ? keeping.done : keep();
  context.role.secrets.checkNames(tool, request as Record<string, unknown>);
  const work = async () => {
    noteMoment("the session's turn");
    const visit = await sincePerson(context, tool);
    if (changes) call.beforeReading = keepMeanwhile;
    const handle = () =>
      recorded(tool, context, async () => {
        await checkLooking(tool, context);
        return (await handler(request as never, context)) as AnyReply;
      });
    const reply = await reportingLoss(session, call, () => withApprovals(tool, context, handle));
    const page = reply.shown ?? context.opened ?? pageShown(session, call);
    delete reply.shown;
    if (page && !tool.control) await checkLogin(context, page, tool, reply);
    // A call that has ended delivers nothing: its client already received the error.
    call.signal.throwIfAborted();
    const fresh = newTabLines(session.tabs.takeUnannounced(page?.tab), session.tabs.currentId, call.profile);
    const rested = takeRested(session);
    reply.text = [...rested, ...visit.lines, reply.text, ...fresh].join("\n");
    visit.delivered();
    if (page) deliverReply(session, page, reply.text);
    return { reply, page: page ? pageInfo(page) : null, element: elementOf(reply, context) };
  };
  if (call.mayLack) for (const { delivered } of session.tabs.open) delivered.mayLack();
  call.waitsFor = "the session's turn";
  const over = kept.begin();
  try {
    if (tool.control) {
      if (acts(tool)) session.turns.checkFree();
      return await work();
    }
    return await session.turns.take(call.signal, () => orUndelivered(context, work));
  } catch (error) {
    keeping = undefined;
    throw afterRest(error, context);
  } finally {
    over();
    if (changes && !call.signal.aborted) await keptSince();
  }
}

/** A person who is at work answers dialogs alone, and no call pauses the page meanwhile. */
function acts({ readOnly, room }: Tool): boolean {
  return !readOnly && room !== "files";
}

/** Returns the line that reports the session's rest, once. */
function takeRested(session: Session): string[] {
  return session.rest.takeUnreported() ? [RESTED] : [];
}

/** Returns the error, which reports the session's rest if no answer has done so yet. */
function afterRest(error: unknown, { session, call }: CallContext): unknown {
  if (!isTroupeError(error) || call.signal.aborted) return error;
  const [restored] = takeRested(session);
  return restored === undefined ? error : fail(error.type, { ...error.data, restored } as never, error);
}

function deliverReply(session: Session, page: Page, text: string): void {
  deliver(page, text);
  if (text.includes("[ref=")) session.lines.delivered(page.tab);
}

/**
 * A failed call delivers nothing that it read from pages. Its plan sends the client to its own page, which is then
 * shown whole.
 */
async function orUndelivered<T>({ session, call }: CallContext, work: () => Promise<T>): Promise<T> {
  const snapshots = new Map(session.tabs.open.map((tab) => [tab, tab.delivered.snapshot]));
  const namesTab = call.tab !== "";
  try {
    return await work();
  } catch (error) {
    const own = session.tabs.get(call.tab || undefined);
    for (const tab of session.tabs.open) {
      const snapshot = snapshots.get(tab);
      if (tab === own || tab.delivered.snapshot !== snapshot) tab.delivered.lose(snapshot);
    }
    throw namesTab ? error : withPlaces(error, session, call.tab);
  }
}

/** Describes the element as the reply names it, or else as it was delivered with its ref. */
function elementOf({ element }: AnyReply, { opened }: CallContext): ElementMark | undefined {
  if (element) return markOf(element);
  const ref = opened?.located;
  return ref && markOf({ ref: ref.whole, ...opened?.tab.delivered.elementOf(ref) });
}

/** Sends the element's mark to the daemon's call observer. The mark holds nothing of the page's content. */
function sendElement(
  call: { sendMetadata(headers: Metadata): void },
  element: ElementMark | undefined,
): void {
  if (!element) return;
  const headers = new Metadata();
  headers.set(ELEMENT, markText(element));
  call.sendMetadata(headers);
}

/** Notes the refs of replies once these are on their way. A call that needs them earlier notes them itself. */
function noteSoon({ tabs }: Session): void {
  setImmediate(() => {
    for (const { delivered } of tabs.open) delivered.noteRefs();
  });
}

function pageShown(session: Session, call: Call): Page | undefined {
  const tab = session.tabs.get(call.tab || undefined);
  return tab && new Page(tab, call);
}

function* chunksOf(text: string): Generator<string> {
  const length = Buffer.byteLength(text) === text.length ? CHUNK_LENGTH.ascii : CHUNK_LENGTH.any;
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + length);
    // A surrogate pair stays together: its halves would not survive UTF-8.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield text.slice(at, end);
    at = end;
  }
}

/** Writes as fast as the client reads, and stops if the client has gone. */
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
