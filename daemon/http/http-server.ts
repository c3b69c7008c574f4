// The HTTP door: the tools, metrics and health. Its errors follow RFC 9457.
import http, { type IncomingMessage, type RequestListener } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { fail } from "../../proto/errors/catalogue.ts";
import { hostPort } from "../../proto/machine/address.ts";
import { VERSION } from "../../proto/machine/version.ts";
import { REQUEST_ID, VERSION_HEADER } from "../../proto/wire/metadata.ts";
import { requestId } from "../admission/caller.ts";
import type { TlsIdentity, TlsMaterial } from "../admission/tls.ts";
import type { HttpAddress } from "../config/load.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { StartupError } from "../core/startup-error.ts";
import { portHolder } from "../state/port-holder.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { clientCheck } from "./client-check.ts";
import { boundConnections, type Connections } from "./connections.ts";
import { errorHandler, pathOf, rejectBrokenRequest } from "./error-handler.ts";
import { hostAllowed, originAllowed } from "./host-check.ts";
import { BODY_BYTES_MAX, jsonBody } from "./json-body.ts";
import { isLive } from "./live-path.ts";
import { Problem } from "./problem.ts";
import { addProtectedResource } from "./protected-resource.ts";
import { addRest, type RestParts } from "./rest.ts";
import { route } from "./route.ts";

export interface HttpParts {
  metrics: Metrics;
  /** Returns the reason that the daemon takes no calls; undefined if it takes them. */
  notReady: () => string | undefined;
  /** Returns true while the daemon leaves its calls to others. Connections then end with their next reply. */
  isLeaving?: () => boolean;
  /** Further names that requests may have as Host. */
  hosts: readonly string[];
  rest: RestParts;
  /** Further paths. */
  paths: readonly HttpPath[];
  /** The certificates of TLS. Without them the door speaks plain HTTP. */
  tls: TlsIdentity | undefined;
  clock: Clock;
  log: Log;
}

/** A path with an answer of its own. */
export interface HttpPath {
  /** Adds it to the door at one address. `stays`: see {@link Connections}. */
  addTo(app: FastifyInstance, stays: Connections["stays"]): void;
}

export interface HttpTimes {
  headersMs: number;
  requestMs: number;
  /** The time between two checks of these bounds. */
  lookMs: number;
  /** The most connections at once at one address. */
  connectionsMax: number;
}

export const HTTP_TIMES: HttpTimes = {
  headersMs: 10_000,
  requestMs: 60_000,
  lookMs: 10_000,
  // A thousand open pages of the console leave room for all others.
  connectionsMax: 2000,
};

/** The longest time that a connection may wait for its next request. */
const KEEP_ALIVE_MS = 72_000;
/** The time after which there may be room for another connection. */
const RETRY_AFTER_MS = 1000;
/** The paths that probes may request under any Host. */
const FOR_PROBES = new Set(["/livez", "/readyz"]);
/** Requests with longer tool names are refused unread. */
const TOOL_LENGTH_MAX = 200;

export class HttpServer implements AsyncDisposable {
  /** Addresses such as `http://HOST:PORT`, or https. */
  readonly addresses: string[] = [];
  /** A sentence for each preferred port that another program has. */
  readonly warnings: string[] = [];
  readonly #apps: FastifyInstance[] = [];

  /** Serves on all addresses. Throws a StartupError if a configured one is taken. */
  static async open(
    parts: HttpParts,
    addresses: readonly HttpAddress[],
    times = HTTP_TIMES,
  ): Promise<HttpServer> {
    const server = new HttpServer();
    try {
      for (const address of addresses) server.addresses.push(await server.#listen(parts, address, times));
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  /** Resolves to the address that it listens at. */
  async #listen(parts: HttpParts, address: HttpAddress, times: HttpTimes): Promise<string> {
    const { host, port } = address;
    const app = appOf(parts, times);
    this.#apps.push(app);
    try {
      await app.listen({ host, port });
    } catch (error) {
      if (!address.preferred || (error as NodeJS.ErrnoException).code !== "EADDRINUSE")
        throw await notBound(error as NodeJS.ErrnoException, address);
      const free = await this.#listen(parts, { host, port: 0 }, times);
      this.warnings.push(
        `${hostPort(host, port)} is taken by ${await portHolder(address)}; HTTP is at ${free}`,
      );
      return free;
    }
    const bound = app.server.address() as AddressInfo;
    return `${parts.tls ? "https" : "http"}://${hostPort(host, bound.port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()));
  }
}

/** Fastify loads compilers of schemas at the start, which takes time and memory, unless it is given some. */
function noSchemas(): never {
  throw new Error("routes have no schemas");
}

function appOf(parts: HttpParts, times: HttpTimes): FastifyInstance {
  const handleError = errorHandler(parts);
  let connections: Connections | undefined;
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    requestTimeout: times.requestMs,
    serverFactory(handler) {
      const server = listener(parts.tls, times, handler);
      const handshakeMs = parts.tls && times.headersMs;
      connections = boundConnections(server, times.connectionsMax, handshakeMs);
      return server;
    },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: TOOL_LENGTH_MAX },
    genReqId: ({ headers }) => requestId(String(headers[REQUEST_ID] ?? "")),
    frameworkErrors: handleError,
    clientErrorHandler: rejectBrokenRequest,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: Buffer) => jsonBody(body),
  );
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ [REQUEST_ID]: request.id, [VERSION_HEADER]: VERSION });
    if (parts.isLeaving?.()) reply.header("connection", "close");
    if (connections?.isTooMany(request.raw)) checkRoom(request, times);
    checkNames(request, parts.hosts);
  });
  app.setNotFoundHandler(async (request) => {
    throw notThere(request);
  });
  app.setErrorHandler(handleError);
  addObservation(app, parts);
  addRest(app, parts.rest);
  addProtectedResource(app, parts.rest.admission, notThere);
  for (const path of parts.paths) path.addTo(app, (request) => connections?.stays(request));
  return app;
}

/** Makes a plain server, or one with TLS and renewable certificates. */
function listener(tls: TlsIdentity | undefined, times: HttpTimes, handler: RequestListener): http.Server {
  const options = {
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.lookMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Any other request that offers an upgrade is answered as it is.
    shouldUpgradeCallback: (request: IncomingMessage) => isLive(request),
  };
  if (!tls) return http.createServer(options, handler);
  const server = https.createServer({ ...options, ...secured(tls.material) }, handler);
  tls.watch((material) => server.setSecureContext(secured(material)));
  return server as unknown as http.Server;
}

function secured({ cert, key, clientCa }: TlsMaterial) {
  const asksClients = clientCa !== undefined;
  return { cert, key, ca: clientCa, requestCert: asksClients, rejectUnauthorized: asksClients };
}

function addObservation(app: FastifyInstance, { metrics, notReady, rest }: HttpParts): void {
  const anybody = async () => undefined;
  const admitted = clientCheck(rest.admission);
  const scraper = async (request: FastifyRequest) => {
    if (rest.admission.asksForTokens) await admitted.check(request);
  };
  route(app, "/", anybody, { GET: toConsole });
  route(app, "/livez", anybody, { GET: () => "ok\n" });
  route(app, "/readyz", anybody, {
    GET(_request, reply) {
      const reason = notReady();
      return reason === undefined
        ? "ok\n"
        : reply.code(503).type("text/plain; charset=utf-8").send(`${reason}\n`);
    },
  });
  route(app, "/metrics", scraper, {
    async GET(request, reply) {
      const { contentType, body } = await metrics.text(request.headers.accept);
      return reply.header("content-type", contentType).send(body);
    },
  });
}

/** Health probes get an answer even if there is no room. */
function checkRoom({ url }: FastifyRequest, { connectionsMax }: HttpTimes): void {
  if (FOR_PROBES.has(url)) return;
  const limit = `${connectionsMax} connections at once`;
  throw new Problem(503, fail("BUSY", { limit, holders: [], retryAfterMs: RETRY_AFTER_MS }), {
    connection: "close",
  });
}

/** Refuses requests that another site makes through a user's browser. */
function checkNames(request: FastifyRequest, hosts: readonly string[]): void {
  const { host, origin } = request.headers;
  const what = `${request.method} ${pathOf(request.url)}`;
  if (!FOR_PROBES.has(request.url) && !hostAllowed(host, hosts, request.socket.localAddress)) {
    const reason =
      "The Host header names none of this server's names; further ones stand in hosts: of the configuration.";
    throw new Problem(403, fail("PERMISSION_DENIED", { what, reason }));
  }
  if (!originAllowed(origin, host))
    throw new Problem(
      403,
      fail("PERMISSION_DENIED", { what, reason: "The Origin header names another site." }),
    );
}

/** Leads a person with a browser to the console. Programs get an error, as at any other path. */
function toConsole(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.headers.accept?.includes("text/html")) throw notThere(request);
  return reply.redirect("/console", 302);
}

function notThere({ method, url }: FastifyRequest): Problem {
  const problem = `there is nothing at ${method} ${pathOf(url)}`;
  const hint =
    "to one of these: POST /v1/tools/TOOL, GET /v1/tools, GET /openapi.json, POST /mcp, GET /metrics";
  const likelyCause = "The path was guessed instead of taken from /openapi.json";
  return new Problem(404, fail("INVALID_ARGUMENT", { argument: "path", problem, hint, likelyCause }));
}

async function notBound(error: NodeJS.ErrnoException, { host, port }: HttpAddress): Promise<Error> {
  // Any other error does not concern the address.
  if (error.code === undefined || error.syscall === undefined) return error;
  const why = error.code === "EADDRINUSE" ? `taken by ${await portHolder({ host, port })}` : error.code;
  return new StartupError(
    "unavailable",
    `Cannot listen at http://${hostPort(host, port)}: ${why}\nEnd that program, or choose another address with --http HOST:PORT or http: in the configuration (--http off for none)`,
  );
}
