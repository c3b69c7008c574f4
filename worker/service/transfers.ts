// Carries files between a session and its client, in parts under flow control.
import type { ServerReadableStream, ServerWritableStream, ServiceError } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import type { GetFileRequest, PutFileRequest } from "../../proto/gen/troupe.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { STALL_MS_MAX } from "../../proto/wire/file-bounds.ts";
import { encode } from "../../proto/wire/schema.ts";
import type { Call } from "../core/call.ts";
import { partsOf } from "../files/file-content.ts";
import type { SessionFiles } from "../files/session-files.ts";
import type { FileWriter } from "../files/stored-files.ts";
import { maskedParts } from "../secrets/masked-parts.ts";
import { answer, decodeRequest, type ServiceContext } from "./answer.ts";

type Callback = (error: Partial<ServiceError> | null, reply?: Buffer) => void;

/** Takes a file. A client that leaves in the middle, or stops sending, leaves nothing behind. */
export function receiving(tool: Tool, service: ServiceContext) {
  return (call: ServerReadableStream<Buffer, Buffer>, callback: Callback): void => {
    const grpcCall = Object.assign(call, { request: Buffer.alloc(0) });
    answer(tool, grpcCall, service, async (_request, { call: own, session }) => {
      const { id, name, size } = await taken(tool, call, own, session.files);
      return encode(tool.response, { id, name, size });
    }).then(
      (bytes) => callback(null, bytes),
      (status: Partial<ServiceError>) => callback(status),
    );
  };
}

/** Sends a file as fast as its client reads. */
export function sending(tool: Tool, service: ServiceContext) {
  return (call: ServerWritableStream<Buffer, Buffer>): void => {
    answer(tool, call, service, async (request, { call: own, session }) => {
      const file = fileNamed((request as GetFileRequest).id, session.files);
      const { path, ...header } = file.about;
      await write(call, own, encode(tool.response, { header }));
      for await (const chunk of maskedParts(partsOf(path), session.redactor))
        await write(call, own, encode(tool.response, { chunk }));
      file.sent();
    }).then(
      () => call.end(),
      (status: Partial<ServiceError>) => call.emit("error", status),
    );
  };
}

async function taken(
  tool: Tool,
  parts: ServerReadableStream<Buffer, Buffer>,
  call: Call,
  { stored }: SessionFiles,
) {
  let writer: FileWriter | undefined;
  call.waitsFor = "the file's bytes";
  const reader = parts[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { done, value } = await unlessStalled(reader.next(), call);
      if (done) break;
      const { header, chunk } = decodeRequest<PutFileRequest>(tool, value);
      if (header && !writer) writer = await stored.begin(header.name, header);
      else if (chunk && writer) await writer.write(chunk);
      else throw fail("INVALID_ARGUMENT", { argument: "part", problem: "the header comes first, and once" });
    }
    if (!writer) throw fail("INVALID_ARGUMENT", { argument: "part", problem: "the header is missing" });
    return await writer.finish();
  } finally {
    await writer?.giveUp();
  }
}

/** Throws TIMEOUT if nothing comes or leaves for too long, and the call's own error if it ends. */
async function unlessStalled<T>(moving: Promise<T>, call: Call): Promise<T> {
  // It may fail after the wait has ended.
  moving.catch(() => undefined);
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  const stop = () => reject(call.signal.reason);
  const timer = setTimeout(
    () => reject(fail("TIMEOUT", { waitedFor: call.waitsFor, afterMs: STALL_MS_MAX })),
    STALL_MS_MAX,
  );
  call.signal.addEventListener("abort", stop, { once: true });
  if (call.signal.aborted) stop();
  try {
    return await Promise.race([moving, stalled]);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", stop);
  }
}

async function write(to: ServerWritableStream<Buffer, Buffer>, call: Call, bytes: Buffer): Promise<void> {
  if (to.write(bytes)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  to.once("drain", resolve);
  call.waitsFor = "the client to read on";
  try {
    await unlessStalled(promise, call);
  } finally {
    to.off("drain", resolve);
  }
}

interface Sendable {
  about: { id: string; name: string; mimeType: string; size: number; path: string };
  sent(): void;
}

/** Returns a session's own file. Another session's is as one that does not exist. */
function fileNamed(id: string, { stored, downloads }: SessionFiles): Sendable {
  const file = stored.get(id);
  if (file) {
    const { name, mimeType, size, path } = file;
    const sent = () => {
      file.wasSent = true;
    };
    return { about: { id, name, mimeType, size, path }, sent };
  }
  const download = downloads.get(id);
  if (download?.state !== "COMPLETED" || download.held)
    throw fail("INVALID_ARGUMENT", {
      argument: "id",
      problem: "there is no such file in this session and role",
      hint: "with the id of a file that a reply named in this session and role",
    });
  const { name, received: size, file: path } = download;
  return {
    about: { id, name, mimeType: "", size, path },
    sent() {
      download.isFetched = true;
    },
  };
}
