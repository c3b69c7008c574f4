// Passes a call's bytes on and the reply's bytes back, undecoded, with deadline and cancellation.
import {
  type Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  Metadata,
} from "@grpc/grpc-js";
import { within } from "../../proto/machine/within.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { currentParent } from "../../proto/tracing/spans.ts";
import { markFrom } from "../../proto/wire/element-mark.ts";
import {
  ELEMENT,
  EVIDENCE,
  MAX_TOKENS,
  MAY_LACK,
  NAMED_SESSION,
  PROFILE,
  REQUEST_ID,
  ROLE,
  ROLE_GIVEN,
  SESSION,
  SESSION_KEY,
  TRACEPARENT,
} from "../../proto/wire/metadata.ts";
import type { Worker } from "../worker-process/worker.ts";
import type { AdmittedCall, InFlightCall } from "./in-flight-call.ts";

/** Takes a stream's messages. `write` returns false if it wants no more before "drain". */
export interface Sink {
  write(message: Buffer): boolean;
  once(event: "drain", listener: () => void): unknown;
}

/** A call on its way to a worker or to another daemon. */
export interface Outgoing {
  client: Client;
  path: string;
  request: Buffer;
  metadata: Metadata;
  options: { deadline?: number };
  /** Ends the call with the signal's reason. */
  signal: AbortSignal;
  /** Receives the metadata that comes before the reply. */
  headers(headers: Metadata): void;
  /** The metadata comes before the reply is made. A receiver without it has not begun the call. */
  greetsFirst?: boolean;
}

const same = (bytes: Buffer) => bytes;

/**
 * Resolves with the reply, before its status has come. Rejects with the call's ServiceError, or with the reason of its
 * abort.
 */
export function forwardUnary(out: Outgoing): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const { client, path, request, metadata, options } = out;
  const answered = (bytes: Buffer) => {
    resolve(bytes);
    return bytes;
  };
  const call: ClientUnaryCall = client.makeUnaryRequest(
    path,
    same,
    answered,
    request,
    metadata,
    options,
    (error) => void (error && reject(error)),
  );
  call.on("metadata", out.headers);
  return within({ signal: out.signal, gaveUp: () => call.cancel() }, promise);
}

/** Passes a stream on, no faster than the client takes it. `see` gets each message. Resolves at the end. */
export function forwardStream(out: Outgoing, to: Sink, see: (message: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { client, path, request, metadata, options } = out;
  const call: ClientReadableStream<Buffer> = client.makeServerStreamRequest(
    path,
    same,
    same,
    request,
    metadata,
    options,
  );
  call.on("metadata", out.headers);
  call.on("data", (bytes: Buffer) => {
    const goesOn = to.write(bytes);
    see(bytes);
    if (goesOn) return;
    call.pause();
    to.once("drain", () => call.resume());
  });
  call.on("end", resolve);
  call.on("error", reject);
  return within({ signal: out.signal, gaveUp: () => call.cancel() }, promise);
}

/** Passes a client's parts on, no faster than they are taken. Resolves with the reply. */
export async function forwardUpload(out: Outgoing, parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const { client, path, metadata, options } = out;
  const call: ClientWritableStream<Buffer> = client.makeClientStreamRequest(
    path,
    same,
    same,
    metadata,
    options,
    (error, bytes) => (error ? reject(error) : resolve(bytes ?? Buffer.alloc(0))),
  );
  call.on("metadata", out.headers);
  const greeted = new Promise<void>((go) => void call.once("metadata", () => go()));
  const pump = async () => {
    if (out.greetsFirst) await Promise.race([greeted, promise]);
    for await (const part of parts) {
      if (call.write(part)) continue;
      const drained = new Promise<void>((go) => void call.once("drain", go));
      await Promise.race([drained, promise]);
    }
    call.end();
  };
  // A receiver that refuses the file early ends the wait for its rest.
  const replied = Promise.race([promise, pump().then(() => promise)]);
  return await within(
    { signal: out.signal, gaveUp: () => call.cancel() },
    replied.finally(() => call.cancel()),
  );
}

/** Returns the call as it goes to the session's worker. */
export function toWorker(worker: Worker, under: AdmittedCall): Outgoing {
  return {
    client: worker.link.client,
    path: pathOf(under.tool),
    request: under.call.request,
    metadata: metadataFor(under),
    // grpc-js takes a date, and computes the remaining time from it.
    options: { deadline: Date.now() + under.leftMs() },
    signal: under.abort.signal,
    headers: (headers) => noteElement(under, headers),
  };
}

export function pathOf({ rpc }: Tool): string {
  return `/troupe.v1.Browser/${rpc}`;
}

/** The element goes into the records only, not to the client. */
function noteElement(under: InFlightCall, headers: Metadata): void {
  const [mark] = headers.get(ELEMENT);
  if (typeof mark === "string") under.element = markFrom(mark);
}

function metadataFor({ caller, role, requestId, mayLack, evidence }: AdmittedCall): Metadata {
  const metadata = new Metadata();
  metadata.set(SESSION, caller.session);
  metadata.set(SESSION_KEY, caller.key);
  if (caller.name !== undefined) metadata.set(NAMED_SESSION, caller.name);
  metadata.set(ROLE, role);
  if (caller.role !== undefined) metadata.set(ROLE_GIVEN, "1");
  if (mayLack) metadata.set(MAY_LACK, "1");
  metadata.set(PROFILE, caller.profile);
  if (caller.maxTokens !== undefined) metadata.set(MAX_TOKENS, String(caller.maxTokens));
  metadata.set(REQUEST_ID, requestId);
  if (evidence !== undefined) metadata.set(EVIDENCE, evidence);
  const parent = currentParent();
  if (parent !== undefined) metadata.set(TRACEPARENT, parent);
  return metadata;
}
