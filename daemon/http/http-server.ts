// The HTTP door: metrics and signs of life. What it lacks is answered as RFC 9457 has it.
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { hostPort } from "../config/address.ts";
import type { Metrics } from "../metrics.ts";
import { Refusal } from "../refusal.ts";
import { hostAllowed, originAllowed } from "./host-check.ts";

/** What the door shows. */
export interface HttpParts {
  metrics: Metrics;
  /** Why the daemon takes no calls; undefined where it does. */
  notReady: () => string | undefined;
  /** Further names that requests may give as Host. */
  hosts: readonly string[];
}

/** Paths that probes ask for by whatever name they know us. */
const FOR_PROBES = new Set(["/livez", "/readyz"]);
const BODY_BYTES_MAX = 4 * 2 ** 20;
const HEADERS_TIMEOUT_MS = 10_000;

/** Open HTTP doors. */
export class HttpServer implements AsyncDisposable {
  /** `http://HOST:PORT` */
  readonly addresses: string[] = [];
  readonly #apps: FastifyInstance[] = [];

  /** Serves on all addresses. Throws a Refusal where one is taken. */
  static async open(
    parts: HttpParts,
    addresses: readonly { host: string; port: number }[],
  ): Promise<HttpServer> {
    const server = new HttpServer();
    try {
      for (const { host, port } of addresses) {
        const app = appOf(parts);
        server.#apps.push(app);
        await app.listen({ host, port });
        const bound = app.server.address() as AddressInfo;
        server.addresses.push(`http://${hostPort(host, bound.port)}`);
      }
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error instanceof Error ? notBound(error, addresses[server.addresses.length]) : error;
    }
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()));
  }
}

function appOf({ metrics, notReady, hosts }: HttpParts): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    requestTimeout: 60_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
  });
  app.addHook("onRequest", async (request, reply) => {
    const { host, origin } = request.headers;
    const known = FOR_PROBES.has(request.url) || hostAllowed(host, hosts);
    if (!known) return problem(reply, 403, "Forbidden", "the Host header names none of this server's names");
    if (!originAllowed(origin, host))
      return problem(reply, 403, "Forbidden", "the Origin header names another site");
  });
  app.get("/livez", () => "ok\n");
  app.get("/readyz", (_request, reply) => {
    const reason = notReady();
    return reason === undefined
      ? "ok\n"
      : reply.code(503).type("text/plain; charset=utf-8").send(`${reason}\n`);
  });
  app.get("/metrics", async (request, reply) => {
    const { contentType, body } = await metrics.text(request.headers.accept);
    return reply.header("content-type", contentType).send(body);
  });
  app.setNotFoundHandler((request, reply) =>
    problem(reply, 404, "Not Found", `there is nothing at ${pathOf(request)}`),
  );
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const code = error.statusCode ?? 500;
    return problem(
      reply,
      code,
      code < 500 ? "Bad Request" : "Internal Server Error",
      "the request could not be answered",
    );
  });
  return app;
}

/** RFC 9457. */
function problem(reply: FastifyReply, status: number, title: string, detail: string): FastifyReply {
  // As bytes: to text, a charset would be added, which the media type does not have.
  const body = Buffer.from(JSON.stringify({ type: "about:blank", title, status, detail }));
  return reply.code(status).type("application/problem+json").send(body);
}

function pathOf(request: FastifyRequest): string {
  return (request.url.split("?")[0] ?? "").slice(0, 200);
}

function notBound(error: NodeJS.ErrnoException, address: { host: string; port: number } | undefined): Error {
  const shown = address ? hostPort(address.host, address.port) : "http";
  if (error.code !== "EADDRINUSE" && error.code !== "EACCES" && error.code !== "EADDRNOTAVAIL") return error;
  const why = error.code === "EADDRINUSE" ? "another program listens there" : `${error.code}`;
  return new Refusal(
    "unavailable",
    `Cannot listen at http://${shown}: ${why}\nEnd that program, or choose another address with --http HOST:PORT or http: in the configuration (--http off for none)`,
  );
}
