// The tools over HTTP: each can be called, all are listed, and a document describes them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { plainArguments } from "../../proto/calls/plain-arguments.ts";
import { toolNamed } from "../../proto/calls/tool-call.ts";
import { type ErrorDetail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { Profile, Tool } from "../../proto/tools/read-tools.ts";
import { toolList } from "../../proto/tools/tool-list.ts";
import { PROFILE } from "../../proto/wire/metadata.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Admission } from "../admission/admission.ts";
import { profileOf } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Calls } from "../calls/execute.ts";
import { type Admitted, clientCheck } from "./client-check.ts";
import { addFiles } from "./files.ts";
import { openApi } from "./openapi.ts";
import { Problem } from "./problem.ts";
import { type AccountParts, type RefusedHttpCall, recordRefusal, takeFromRate } from "./refused-call.ts";
import { callTool, metadataOf, STATUS } from "./rest-call.ts";
import { route } from "./route.ts";

export interface RestParts {
  calls: Calls;
  admission: Admission;
  accounts: AccountParts;
}

export function addRest(app: FastifyInstance, { calls, admission, accounts }: RestParts): void {
  const admitted = clientCheck(admission);
  const onRequest = admitted.check;
  let description: string | undefined;
  // Generators send no token, and the document says nothing that the documentation does not.
  route(app, "/openapi.json", async () => undefined, {
    GET(_request, reply) {
      description ??= JSON.stringify(openApi());
      return reply.type("application/json").send(description);
    },
  });
  addFiles(app, calls, admitted);
  route(app, "/v1/tools", onRequest, {
    GET: (request) => ({ tools: toolList(profileIn(request, admitted)) }),
  });
  route(app, "/v1/tools/:tool", onRequest, {
    POST(request, reply: FastifyReply) {
      const profile = profileIn(request, admitted);
      const { tool: name } = request.params as { tool: string };
      const args = plainArguments((request.body ?? {}) as JsonObject);
      const client = admitted.clientOf(request);
      const account = (error: ErrorDetail) => isRecorded(accounts, request, { name, args, client }, error);
      const found = () => toolNamed(name, profile, args);
      const tool = asProblem(404, () => taken(found, calls, accounts, client), account);
      return callTool(calls, { tool, profile, args, client }, request, reply);
    },
  });
}

function profileIn(request: FastifyRequest, { clientOf }: Admitted): Profile {
  const given = request.headers[PROFILE];
  const client = clientOf(request);
  return asProblem(400, () => profileOf(given === undefined ? undefined : String(given), client));
}

/** Returns the tool. A call of an unknown tool costs as much of the rate as any other. */
function taken(found: () => Tool, calls: Calls, accounts: AccountParts, client: Client): Tool {
  try {
    return found();
  } catch (error) {
    takeFromRate(calls, accounts, client);
    throw error;
  }
}

/** Records a refused call, if its headers can be carried on. */
function isRecorded(
  parts: AccountParts,
  request: FastifyRequest,
  call: RefusedHttpCall,
  error: ErrorDetail,
): boolean {
  try {
    return recordRefusal(parts, metadataOf(request), call, error);
  } catch (unfit) {
    if (unfit instanceof Problem) return false;
    throw unfit;
  }
}

function asProblem<T>(status: number, step: () => T, account?: Problem["account"]): T {
  try {
    return step();
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    throw new Problem(STATUS[error.type] ?? status, error, {}, account);
  }
}
