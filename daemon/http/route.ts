// Adds a path with its methods, and an answer to all other methods.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../proto/errors/catalogue.ts";
import { Problem } from "./problem.ts";

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Adds the path. `before` runs before the body is read. HEAD is answered where GET is the only method. */
export function route(
  app: FastifyInstance,
  url: string,
  before: (request: FastifyRequest) => Promise<void>,
  methods: Partial<Record<"GET" | "POST" | "PUT" | "DELETE", Handler>>,
): void {
  const names = Object.keys(methods);
  const exposeHeadRoute = names.length === 1 && "GET" in methods;
  const allowed = exposeHeadRoute ? ["GET", "HEAD"] : names;
  for (const [method, handler] of Object.entries(methods))
    app.route({ method, url, onRequest: before, exposeHeadRoute, handler });
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    onRequest: async ({ method }) => {
      throw notAllowed(method, allowed);
    },
    handler: () => undefined,
  });
}

function notAllowed(method: string, allowed: string[]): Problem {
  const data = {
    argument: "method",
    problem: `this path has no method ${method}`,
    allowed,
    hint: `with the method ${allowed[0]}`,
    likelyCause: "The method was guessed instead of taken from /openapi.json",
  };
  return new Problem(405, fail("INVALID_ARGUMENT", data), { allow: allowed.join(", ") });
}
