// Passes a call's bytes to a worker and the reply's bytes back, undecoded, with deadline and cancellation.
import {
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  Metadata,
} from "@grpc/grpc-js";
import { within } from "../../proto/machine/within.ts";
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

const same = (bytes: Buffer) => bytes;

/** Resolves with the worker's reply. Rejects with the call's ServiceError, or with the reason of its abort. */
export function forwardUnary(worker: Worker, under: AdmittedCall): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const out: ClientUnaryCall = worker.link.client.makeUnaryRequest(
    pathOf(under),
    same,
    same,
    under.call.request,
    metadataFor(under),
    optionsOf(under),
    (error, bytes) => (error ? reject(error) : resolve(bytes ?? Buffer.alloc(0))),
  );
  out.on("metadata", (headers: Metadata) => noteElement(under, headers));
  return within({ signal: under.abort.signal, gaveUp: () => out.cancel() }, promise);
}

/** Passes a worker's stream on, no faster than the client takes it. `see` gets each message. Resolves at the end. */
export function forwardStream(
  worker: Worker,
  under: AdmittedCall,
  to: Sink,
  see: (message: Buffer) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const out: ClientReadableStream<Buffer> = worker.link.client.makeServerStreamRequest(
    pathOf(under),
    same,
    same,
    under.call.request,
    metadataFor(under),
    optionsOf(under),
  );
  out.on("metadata", (headers: Metadata) => noteElement(under, headers));
  out.on("data", (bytes: Buffer) => {
    see(bytes);
    if (to.write(bytes)) return;
    out.pause();
    to.once("drain", () => out.resume());
  });
  out.on("end", resolve);
  out.on("error", reject);
  return within({ signal: under.abort.signal, gaveUp: () => out.cancel() }, promise);
}

/** Passes a client's parts on, no faster than the worker takes them. Resolves with the worker's reply. */
export async function forwardUpload(
  worker: Worker,
  under: AdmittedCall,
  parts: AsyncIterable<Buffer>,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const out: ClientWritableStream<Buffer> = worker.link.client.makeClientStreamRequest(
    pathOf(under),
    same,
    same,
    metadataFor(under),
    optionsOf(under),
    (error, bytes) => (error ? reject(error) : resolve(bytes ?? Buffer.alloc(0))),
  );
  const pump = async () => {
    for await (const part of parts) {
      if (out.write(part)) continue;
      const drained = new Promise<void>((go) => void out.once("drain", go));
      await Promise.race([drained, promise]);
    }
    out.end();
  };
  // A worker that refuses the file early ends the wait for its rest.
  const replied = Promise.race([promise, pump().then(() => promise)]);
  return await within(
    { signal: under.abort.signal, gaveUp: () => out.cancel() },
    replied.finally(() => out.cancel()),
  );
}

/** The element goes into the records only, not to the client. */
function noteElement(under: InFlightCall, headers: Metadata): void {
  const [mark] = headers.get(ELEMENT);
  if (typeof mark === "string") under.element = markFrom(mark);
}

function pathOf({ tool }: AdmittedCall): string {
  return `/troupe.v1.Browser/${tool.rpc}`;
}

/** grpc-js takes a date, and computes the remaining time from it. */
function optionsOf({ leftMs }: AdmittedCall) {
  return { deadline: Date.now() + leftMs() };
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
