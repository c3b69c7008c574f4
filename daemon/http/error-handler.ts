// Turns any error of an HTTP request into a problem, and counts and logs it.
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { plainArguments } from "../../proto/calls/plain-arguments.ts";
import { detailOf, type ErrorData, type ErrorDetail, fail } from "../../proto/errors/catalogue.ts";
import { findTool, type Profile, profileNamed } from "../../proto/tools/read-tools.ts";
import { PROFILE, REQUEST_ID, ROLE, SESSION } from "../../proto/wire/metadata.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { RejectionLog } from "../admission/rejection-log.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { BODY_BYTES_MAX } from "./json-body.ts";
import { Problem, problemOf } from "./problem.ts";

const PATH_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 128;

type HandleError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Makes the handler that answers a request with its error. */
export function errorHandler({
  metrics,
  clock,
  log,
}: {
  metrics: Metrics;
  clock: Clock;
  log: Log;
}): HandleError {
  const unknown = new RejectionLog(clock, log);
  return (thrown, request, reply) => {
    const problem =
      thrown instanceof Problem ? thrown : (ofFastify(thrown) ?? unforeseen(thrown, request, log));
    const profile = profileNamed(headerOf(request, PROFILE)) ?? "core";
    const error = detailOf(problem.error, failedCall(request, profile), Date.now());
    const { type, category, tool } = error;
    // A client's text is never a label: the tool has a name of the catalogue, or none.
    if (!problem.account(error))
      metrics.of.troupe_errors_total.inc({
        labels: { type, category, tool: findTool(tool)?.name ?? "", role: "" },
      });
    if (type === "UNAUTHENTICATED") unknown.tell({ door: "http", requestId: request.id });
    else log.info({ status: problem.status, type, tool, requestId: request.id }, "request refused");
    const { headers, body } = problem.answer(error, profile);
    void reply
      .code(problem.status)
      .headers({ [REQUEST_ID]: request.id, ...headers, ...problem.headers })
      .send(body);
  };
}

/** Answers bytes that are no HTTP request, or do not become one in time. */
export function rejectBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, ...data } = BROKEN[error.code ?? ""] ?? NO_HTTP;
  const { headers, body } = problemOf(status, brokenDetail(data), "core");
  const lines = Object.entries({ ...headers, "content-length": body.length, connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), body]));
}

/** Answers a plain HTTP request to a port of HTTPS, on the plain socket under the failed handshake. */
export function answerPlainHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === PLAIN_HTTP) rejectBrokenRequest(error, socket);
}

const PLAIN_HTTP = "ERR_SSL_HTTP_REQUEST";

interface Broken {
  status: number;
  problem: string;
  hint?: string;
}

const NO_HTTP: Broken = { status: 400, problem: "the bytes are no HTTP request" };
const BROKEN: Readonly<Record<string, Broken>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, problem: "the request did not come whole in time" },
  HPE_HEADER_OVERFLOW: { status: 431, problem: "the headers are too long" },
  [PLAIN_HTTP]: {
    status: 400,
    problem: "this port speaks HTTPS, and the request is plain HTTP",
    hint: "with an address that begins with https://",
  },
};

function brokenDetail(data: Omit<Broken, "status">): ErrorDetail {
  const call = { tool: "", arguments: {}, profile: "core", role: "", session: "", tab: "" } as const;
  return detailOf(
    fail("INVALID_ARGUMENT", { argument: "request", ...data, likelyCause: BY_HAND }),
    call,
    Date.now(),
  );
}

/** Returns the path, cut, without its query: the query may hold a secret. */
export function pathOf(url: string): string {
  return (url.split("?")[0] ?? "").slice(0, PATH_LENGTH_MAX);
}

/** Turns fastify's own errors into problems. */
function ofFastify(thrown: unknown): Problem | undefined {
  const { statusCode: status, code = "" } = thrown as { statusCode?: number; code?: string };
  if (status === undefined || status < 400 || status >= 500) return undefined;
  return new Problem(
    status,
    fail("INVALID_ARGUMENT", { ...(FASTIFY[code] ?? MALFORMED), likelyCause: BY_HAND }, thrown),
  );
}

const BY_HAND =
  "The program that sent the request put it together by hand, or something on its way changed it";
const BODY_MAX = `${BODY_BYTES_MAX / 2 ** 20} MiB`;
const MALFORMED = { argument: "request", problem: "the request is malformed" };
const FASTIFY: Readonly<Record<string, ErrorData["INVALID_ARGUMENT"]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    argument: "content-type",
    problem: "only JSON is taken",
    allowed: ["application/json"],
    hint: "with its arguments as JSON, and with the header Content-Type: application/json",
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    argument: "body",
    problem: `the body has more than ${BODY_MAX}, the most that is taken`,
    hint: `with a body of at most ${BODY_MAX}`,
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    argument: "content-length",
    problem: "the body has not the length that the header says",
  },
  FST_ERR_MAX_PARAM_LENGTH: {
    argument: "path",
    problem: "the path's last part is longer than any tool's name",
  },
  FST_ERR_BAD_URL: { argument: "path", problem: "the path is no well-formed URL" },
};

function unforeseen(thrown: unknown, { id }: FastifyRequest, log: Log): Problem {
  const reportId = randomUUID().slice(0, 8);
  log.error({ err: thrown, reportId, requestId: id }, "a request failed in a way that nobody foresaw");
  return new Problem(500, fail("INTERNAL", { reportId }, thrown));
}

function failedCall(request: FastifyRequest, profile: Profile) {
  const { tool = "" } = (request.params ?? {}) as { tool?: string };
  const { body } = request;
  return {
    tool: findTool(tool)?.name ?? tool,
    // The MCP door parses bodies itself. Their bytes are no arguments.
    arguments: body instanceof Uint8Array ? {} : plainArguments((body ?? {}) as JsonObject),
    profile,
    role: headerOf(request, ROLE),
    ownRole: headerOf(request, ROLE) !== "",
    session: headerOf(request, SESSION),
    tab: "",
  };
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  return String(headers[name] ?? "").slice(0, NAME_LENGTH_MAX);
}
