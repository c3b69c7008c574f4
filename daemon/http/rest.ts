// The tools over HTTP: each callable, all listed, and described for programs.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isTroupeError } from "../../proto/errors.ts";
import { PROFILE } from "../../proto/metadata.ts";
import { plainArguments } from "../../proto/plain-arguments.ts";
import type { JsonObject } from "../../proto/struct.ts";
import { toolNamed } from "../../proto/tool-call.ts";
import { toolList } from "../../proto/tool-list.ts";
import type { Profile } from "../../proto/tools.ts";
import { profileOf } from "../calls/caller.ts";
import type { Calls } from "../calls/carry.ts";
import { openApi } from "./openapi.ts";
import { Problem } from "./problem.ts";
import { callTool } from "./rest-call.ts";
import { route } from "./route.ts";
import { tokenCheck } from "./token-check.ts";

/** What the tools are called with over HTTP. */
export interface RestParts {
  calls: Calls;
  /** What every request has to carry. */
  token: string;
}

/** Adds the paths. */
export function addRest(app: FastifyInstance, { calls, token }: RestParts): void {
  const check = tokenCheck(token);
  const onRequest = async ({ headers }: FastifyRequest) => check(headers.authorization);
  let description: string | undefined;
  route(app, "/openapi.json", onRequest, {
    GET(_request, reply) {
      description ??= JSON.stringify(openApi());
      return reply.type("application/json").send(description);
    },
  });
  route(app, "/v1/tools", onRequest, { GET: (request) => ({ tools: toolList(profileIn(request)) }) });
  route(app, "/v1/tools/:tool", onRequest, {
    POST(request, reply: FastifyReply) {
      const profile = profileIn(request);
      const { tool: name } = request.params as { tool: string };
      const args = plainArguments((request.body ?? {}) as JsonObject);
      const tool = asProblem(404, () => toolNamed(name, profile, args));
      return callTool(calls, { tool, profile, args }, request, reply);
    },
  });
}

function profileIn({ headers }: FastifyRequest): Profile {
  const given = headers[PROFILE];
  return asProblem(400, () => profileOf(given === undefined ? undefined : String(given)));
}

function asProblem<T>(status: number, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw isTroupeError(error) ? new Problem(status, error) : error;
  }
}
