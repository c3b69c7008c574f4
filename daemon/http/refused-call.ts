// Records an HTTP call of a tool that the client does not have, as the other doors record it.
import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { REFUSED_WITH } from "../../proto/calls/client-refusal.ts";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { callerOf } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { rolesOf } from "../admission/rights.ts";
import { accountForRefusal, type RefusalParts } from "../calls/client-refusal.ts";
import { Problem } from "./problem.ts";
import { metadataOf } from "./rest-call.ts";

/** The parts that recording needs. */
export type AccountParts = RefusalParts & { rates: Rates };

/** Makes the function that records the refused call, if the request names its session as a call must. */
export function accountFor(
  parts: AccountParts,
  request: FastifyRequest,
  { name, args, client }: { name: string; args: JsonObject; client: Client },
): Problem["account"] {
  return ({ type: given, steps }) => {
    const type = REFUSED_WITH.find((each) => each === given);
    if (!type) return false;
    // The caller recovers with the tool that the plan ends with.
    const tool = steps.at(-1)?.tool ?? "";
    const digest = createHash("sha256")
      .update(JSON.stringify([name, args]))
      .digest("base64");
    try {
      const caller = callerOf(metadataOf(request), client);
      const [firstRole] = rolesOf(client, parts.supervisor.names);
      accountForRefusal(parts, { type, tool, digest }, caller, request.id, firstRole);
      return true;
    } catch (error) {
      // The answer is about the tool. The headers are checked with the next call.
      if (isTroupeError(error) || error instanceof Problem) return false;
      throw error;
    }
  };
}
