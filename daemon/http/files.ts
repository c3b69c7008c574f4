// Files over HTTP: PUT /v1/files takes one for a session, and GET /v1/files/ID sends one. They pass through in parts.
import { PassThrough, type Readable } from "node:stream";
import type { StatusObject } from "@grpc/grpc-js";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import type { FileContent, GetFileResponse, PutFileResponse } from "../../proto/gen/troupe.ts";
import { type Profile, profileNamed, rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import { PART_BYTES } from "../../proto/wire/file-bounds.ts";
import { PROFILE } from "../../proto/wire/metadata.ts";
import { decode, encode } from "../../proto/wire/schema.ts";
import type { Calls } from "../calls/execute.ts";
import type { Sink } from "../calls/forward.ts";
import type { ToolCall } from "../calls/in-flight-call.ts";
import { takeStream, takeUpload } from "../calls/take.ts";
import type { Admitted } from "./client-check.ts";
import { problemOf } from "./problem.ts";
import { goneOf, metadataOf, STATUS } from "./rest-call.ts";
import { route } from "./route.ts";

/** The statuses of errors that concern a file. */
const FILE_STATUS = { ...STATUS, FILE_NOT_ALLOWED: 413, TIMEOUT: 408, WORKER_UNAVAILABLE: 503 };

/** Adds the paths, in a scope of their own: a body there is the file, whatever its type. */
export function addFiles(app: FastifyInstance, calls: Calls, admitted: Admitted): void {
  const [putting, getting] = ["PutFile", "GetFile"].map(
    (rpc) => rpcs().find((tool) => tool.rpc === rpc) as Tool,
  );
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", async (_request: FastifyRequest, body: Readable) => body);
    const door = { calls, admitted };
    route(scope, "/v1/files", admitted.check, {
      PUT: (request, reply) => put({ ...door, tool: putting as Tool }, request, reply),
    });
    route(scope, "/v1/files/:id", admitted.check, {
      GET: (request, reply) => get({ ...door, tool: getting as Tool }, request, reply),
    });
  });
}

/** The rpc behind a path, and what carries it out. */
interface Path {
  tool: Tool;
  calls: Calls;
  admitted: Admitted;
}

async function put(path: Path, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { tool, calls, admitted } = path;
  const call = callOf(request, reply, () => admitted.clientOf(request), Buffer.alloc(0));
  try {
    const parts = messagesOf(tool, request);
    const bytes = await takeUpload(calls, tool, call, parts);
    return reply.code(201).send(decode<PutFileResponse>(tool.response, bytes));
  } catch (failed) {
    // The rest of the body is not worth reading.
    reply.header("connection", "close");
    return refused(failed as StatusObject, request, reply);
  }
}

async function get(path: Path, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { tool, calls, admitted } = path;
  const { id } = request.params as { id: string };
  const call = callOf(request, reply, () => admitted.clientOf(request), encode(tool.request, { id }));
  const sink = new FileSink(tool);
  const done = takeStream(calls, tool, call, sink).then(
    () => sink.body.end(),
    (failed) => {
      // Once bytes have left, only a broken connection says that the file is not whole.
      sink.body.destroy(new Error("the file broke off"));
      sink.header.reject(failed);
    },
  );
  try {
    const { name, size } = await sink.header.promise;
    return reply
      .headers({
        // The content is foreign, so no browser may show it as a page of the daemon.
        "content-type": "application/octet-stream",
        "content-length": size,
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        "x-content-type-options": "nosniff",
      })
      .send(sink.body);
  } catch (failed) {
    await done;
    return refused(failed as StatusObject, request, reply);
  }
}

/** Takes the messages of GetFile: the header by itself, the rest as the body, no faster than it is read. */
class FileSink implements Sink {
  readonly header = Promise.withResolvers<FileContent>();
  readonly body = new PassThrough();
  readonly #tool: Tool;

  constructor(tool: Tool) {
    this.#tool = tool;
    // The reader of the body learns of its end by itself.
    this.body.on("error", () => undefined);
    this.header.promise.catch(() => undefined);
  }

  write(message: Buffer): boolean {
    const { header, chunk } = decode<GetFileResponse>(this.#tool.response, message);
    if (header) this.header.resolve(header);
    return chunk ? this.body.write(chunk) : true;
  }

  once(event: "drain", listener: () => void): void {
    this.body.once(event, listener);
  }
}

async function* messagesOf(tool: Tool, request: FastifyRequest): AsyncGenerator<Buffer, void> {
  const { name = "file" } = request.query as { name?: string | string[] };
  const size = Number(request.headers["content-length"] ?? 0);
  const header = {
    name: String([name].flat()[0]),
    mimeType: String(request.headers["content-type"] ?? ""),
    size,
  };
  yield encode(tool.request, { header });
  if (!request.body) return;
  for await (const part of request.body as AsyncIterable<Buffer>)
    for (let at = 0; at < part.length; at += PART_BYTES)
      yield encode(tool.request, { chunk: part.subarray(at, at + PART_BYTES) });
}

function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  client: ToolCall["client"],
  bytes: Buffer,
): ToolCall {
  return {
    client,
    metadata: metadataOf(request),
    request: bytes,
    deadlineMs: Number.POSITIVE_INFINITY,
    gone: goneOf(reply),
    isSent: () => reply.raw.writableFinished,
    greet: () => undefined,
  };
}

function refused(failed: StatusObject, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const detail = fromStatus(failed);
  if (!detail) throw failed;
  const { headers: own, body } = problemOf(statusOf(detail), detail, profileOf(headers[PROFILE]));
  return reply.code(statusOf(detail)).headers(own).send(body);
}

function statusOf({ type, details }: ErrorDetail): number {
  if (type === "INVALID_ARGUMENT") return details.argument === "id" ? 404 : 400;
  return (FILE_STATUS as Partial<Record<string, number>>)[type] ?? 409;
}

function profileOf(given: string | string[] | undefined): Profile {
  return profileNamed(String(given ?? "")) ?? "full";
}
